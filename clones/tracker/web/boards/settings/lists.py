"""The quick filters and the swimlanes of a board: lists of named queries, in an order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.posted import posted_text
from clones.tracker.domain.board_configuration import (
    add_quick_filter,
    delete_quick_filter,
    set_swimlanes,
    update_quick_filter,
)
from clones.tracker.domain.board_settings import (
    add_lane,
    delete_lane,
    find_lane,
    move_lane,
    move_quick_filter,
    update_lane,
)
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import Board, QuickFilter
from clones.tracker.rules.board_settings import QueryLane, lanes_of
from clones.tracker.web.access import Visitor
from clones.tracker.web.boards.settings.frame import (
    ask,
    config_address,
    config_page,
    form_of_config,
    page_of_config,
    saved,
    sentences,
)
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.settings.forms import FormPage, Input, chosen, number_of

QUICK: Final = "quickFilters"
LANES: Final = "swimlanes"
GROUPINGS: Final = {
    "none": "None",
    "query": "Queries",
    "parent": "Epics",
    "assignee": "Assignees",
    "project": "Spaces",
}
_FIELDS: Final = ("name", "jql", "description")


@dataclass(frozen=True, slots=True)
class NamedQueryRow:
    """A line of a list: a named query in its place."""

    id: int
    name: str
    jql: str
    description: str
    place: int


@page_of_config
def show_quick(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show the quick filters."""
    rows = board.quick_filters.order_by("position", "id")
    context = {
        "rows": [
            NamedQueryRow(one.id, one.name, one.jql, one.description, at)
            for at, one in enumerate(rows)
        ],
        "thing": "quick filter",
    }
    return config_page(request, who, board, QUICK, context)


