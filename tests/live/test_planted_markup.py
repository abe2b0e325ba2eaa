"""What people wrote is text on every page: markup in each column of words comes back as words.

Every column of words in the tiny world is written over, below the domain: whatever a page shows of
it has to be escaped there. Formatted texts, which are cleaned as they come in, have tests of their
own (docs/attacks.md).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any, Final

import pytest
from django.apps import apps
from django.db import connection, models

from clones.core.journal import act
from clones.core.tenancy import SandboxRow, unit_of_work
from clones.mail.domain.messages import Written, send_message
from clones.mail.models import Mailbox
from episodes.worlds import WorldKey, world_image
from snapshots.library import Library
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind
from tests.pages_of_clones import Window
from tests.tiers import EVERYTHING

MARK: Final = "\"'></script></textarea></title><zz-planted onload=x>"
SCRIPT: Final = "javascript:planted()//"
APPS: Final = ("helpdesk", "tracker", "billing", "mail", "core")
OF_ONE: Final = 3 if EVERYTHING else 1  # pages of a route that are looked at
ADDRESSES: Final = ("href", "src", "action", "formaction", "data", "poster", "srcset", "xlink:href")
# Words that are no one's: the machine's own, and what pages of other clones are told by.
NOT_WORDS: Final = frozenset({"core_journal", "core_act"})


class Look(HTMLParser):
    """The planted elements, attributes and addresses of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.planted: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in an element."""
        if tag.startswith("zz-planted"):
            self.planted.append(f"<{tag}> at {self.getpos()}")
        for name, value in attrs:
            if name.startswith("zz-planted") or name in ("onload", "onerror", "onclick"):
                self.planted.append(f"{name} of <{tag}> at {self.getpos()}")
            text = "".join((value or "").split()).lower()
            if name in ADDRESSES and text.startswith(("javascript:", "data:text", "vbscript:")):
                self.planted.append(f"{name}={value} of <{tag}>")


@pytest.fixture(scope="module")
def planted(sandboxes: Sandboxes, library: Library) -> Iterator[tuple[SandboxRow, list[str]]]:
    """A sandbox of the tiny world with markup in every column of words, and those columns."""
    row = sandboxes.create(world_image(library, WorldKey("kestrel", "tiny", 1)))
    with bind(row), unit_of_work("write"), act(actor="system", label="mail"):
        for mailbox in Mailbox.objects.all():  # some have none yet
            for number in range(6):
                text = Written(to=mailbox.address, subject=f"No. {number}", text="To be read.")
                send_message(mailbox, text)
    with bind(row), unit_of_work("write"):
        columns = [name for model in apps.get_models() for name in plant(model)]
    yield row, columns
    sandboxes.delete(row.id)


def plant(model: type[models.Model]) -> Iterator[str]:
    """Write markup into each column of a table that holds people's words; yield its name."""
    table = model._meta.db_table
    if model._meta.app_label not in APPS or table in NOT_WORDS or not model._meta.managed:
        return
    for column in model._meta.concrete_fields:
        if isinstance(column, models.JSONField):
            if plant_in_documents(model, column.attname):
                yield f"{table}.{column.column}"
            continue
        if not isinstance(column, models.CharField | models.TextField) or column.choices:
            continue
        values = list(
            model._default_manager.exclude(**{column.attname: ""})
            .exclude(**{column.attname: None})
            .values_list(column.attname, flat=True)[:400]
        )
        room = (column.max_length or 10**6) - max(map(len, values), default=0)
        if any(value.lstrip().startswith(("<", "{", "[")) for value in values):
            continue
        if any(value.startswith(("http://", "https://")) for value in values):
            write(table, column.column, f"'{SCRIPT}' || {column.column}")
        elif room > len(MARK) and any(" " in value for value in values):
            write(table, column.column, f"{column.column} || %s", MARK)
        else:
            continue
        yield f"{table}.{column.column}"


def write(table: str, column: str | None, value: str, *given: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table} SET {column} = {value} WHERE {column} <> ''",
            given,
        )


def plant_in_documents(model: type[models.Model], name: str) -> bool:
    """Write markup after the words of documents in a JSON column; tell whether there were any."""
    found = False
    rows = model._default_manager.exclude(**{name: None}).values_list("pk", name)[:2000]
    for key, value in rows:
        changed = in_document(value)
        if changed != value:
            found = True
            model._default_manager.filter(pk=key).update(**{name: changed})
    return found


def in_document(value: Any) -> Any:
    """Return a document with markup after each text of several words, and in each address."""
    if isinstance(value, dict):
        return {key: in_document(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [in_document(inner) for inner in value]
    if isinstance(value, str) and value.startswith(("http://", "https://")):
        return SCRIPT + value
    if isinstance(value, str) and " " in value and not value.lstrip().startswith("<"):
        return value + MARK
    return value


def walk(window: Window) -> tuple[Counter[str], list[str], int]:
    """Open pages, some of each route; return routes, findings and how often words are shown."""
    routes, wrong, shown = Counter[str](), list[str](), 0
    for page in window.pages(OF_ONE):
        if page.status >= 500:
            wrong.append(f"{page.path}: answers {page.status}")
            continue
        routes[page.route] += 1
        shown += page.html.count("zz-planted")
        wrong += [f"{page.path}: {one}" for one in Look(page.html).planted]
    return routes, wrong, shown


# How many routes have a page, and how often words that were written over are shown on them.
LEAST: Final = {"helpdesk": (100, 2000), "tracker": (100, 1000), "mail": (3, 10)}


@pytest.mark.sweeps
@pytest.mark.slow(shares="planted")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("clone", sorted(LEAST))
def test_what_people_wrote_is_text_on_every_page(
    planted: tuple[SandboxRow, list[str]], clone: str
) -> None:
    row, columns = planted
    assert [name for name in columns if name.startswith((f"{clone}_", "core_message"))]
    routes, wrong, shown = walk(Window(row, clone))
    print(f"{clone}: {len(routes)} routes, {routes.total()} pages, shown {shown} times")
    assert wrong[:20] == []
    assert len(routes) >= LEAST[clone][0]
    assert shown >= LEAST[clone][1]


@pytest.mark.slow(shares="planted")
def test_the_columns_are_all_that_hold_words(planted: tuple[SandboxRow, list[str]]) -> None:
    """Names, subjects, texts, notes: as many as there are, and none that a page has to read."""
    _, columns = planted
    print(json.dumps(columns))
    assert len(columns) > 100


def test_markup_in_a_page_is_seen() -> None:
    for html in (
        f"<p>{MARK}</p>", f'<a title="{MARK}">', "<a href='java\nscript:planted()'>x</a>",
        f"<script>var a = {json.dumps(MARK)}</script>", '<p class="a" onload=x>',
    ):  # fmt: skip
        assert Look(html).planted, html
    assert not Look('<p title="&lt;zz-planted&gt;">&lt;zz-planted onload=x&gt;</p>').planted
