"""Pages that list: tables of things, what can be done with each, and what stands beside them.

    ListPage("Resolutions", "resolutions", [Panel(columns, rows)], acts=[Action("Add", address)])

A page is rows of cells under columns, in panels; acts are links to forms, or buttons that send
something at once. A clone's templates draw them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Model
from django.utils.safestring import SafeString

from clones.core import sightings
from clones.core.web.inputs import Input
from clones.core.web.paging import Page


@dataclass(frozen=True, slots=True)
class Link:
    """A word that leads somewhere; without an address it is only a word."""

    label: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in a cell: a text, where it leads, a line below it, or several links.

    `lozenge` is the look of a status's category, `picture` what stands before the text.
    """

    text: str = ""
    address: str = ""
    below: str = ""
    links: Sequence[Link] = ()
    lozenge: str = ""
    tags: Sequence[str] = ()
    picture: SafeString = field(default_factory=SafeString)


@dataclass(frozen=True, slots=True)
class Action:
    """What can be done: a link to a form, or with `post` a button that sends `sends` at once.

    `about` is what it is done to: it makes the names of a table's links different.
    """

    label: str
    address: str
    about: str = ""
    post: bool = False
    sends: Mapping[str, str] = field(default_factory=dict)
    primary: bool = False
    whole: bool = False  # a page of its own, not one for a dialog
    test_id: str = ""  # what scripts find it by, where a vendor's pages have such names


@dataclass(frozen=True, slots=True)
class ListRow:
    """A line of a table. `record` is what it shows."""

    cells: Sequence[Cell]
    acts: Sequence[Action] = ()
    record: Model | None = None


@dataclass(frozen=True, slots=True)
class Panel:
    """A table, with its heading where a page has several, and what can be done with the whole.

    `order` is the address that a row's key is sent to as `up` or `down`, where rows are moved by
    one form around them all; `order_acts` are buttons of each row's own.
    """

    columns: Sequence[str]
    rows: Sequence[ListRow] = ()
    heading: str = ""
    said: str = ""
    empty: str = "There is nothing here yet."
    acts: Sequence[Action] = ()
    order: str = ""

    @property
    def acted(self) -> bool:
        """Whether anything can be done with a row."""
        return any(row.acts for row in self.rows)

    @property
    def wide(self) -> bool:
        """Whether so much can be done with a row that it takes room."""
        return any(len(row.acts) > 2 for row in self.rows)


@dataclass(frozen=True, slots=True)
class SearchForm:
    """The form above a list: a text to look for, and what else narrows it.

    Without a label nothing can be typed: there is only what narrows the list. `hint` stands in the
    box of the text while it is empty.
    """

    label: str
    text: str
    inputs: Sequence[Input] = ()
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Tab:
    """A view of a list."""

    label: str
    address: str
    current: bool


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of lists; `here` is the key of its entry in the navigation.

    A page of one thing has `crumbs` on, which say of what list it is. `pages` is the part that is
    shown, by the place of its first row or by its number, as the vendor's addresses have it.
    """

    title: str
    here: str
    panels: Sequence[Panel] = ()
    said: str = ""
    acts: Sequence[Action] = ()
    facts: Sequence[tuple[str, Cell]] = ()
    search: SearchForm | None = None
    pages: Page[Any] | None = None
    tabs: Sequence[Tab] = ()
    crumbs: Sequence[Link] = ()
    record: Model | None = None


def linked_row(address: str, *texts: object, record: Model | None = None) -> ListRow:
    """Return a line of texts of which the first leads to an address; None is no text."""
    first, *rest = [Cell("" if text is None else str(text)) for text in texts]
    return ListRow([replace(first, address=address), *rest], record=record)


def note_shown(shown: ListPage) -> None:
    """Note which records a page shows: those of its rows, and the one that it is of."""
    for panel in shown.panels:
        for row in panel.rows:
            if row.record is not None:
                sightings.note(row.record, "list")
    if shown.record is not None:
        sightings.note(shown.record, "detail")


def order_acts(address: str, about: str, *, first: bool, last: bool) -> list[Action]:
    """Return the buttons that move a row: `address` takes `way`, up or down."""
    up = Action("Move up", address, about, post=True, sends={"way": "up"})
    down = Action("Move down", address, about, post=True, sends={"way": "down"})
    return [*([] if first else [up]), *([] if last else [down])]