@page_of_config
def add_quick(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show the form of a new quick filter, or take it."""
    sheet = _sheet(request, board, QUICK, "Add quick filter", filled={}, button="Add")

    def write(sent: PageForm) -> str:
        name, jql, about = map(sent.text, _FIELDS)
        add_quick_filter(board, name, jql, description=about, actor=who.rights)
        return f"Quick filter {name} added"

    return ask(request, who, board, sheet, write, name=QUICK)


@page_of_config
def edit_quick(request: SandboxRequest, who: Visitor, board: Board, row: int) -> HttpResponse:
    """Show the form of a quick filter, or take it."""
    quick = _quick(board, row)
    filled = {key: getattr(quick, key) for key in _FIELDS}
    heading = f"Edit quick filter {quick.name}"
    sheet = _sheet(request, board, QUICK, heading, filled=filled, button="Save")

    def write(sent: PageForm) -> str:
        name, jql, about = map(sent.text, _FIELDS)
        update_quick_filter(quick, name, jql, description=about, actor=who.rights)
        return f"Quick filter {name} saved"

    return ask(request, who, board, sheet, write, name=QUICK)


@page_of_config
def delete_quick(request: SandboxRequest, who: Visitor, board: Board, row: int) -> HttpResponse:
    """Ask whether a quick filter is to be deleted, or delete it."""
    quick = _quick(board, row)
    sheet = _question(request, board, QUICK, f"Delete quick filter {quick.name}?")

    def write(_sent: PageForm) -> str:
        delete_quick_filter(quick, actor=who.rights)
        return f"Quick filter {quick.name} deleted"

    return ask(request, who, board, sheet, write, name=QUICK)


@form_of_config
def order_quick(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Put the quick filter `item` at the place `place`, counted from 0."""
    quick = _quick(board, number_of(posted_text(request, "item")) or 0)
    place = number_of(posted_text(request, "place")) or 0
    move_quick_filter(quick, place, actor=who.rights)
    return saved(request, board, QUICK, f"Quick filter {quick.name} moved")


def _quick(board: Board, key: int) -> QuickFilter:
    found = board.quick_filters.filter(id=key).select_related("board").first()
    if found is None:
        raise NotFound("The requested quick filter does not exist.")
    return found


@page_of_config
def show_lanes(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show what the board's lanes are made by."""
    return _lanes_page(request, who, board)


def _lanes_page(
    request: SandboxRequest, who: Visitor, board: Board, problems: Sequence[str] = ()
) -> HttpResponse:
    rows = [
        NamedQueryRow(one.id, one.name, one.jql, one.description, at)
        for at, one in enumerate(lanes_of(board.settings))
    ]
    grouping = Input(
        "swimlanes",
        "Base swimlanes on",
        "select",
        choices=chosen(GROUPINGS.items(), [board.swimlanes]),
    )
    context = {
        "rows": rows,
        "thing": "swimlane",
        "grouping": grouping,
        "by_query": board.swimlanes == "query",
    }
    return config_page(request, who, board, LANES, context, problems=problems)


@form_of_config
def base_lanes(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Say what lanes are made by."""
    wanted = posted_text(request, "swimlanes")
    _, refusal = attempt(lambda: set_swimlanes(board, wanted, actor=who.rights))
    if refusal is not None:
        return _lanes_page(request, who, board, sentences(refusal))
    return saved(request, board, LANES, "Swimlanes saved")


@page_of_config
def new_lane(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show the form of a new swimlane, or take it."""
    sheet = _sheet(request, board, LANES, "Add swimlane", filled={}, button="Add")

    def write(sent: PageForm) -> str:
        name, jql, about = map(sent.text, _FIELDS)
        add_lane(board, name, jql, about, actor=who.rights)
        return f"Swimlane {name} added"

    return ask(request, who, board, sheet, write, name=LANES)


@page_of_config
def edit_lane(request: SandboxRequest, who: Visitor, board: Board, row: int) -> HttpResponse:
    """Show the form of a swimlane, or take it."""
    lane = find_lane(board, row)
    filled = {key: getattr(lane, key) for key in _FIELDS}
    heading = f"Edit swimlane {lane.name}"
    sheet = _sheet(request, board, LANES, heading, filled=filled, button="Save")

    def write(sent: PageForm) -> str:
        name, jql, about = map(sent.text, _FIELDS)
        wanted: QueryLane = replace(lane, name=name, jql=jql, description=about)
        update_lane(board, wanted, actor=who.rights)
        return f"Swimlane {wanted.name} saved"

    return ask(request, who, board, sheet, write, name=LANES)


@page_of_config
def remove_lane(request: SandboxRequest, who: Visitor, board: Board, row: int) -> HttpResponse:
    """Ask whether a swimlane is to be deleted, or delete it."""
    lane = find_lane(board, row)
    sheet = _question(request, board, LANES, f"Delete swimlane {lane.name}?")

    def write(_sent: PageForm) -> str:
        delete_lane(board, lane, actor=who.rights)
        return f"Swimlane {lane.name} deleted"

    return ask(request, who, board, sheet, write, name=LANES)


@form_of_config
def order_lanes(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Put the swimlane `item` at the place `place`, counted from 0."""
    lane = find_lane(board, number_of(posted_text(request, "item")) or 0)
    move_lane(board, lane, number_of(posted_text(request, "place")) or 0, actor=who.rights)
    return saved(request, board, LANES, f"Swimlane {lane.name} moved")


def _sheet(
    request: SandboxRequest,
    board: Board,
    name: str,
    heading: str,
    *,
    filled: dict[str, str],
    button: str,
) -> FormPage:
    inputs = [
        Input("name", "Name", value=filled.get("name", ""), required=True),
        Input(
            "jql", "JQL", "area", filled.get("jql", ""), hint="Such as: assignee = currentUser()"
        ),
        Input("description", "Description", value=filled.get("description", "")),
    ]
    return FormPage(heading, request.path, config_address(board, name), inputs, button)


def _question(request: SandboxRequest, board: Board, name: str, heading: str) -> FormPage:
    back = config_address(board, name)
    return FormPage(heading, request.path, back, button="Delete", danger=True)
