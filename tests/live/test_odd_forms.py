"""Forms of pages, sent as no page sends them: they are refused or taken, and never break.

Each form of a page of each route is sent with its session's token and one of its fields gone wrong:
what no choice offers, too long, too large, no text at all, sent twice or not at all, as a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from random import Random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clones.core.tenancy import SandboxRow
from episodes.worlds import WorldKey, world_image
from snapshots.library import Library
from snapshots.sandboxes import Sandboxes
from tests.pages_of_clones import LEAVING, SIGN_IN, Window
from tests.tiers import EVERYTHING, SEED

TRIES = 12 if EVERYTHING else 2  # of each form
ODD: list[Any] = [
    "", " ", "0", "-1", "²", "9" * 30, "1e9", "1.5", "NaN", "None", "null", "[]", "{}", "true",
    "a" * 300, "a" * 70_000, "ﬀ\u202e\U0001f525", "a\0b", "\ud800", "%00", "../../etc/passwd",
    "<script>", "'\"--", "{{ticket.id}}", "${jndi:x}", "2026-13-45", "0000-01-01", "9999-12-31",
    "2026-06-16T25:61", "-99999999999999999999", "01", "1,2,x", "a@b", "@", "http://[", "//x",
    '{"type":"doc","version":1,"content":[{"type":"x"}]}', '{"a":' * 300 + "1" + "}" * 300,
    ["1", "2"], [], [""] * 50,
]  # fmt: skip
ODD_NAMES = ("order", "do", "page", "ids", "id", "config", "edit", "tab", "sort", "q", "from")


class Filled(HTMLParser):
    """The forms of a page: where and how each is sent, and what a browser would send."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[tuple[str, str, dict[str, Any]]] = []
        self._fields: dict[str, Any] | None = None
        self._select = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in an element of a form."""
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._fields = {}
            method = given.get("method", "get").lower()
            self.forms.append((method, given.get("action", ""), self._fields))
        elif self._fields is not None and given.get("name"):
            name, kind = given["name"], given.get("type", "")
            if tag == "select":
                self._select = name
                self._fields.setdefault(name, "")
            elif kind in ("checkbox", "radio"):
                if "checked" in given:
                    self._fields[name] = given.get("value", "on")
                else:
                    self._fields.setdefault(name, "")
            elif tag in ("input", "textarea", "button"):
                self._fields.setdefault(name, given.get("value", ""))
        elif tag == "option" and self._select and self._fields is not None and "selected" in given:
            self._fields[self._select] = given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        """Take in the end of a form, or of a select."""
        if tag == "form":
            self._fields = None
        elif tag == "select":
            self._select = ""


@pytest.fixture(scope="module")
def row(sandboxes: Sandboxes, library: Library) -> Iterator[SandboxRow]:
    """A sandbox of the tiny world, rewound after each page."""
    found = sandboxes.create(world_image(library, WorldKey("kestrel", "tiny", 1)))
    yield found
    sandboxes.delete(found.id)


def gone_wrong(fields: dict[str, Any], token: str, chance: Random) -> dict[str, Any]:
    """Return what a form sends with one of its fields gone wrong, the token left alone."""
    sent = dict(fields)
    names = [name for name in sent if name != token] or list(ODD_NAMES)
    name = chance.choice([*names, chance.choice(ODD_NAMES)])
    value: Any = chance.choice(ODD)
    if chance.random() < 0.05:
        value = SimpleUploadedFile("a.bin", b"\xff\x00", content_type="x/y")
    if chance.random() < 0.1:
        sent.pop(name, None)
    else:
        sent[name] = value
    return {
        name: value.encode(errors="surrogatepass").decode("latin-1")
        if isinstance(value, str) and "\ud800" in value
        else value
        for name, value in sent.items()
    }


@pytest.mark.sweeps
@pytest.mark.slow(shares="row")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("clone", sorted(SIGN_IN))
def test_no_form_breaks(row: SandboxRow, sandboxes: Sandboxes, clone: str) -> None:
    chance = Random(f"{clone}{SEED}")
    window = Window(row, clone)
    window.client.raise_request_exception = False
    sandboxes.mark(row.id, f"in-{clone}")
    tried, wrong = 0, list[tuple[Any, ...]]()
    known: set[tuple[str, frozenset[str]]] = set()
    for page in window.pages(1):
        if page.status >= 500:
            wrong.append((page.path, "get", page.status))
            continue
        for method, action, fields in Filled(page.html).forms:
            alike = (window.route_of(action or page.path), frozenset(fields))
            if alike in known or any(word in action for word in LEAVING):
                continue
            known.add(alike)
            token = next((name for name in fields if "token" in name), "")
            for _ in range(TRIES):
                sent = gone_wrong(fields, token, chance)
                call: Any = getattr(window.client, method)
                answer: Any = call(action or page.path, sent)
                tried += 1
                if answer.status_code >= 500:
                    wrong.append((page.path, action, answer.status_code, repr(sent)[:400]))
        sandboxes.rewind(row.id, f"in-{clone}")
    print(f"{clone}: {tried} forms sent")
    assert wrong == []
    assert tried > (2 if clone == "mail" else 200)
