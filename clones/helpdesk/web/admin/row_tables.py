"""Rows inside a form: the choices of a field, the hours of a schedule.

Inputs are called `<prefix>-<row>-<name>`. A button that adds, removes or moves a row sends the
whole form; the page comes back with the rows as they then are, and nothing is saved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict

from clones.helpdesk.web.properties import FieldView

Row = dict[str, str]
MOST = 2000


@dataclass(frozen=True, slots=True)
class RowView:
    """A row as it is shown: fixed words, what it carries unseen, its fields."""

    head: str
    hidden: tuple[tuple[str, str], ...]
    fields: tuple[FieldView, ...]
    can_go: bool = True


@dataclass(frozen=True, slots=True)
class RowTable:
    """The rows of one form. With `choice`, what is added is chosen there."""

    prefix: str
    label: str
    headings: tuple[str, ...]
    rows: tuple[RowView, ...]
    add_label: str
    ordered: bool = False
    can_add: bool = True
    choice: FieldView | None = None
    empty: str = "None yet."
    error: str = ""


def sent_rows(post: QueryDict, prefix: str, names: Sequence[str]) -> list[Row]:
    """Return the rows that a form sent, under the names asked for.

    What an input of several values sent is one text with spaces between.
    """
    text = post.get(f"{prefix}-count", "0")
    count = min(int(text), MOST) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    return [
        {name: " ".join(post.getlist(f"{prefix}-{index}-{name}")).strip() for name in names}
        for index in range(count)
    ]


def asks_for_rows(post: QueryDict) -> bool:
    """Tell whether a form was sent by a button of its rows rather than to be saved."""
    return bool(post.get("do"))


def edited_rows(post: QueryDict, prefix: str, rows: Sequence[Row], blank: Row) -> list[Row]:
    """Return rows after what a button asked for: another one, one less, or two exchanged."""
    found = list(rows)
    where, _, rest = post.get("do", "").partition(":")
    what, _, place = rest.partition(":")
    if where != prefix:
        return found
    if what == "add":
        return [*found, dict(blank)] if len(found) < MOST else found
    if not (place.isascii() and place.isdigit()) or int(place[:6]) >= len(found):
        return found
    at = int(place[:6])
    row = found.pop(at)
    if what == "up":
        found.insert(max(at - 1, 0), row)
    elif what == "down":
        found.insert(at + 1, row)
    elif what != "remove":
        found.insert(at, row)
    return found


def input_name(prefix: str, index: int, name: str) -> str:
    """Return what an input of a row is called."""
    return f"{prefix}-{index}-{name}"


def hidden(prefix: str, index: int, values: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return what a row carries unseen, by the names of its inputs."""
    return tuple((input_name(prefix, index, name), value) for name, value in values.items())
