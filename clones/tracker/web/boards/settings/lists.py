"""The quick filters and the swimlanes of a board: lists of named queries, in an order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
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
    config_address,
    config_page,
    config_sheet,
    form_of_config,
    page_of_config,
    saved,
    sentences,
)
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.settings.forms import FormPage, Input, chosen, number_of, text_of

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
    sent = _sent(request)
    sheet = _sheet(request, board, QUICK, "Add quick filter", filled=sent, button="Add")
    if request.method != "POST":
        return config_sheet(request, who, board, QUICK, sheet)
    name, jql, about = (sent[key] for key in _FIELDS)
    _, refusal = attempt(
        lambda: add_quick_filter(board, name, jql, description=about, actor=who.rights)
    )
    if refusal is not None:
        return config_sheet(request, who, board, QUICK, sheet.refused(refusal))
    return saved(request, board, QUICK, f"Quick filter {name} added")


@page_of_config
def edit_quick(request: SandboxRequest, who: Visitor, board: Board, row: int) -> HttpResponse:
    """Show the form of a quick filter, or take it."""
    quick = _quick(board, row)
    posted = request.method == "POST"
    sent = _sent(request) if posted else {key: getattr(quick, key) for key in _FIELDS}
    sheet = _sheet(
        request, board, QUICK, f"Edit quick filter {quick.name}", filled=sent, button="Save"
    )
    if not posted:
        return config_sheet(request, who, board, QUICK, sheet)
    name, jql, about = (sent[key] for key in _FIELDS)
    _, refusal = attempt(
        lambda: update_quick_filter(quick, name, jql, description=about, actor=who.rights)
    )
    if refusal is not None:
        return config_sheet(request, who, board, QUICK, sheet.refused(refusal))
    return saved(request, board, QUICK, f"Quick filter {name} saved")


@page_of_config
def delete_quick(request: SandboxRequest, who: Visitor, board: Board, row: int) -> HttpResponse:
    """Ask whether a quick filter is to be deleted, or delete it."""
    quick = _quick(board, row)
    if request.method != "POST":
        sheet = _question(request, board, QUICK, f"Delete quick filter {quick.name}?")
        return config_sheet(request, who, board, QUICK, sheet)
    delete_quick_filter(quick, actor=who.rights)
    return saved(request, board, QUICK, f"Quick filter {quick.name} deleted")


@form_of_config
def order_quick(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Put the quick filter `item` at the place `place`, counted from 0."""
    quick = _quick(board, number_of(text_of(request, "item")) or 0)
    place = number_of(text_of(request, "place")) or 0
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
    wanted = text_of(request, "swimlanes")
    _, refusal = attempt(lambda: set_swimlanes(board, wanted, actor=who.rights))
    if refusal is not None:
        return _lanes_page(request, who, board, sentences(refusal))
    return saved(request, board, LANES, "Swimlanes saved")


@page_of_config
def new_lane(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show the form of a new swimlane, or take it."""
    sent = _sent(request)
    sheet = _sheet(request, board, LANES, "Add swimlane", filled=sent, button="Add")
    if request.method != "POST":
        return config_sheet(request, who, board, LANES, sheet)
    name, jql, about = (sent[key] for key in _FIELDS)
    _, refusal = attempt(lambda: add_lane(board, name, jql, about, actor=who.rights))
    if refusal is not None:
        return config_sheet(request, who, board, LANES, sheet.refused(refusal))
    return saved(request, board, LANES, f"Swimlane {name} added")


@page_of_config
def edit_lane(request: SandboxRequest, who: Visitor, board: Board, row: int) -> HttpResponse:
    """Show the form of a swimlane, or take it."""
    lane = find_lane(board, row)
    posted = request.method == "POST"
    sent = _sent(request) if posted else {key: getattr(lane, key) for key in _FIELDS}
    sheet = _sheet(request, board, LANES, f"Edit swimlane {lane.name}", filled=sent, button="Save")
    if not posted:
        return config_sheet(request, who, board, LANES, sheet)
    wanted: QueryLane = replace(lane, **sent)
    _, refusal = attempt(lambda: update_lane(board, wanted, actor=who.rights))
    if refusal is not None:
        return config_sheet(request, who, board, LANES, sheet.refused(refusal))
    return saved(request, board, LANES, f"Swimlane {wanted.name} saved")


@page_of_config
def remove_lane(request: SandboxRequest, who: Visitor, board: Board, row: int) -> HttpResponse:
    """Ask whether a swimlane is to be deleted, or delete it."""
    lane = find_lane(board, row)
    if request.method != "POST":
        sheet = _question(request, board, LANES, f"Delete swimlane {lane.name}?")
        return config_sheet(request, who, board, LANES, sheet)
    delete_lane(board, lane, actor=who.rights)
    return saved(request, board, LANES, f"Swimlane {lane.name} deleted")


@form_of_config
def order_lanes(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Put the swimlane `item` at the place `place`, counted from 0."""
    lane = find_lane(board, number_of(text_of(request, "item")) or 0)
    move_lane(board, lane, number_of(text_of(request, "place")) or 0, actor=who.rights)
    return saved(request, board, LANES, f"Swimlane {lane.name} moved")


def _sent(request: SandboxRequest) -> dict[str, str]:
    return {key: text_of(request, key) for key in _FIELDS}


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
        Input("name", "Name", value=filled["name"], required=True),
        Input("jql", "JQL", "area", filled["jql"], hint="Such as: assignee = currentUser()"),
        Input("description", "Description", value=filled["description"]),
    ]
    return FormPage(heading, request.path, config_address(board, name), inputs, button)


def _question(request: SandboxRequest, board: Board, name: str, heading: str) -> FormPage:
    back = config_address(board, name)
    return FormPage(heading, request.path, back, button="Delete", danger=True)
