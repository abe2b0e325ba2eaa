"""Rows inside of a form, which are added, removed and moved without a script.

    table = RowTable("hours", "Weekly hours", ("Opens", "Closes"), ("start", "end"), line, rows)
    FormPage("Schedule", "", LIST, inputs, tables=[table])

    def write(sent):
        for row in sent.rows("hours"):
            row["start"]

The inputs of a row are called `<prefix>-<row>-<name>`, and `<prefix>-count` says how many rows
there are. A button that adds, removes or moves a row sends the whole form; the page comes back with
the rows as they then are, and nothing is written. In Django's formsets all rows have the same
inputs, and are moved by numbers that somebody types; here inputs may follow what a row holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from django.http import QueryDict

from clones.core.web.inputs import ROWS_BUTTON, Input, number_of

Row = dict[str, str]
CHOSEN: Final = "id"  # what a row has that was chosen to be added
MOST: Final = 2000
_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row as it is drawn: fixed words, inputs under their names in the row, what goes unseen."""

    inputs: Sequence[Input] = ()
    head: str = ""
    hidden: Mapping[str, str] = field(default_factory=dict)
    can_go: bool = True


@dataclass(frozen=True, slots=True)
class RowTable:
    """The rows of a form.

    Args:
        prefix: what the names of its inputs begin with.
        label: its name for those who fill it in.
        headings: those of its columns.
        names: what a row holds.
        line: how a row is drawn, by its number from 1 and what it holds.
        rows: those that there are: before anything is sent, or as they were sent.
        add_label: what the button that adds a row says.
        blank: what a new row holds.
        ordered: whether rows can be moved.
        choice: the select of what can be added to rows, None if nothing can; what is chosen there
            is the `id` of the new row. Without it rows are added blank.
        empty: what stands there without a row.
        error: what was refused of the rows.
    """

    prefix: str
    label: str
    headings: Sequence[str]
    names: Sequence[str]
    line: Callable[[int, Row], TableRow]
    rows: Sequence[Row] = ()
    add_label: str = "Add"
    blank: Row = field(default_factory=dict)
    ordered: bool = False
    choice: Callable[[Sequence[Row]], Input | None] | None = None
    empty: str = "None yet."
    error: str = ""

    @property
    def lines(self) -> list[TableRow]:
        """The rows as they are drawn, their inputs under their names in the form."""
        found = [self.line(place + 1, row) for place, row in enumerate(self.rows)]
        for place, line in enumerate(found):
            for one in line.inputs:
                one.name = f"{self.prefix}-{place}-{one.name}"
        return found

    @property
    def has_choice(self) -> bool:
        """Whether what is added is chosen."""
        return self.choice is not None

    @property
    def chooser(self) -> Input | None:
        """The select of what can be added."""
        return None if self.choice is None else self.choice(self.rows)

    def sent(self, data: QueryDict) -> RowTable:
        """Return the table as it was sent, after what one of its buttons asked for."""
        count = min(_place(data.get(f"{self.prefix}-count", "")) or 0, MOST)
        rows = [
            {
                # What an input of several values sent is one text with spaces between.
                name: " ".join(data.getlist(f"{self.prefix}-{place}-{name}")).strip()
                for name in self.names
            }
            for place in range(count)
        ]
        where, _, rest = data.get(ROWS_BUTTON, "").partition(":")
        if where == self.prefix:
            what, _, place = rest.partition(":")
            rows = self._added(rows, data) if what == "add" else _moved(rows, what, _place(place))
        return replace(self, rows=rows)

    def _added(self, rows: list[Row], data: QueryDict) -> list[Row]:
        """Return rows with a new one at the end: blank, or what was chosen of what can be added."""
        new = {name: self.blank.get(name, "") for name in self.names}
        if self.choice is not None:
            chooser = self.choice(rows)
            new[CHOSEN] = data.get(chooser.name, "") if chooser is not None else ""
            if not new[CHOSEN]:
                return rows
        return [*rows, new] if len(rows) < MOST else rows


def _place(text: str) -> int | None:
    """Return the number of a row, or how many there are."""
    return number_of(text) if len(text) < _DIGITS else None


def _moved(rows: Sequence[Row], what: str, at: int | None) -> list[Row]:
    """Return rows with one moved up or down, or removed."""
    found = list(rows)
    if at is None or at >= len(found) or what not in ("up", "down", "remove"):
        return found
    row = found.pop(at)
    if what != "remove":
        found.insert(max(at - 1, 0) if what == "up" else at + 1, row)
    return found
