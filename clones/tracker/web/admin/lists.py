"""The pages of the administration: tables of things, what can be done with each, and beside them.

    return admin_view(request, who, AdminPage("Resolutions", "resolutions", [Panel(columns, rows)]))

A page is rows of cells under columns, in panels; acts are links to forms (which open in a dialog),
or buttons that send something at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

from django.db.models import Model, QuerySet
from django.http import HttpResponse
from django.utils.safestring import SafeString

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.models import Project
from clones.tracker.rules.ordering import FIRST
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.navigation import address_of, label_of
from clones.tracker.web.admin.side import side_of
from clones.tracker.web.settings.forms import Input, number_of
from clones.tracker.web.shell import page
from clones.tracker.web.vocabulary import say

SIZE: Final = 50
SPACES_NAMED: Final = 3
Row_ = TypeVar("Row_", bound=Model)


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
class Act:
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


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table. `record` is what it shows."""

    cells: Sequence[Cell]
    acts: Sequence[Act] = ()
    record: Model | None = None


@dataclass(frozen=True, slots=True)
class Panel:
    """A table, with its heading where a page has several, and what can be done with the whole."""

    columns: Sequence[str]
    rows: Sequence[Row]
    heading: str = ""
    said: str = ""
    empty: str = "There is nothing here yet."
    acts: Sequence[Act] = ()

    @property
    def acted(self) -> bool:
        """Whether anything can be done with a row."""
        return any(row.acts for row in self.rows)

    @property
    def wide(self) -> bool:
        """Whether so much can be done with a row that it takes room."""
        return any(len(row.acts) > 2 for row in self.rows)


@dataclass(frozen=True, slots=True)
class Search:
    """The form above a list: a text to look for, and what else narrows it."""

    label: str
    text: str
    inputs: Sequence[Input] = ()


@dataclass(frozen=True, slots=True)
class Pages:
    """Which part of a list is shown, and the queries of the parts before and after it."""

    first: int
    last: int
    total: int
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Tab:
    """A view of a list."""

    label: str
    address: str
    current: bool


@dataclass(frozen=True, slots=True)
class AdminPage:
    """A page of the administration; `here` is the key of its entry in the sidebar.

    A page of one thing has `crumbs` on, which say of what list it is.
    """

    title: str
    here: str
    panels: Sequence[Panel] = ()
    said: str = ""
    acts: Sequence[Act] = ()
    facts: Sequence[tuple[str, Cell]] = ()
    search: Search | None = None
    pages: Pages | None = None
    tabs: Sequence[Tab] = ()
    crumbs: Sequence[Link] = ()
    record: Model | None = None


def admin_view(request: SandboxRequest, who: Visitor, shown: AdminPage) -> HttpResponse:
    """Return a page of the administration."""
    if shown.title == label_of(shown.here):  # else it is a name that somebody gave
        shown = replace(shown, title=say(shown.title))
    for panel in shown.panels:
        for row in panel.rows:
            if row.record is not None:
                sightings.note(row.record, "list")
    if shown.record is not None:
        sightings.note(shown.record, "detail")
    context: dict[str, Any] = {"shown": shown, "groups": side_of(shown.here), "here": shown.here}
    return page(
        request, who, "tracker/admin/page.html", context, title=shown.title, active="settings"
    )


def crumbs_of(here: str, *more: Link) -> list[Link]:
    """Return the way to a page of one thing: the list that it is of."""
    return [Link(say(label_of(here)), address_of(here)), *more]


def paged(
    request: SandboxRequest, rows: QuerySet[Row_], *, size: int = SIZE
) -> tuple[list[Row_], Pages]:
    """Return the part of a list that the query asks for (`startAt`), and where it stands."""
    total = rows.count()
    at = min(number_of(request.GET.get("startAt", "")) or 0, total)
    found = list(rows[at : at + size])
    before = _query(request, max(at - size, 0)) if at else ""
    after = _query(request, at + size) if at + size < total else ""
    return found, Pages(at + 1 if found else 0, at + len(found), total, before, after)


def _query(request: SandboxRequest, at: int) -> str:
    asked = {name: request.GET.getlist(name) for name in request.GET if name != "startAt"}
    return urlencode({**asked, "startAt": [str(at)]}, doseq=True)


def spaces_cell(projects: Iterable[Project]) -> Cell:
    """Return the spaces that use something: the first by name, and how many more there are."""
    found = sorted(projects, key=lambda one: (one.name.casefold(), one.id))
    links = [Link(one.name, f"/browse/{one.key}") for one in found[:SPACES_NAMED]]
    rest = len(found) - len(links)
    if rest:
        links.append(Link(f"{rest} more"))
    return Cell(links=links) if links else Cell(below="None")


def moving(order: Sequence[int], key: int, way: str) -> dict[str, str | None]:
    """Return where a thing of a list goes that moves up or down: `after`, or `position`."""
    at = order.index(key) + (-1 if way == "up" else 1)
    rest = [one for one in order if one != key]
    at = min(max(at, 0), len(rest))
    if at == 0:
        return {"after": None, "position": FIRST}
    return {"after": str(rest[at - 1]), "position": None}


def order_acts(address: str, about: str, *, first: bool, last: bool) -> list[Act]:
    """Return the buttons that move a row: `address` takes `way`, up or down."""
    up = Act("Move up", address, about, post=True, sends={"way": "up"})
    down = Act("Move down", address, about, post=True, sends={"way": "down"})
    return [*([] if first else [up]), *([] if last else [down])]
