"""Boards."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from pydantic import Field

from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList
from clones.tracker.api.agile.pages import AGILE, agile_page
from clones.tracker.api.operations import Body, Query, actor, flag, operation, show
from clones.tracker.api.paging import number_of
from clones.tracker.api.presenters.agile import (
    present_board,
    present_board_of_filter,
    present_boards,
    present_hidden_board,
)
from clones.tracker.domain import boards
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.models import Board, Project
from clones.tracker.queries.boards import boards_about, find_any_board, visible_boards
from clones.tracker.queries.rights import find_project

Json = dict[str, Any]


class BoardsQuery(Query):
    """Filters, order and expansions of the list of boards."""

    type: CommaList[str] = []
    name: str | None = None
    project: str | None = Field(None, alias="projectKeyOrId")
    account: str | None = Field(None, alias="accountIdLocation")
    location: str | None = Field(None, alias="projectLocation")
    location_types: CommaList[str] = Field([], alias="projectTypeLocation")
    private: bool | None = Field(None, alias="includePrivate")
    negate: bool | None = Field(None, alias="negateLocationFiltering")
    filter: str | None = Field(None, alias="filterId")
    order: str | None = Field(None, alias="orderBy")
    expand: CommaList[str] = []


class LocationBody(Body):
    """The location of a board: the space or the user that it is listed under."""

    type: str | None = None
    project: str | int | None = Field(None, alias="projectKeyOrId")


class BoardBody(Body):
    """A board to create: its name, type, filter and location."""

    name: str | None = None
    type: str | None = None
    filter: int | None = Field(None, alias="filterId")
    location: LocationBody | None = None


@operation(
    "agile.getAllBoards",
    "GET",
    f"{AGILE}/board",
    summary="List boards: of a type, by a part of their name, of a space or a person, by filter.",
    query=BoardsQuery,
)
def list_boards(call: Call) -> Json:
    """List the boards that the caller sees; for admins, where they ask, the others after them."""
    asked: BoardsQuery = call.query
    rights, view = actor(call), show(call)
    rows = _ordered(_located(call, _narrowed(call, visible_boards(rights))), asked.order)
    expand = asked.expand
    if not (asked.private and rights.is_admin):
        return agile_page(call, rows, lambda page: present_boards(page, view, expand=expand))
    seen = visible_boards(rights).order_by().values("id")
    every: list[Board] = [*rows, *Board.objects.exclude(id__in=seen).order_by("id")]
    known = set(visible_boards(rights).values_list("id", flat=True))
    return agile_page(
        call,
        every,
        lambda page: [
            present_board(board, view) if board.id in known else present_hidden_board(board, view)
            for board in page
        ],
    )


def _narrowed(call: Call, rows: QuerySet[Board]) -> QuerySet[Board]:
    asked: BoardsQuery = call.query
    kinds = asked.type
    if set(kinds) - set(Board.TYPES):
        raise Invalid(f"'{','.join(kinds)}' is not a valid board type.")
    if kinds:
        rows = rows.filter(type__in=kinds)
    if asked.name:
        rows = rows.filter(name__icontains=asked.name)
    if asked.filter:
        rows = rows.filter(filter=number_of(call, "filterId", 0))
    if asked.project:
        rows = rows.filter(id__in=boards_about(_space(call, asked.project), rows))
    return rows


def _located(call: Call, rows: QuerySet[Board]) -> QuerySet[Board]:
    asked: BoardsQuery = call.query
    where: dict[str, Any] = {}
    if asked.account:
        where |= {"project": None, "owner__account_id": asked.account}
    if asked.location:
        where["project"] = _space(call, asked.location)
    kinds = asked.location_types
    if kinds:
        where["project__type__in"] = kinds
    if not where:
        return rows
    return rows.exclude(**where) if flag(asked.negate) else rows.filter(**where)


def _ordered(rows: QuerySet[Board], order: str | None) -> QuerySet[Board]:
    if not order:
        return rows
    if order.lstrip("+- ") != "name":
        raise Invalid(f"'{order}' is not a valid value for the parameter 'orderBy'.")
    return rows.order_by("-name" if order.startswith("-") else "name", "id")


def _space(call: Call, id_or_key: str) -> Project:
    """Return the space that a parameter names; to name none is the parameter's fault."""
    try:
        return find_project(actor(call), id_or_key)
    except NotFound as error:
        raise Invalid(*error.messages) from error


@operation(
    "agile.createBoard",
    "POST",
    f"{AGILE}/board",
    summary="Create a board over a filter, in a space or for oneself.",
    body=BoardBody,
    status=201,
)
def create_board(call: Call) -> Json:
    """Create a board."""
    asked: BoardBody = call.body
    location = asked.location or LocationBody(type="user", projectKeyOrId=None)
    space: Project | None = None
    if location.type == "project":
        if location.project is None:
            text = "The project of the location must be specified."
            raise Invalid(fields={"location": text})
        space = _space(call, str(location.project))
    elif location.type != "user":
        raise Invalid(fields={"location": "The location type must be one of: project, user."})
    made = boards.create_board(
        name=asked.name, type=asked.type, filter_id=asked.filter, project=space, actor=actor(call)
    )
    return present_board(made, show(call))


@operation(
    "agile.getBoard",
    "GET",
    f"{AGILE}/board/{{board:int}}",
    summary="Show a board.",
)
def show_board(call: Call) -> Json:
    """Show a board; an admin who does not see it learns that it is private."""
    board, seen = find_any_board(actor(call), call.path["board"])
    view = show(call)
    if not seen:
        return present_hidden_board(board, view)
    view.note(board, "detail")
    return present_board(board, view)


@operation(
    "agile.deleteBoard",
    "DELETE",
    f"{AGILE}/board/{{board:int}}",
    summary="Delete a board. Its filter, sprints and issues stay.",
    status=204,
)
def delete_board(call: Call) -> Reply:
    """Delete a board."""
    rights = actor(call)
    board, _ = find_any_board(rights, call.path["board"])
    boards.delete_board(board, actor=rights)
    return Reply(None, 204)


@operation(
    "agile.getBoardByFilterId",
    "GET",
    f"{AGILE}/board/filter/{{filter:int}}",
    summary="List the boards over a filter.",
)
def list_boards_of_filter(call: Call) -> Json:
    """List the boards over a filter."""
    view = show(call)
    rows = visible_boards(actor(call)).filter(filter=call.path["filter"])
    present = lambda page: [present_board_of_filter(board, view) for board in page]  # noqa: E731 - passed on
    return agile_page(call, rows, present)
