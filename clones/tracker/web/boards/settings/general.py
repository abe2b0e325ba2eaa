"""The general settings of a board: its name, admins, filter and place; its estimates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.posted import posted_text
from clones.tracker.domain.board_configuration import (
    TIME,
    rename_board,
    set_estimation,
    set_sub_query,
)
from clones.tracker.domain.board_settings import NO_FILTER, set_admins, set_filter, set_location
from clones.tracker.domain.boards import delete_board
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.models import Board, BoardAdmin, CustomField, Filter, Group, User
from clones.tracker.queries.agile_fields import FLOAT, STORY_POINTS
from clones.tracker.queries.boards import has_sprints
from clones.tracker.queries.rights import Rights, find_project, visible_projects
from clones.tracker.queries.sharing import visible_filters
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
from clones.tracker.web.settings.forms import FormPage, Input, chosen, number_of, people

NAME: Final = "general"
ESTIMATION: Final = "estimation"
OFFERED: Final = 500
COUNT: Final = "issueCount"


@page_of_config
def show(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show the general settings."""
    return _page(request, who, board)


def _page(
    request: SandboxRequest, who: Visitor, board: Board, problems: Sequence[str] = ()
) -> HttpResponse:
    rows = BoardAdmin.objects.filter(board=board).select_related("user", "group").order_by("id")
    users = [row.user for row in rows if row.user is not None]
    groups = [row.group for row in rows if row.group is not None]
    context: dict[str, Any] = {
        "users": users,
        "groups": groups,
        "types": {"scrum": "Scrum", "kanban": "Kanban", "simple": "Team-managed"}[board.type],
        "name": Input("name", "Board name", value=board.name, required=True),
        "filter": _filter_input(board, who.rights),
        "location": _location_input(board, who.rights),
        "sub_query": Input("jql", "Kanban board sub-filter", "area", board.sub_query),
        "deletable": board.type != "simple",
        "kanban": board.type == "kanban",
    }
    return config_page(request, who, board, NAME, context, problems=problems)


def _filter_input(board: Board, rights: Rights) -> Input:
    rows = [*visible_filters(rights).order_by("name", "id")[:OFFERED]]
    if board.filter not in rows:
        rows.insert(0, board.filter)
    choices = chosen(((row.id, row.name) for row in rows), [board.filter_id])
    return Input("filter", "Saved filter", "select", choices=choices)


def _location_input(board: Board, rights: Rights) -> Input:
    rows = [*visible_projects(rights).filter(archived_at=None)[:OFFERED]]
    owner = board.owner.display_name if board.owner is not None else "Its owner"
    now = [] if board.project is None else [board.project.key]
    choices = chosen(((row.key, f"{row.name} ({row.key})") for row in rows), now)
    return Input("space", "Location", "select", choices=choices, none=owner)


def _written(
    request: SandboxRequest, who: Visitor, board: Board, write: Callable[[], object], flag: str
) -> HttpResponse:
    _, refusal = attempt(write)
    if refusal is not None:
        board.refresh_from_db()
        return _page(request, who, board, sentences(refusal))
    return saved(request, board, NAME, flag)


@form_of_config
def rename(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Give the board another name."""
    name = posted_text(request, "name")
    return _written(
        request,
        who,
        board,
        lambda: rename_board(board, name, actor=who.rights),
        "Board name saved",
    )


@form_of_config
def refilter(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Put the board over another filter."""
    key = number_of(posted_text(request, "filter"))

    def write() -> Board:
        found = Filter.objects.filter(id=key).first() if key is not None else None
        if found is None:
            raise Invalid(fields={"filter": NO_FILTER})
        return set_filter(board, found, actor=who.rights)

    return _written(request, who, board, write, "Filter saved")


@form_of_config
def relocate(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Put the board into a space, or to its owner."""
    key = posted_text(request, "space")
    space = find_project(who.rights, key) if key else None
    _, refusal = attempt(lambda: set_location(board, space, actor=who.rights))
    if refusal is not None:
        return _page(request, who, board, sentences(refusal))
    return saved(request, board, NAME, "Location saved")


@form_of_config
def narrow(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Give a kanban board another sub-filter."""
    if board.type != "kanban":
        raise NotFound("This board has no sub-filter.")
    jql = posted_text(request, "jql")
    return _written(
        request,
        who,
        board,
        lambda: set_sub_query(board, jql, actor=who.rights),
        "Sub-filter saved",
    )


@page_of_config
def administrators(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show the form of those who may change the board, or take it."""
    rows = BoardAdmin.objects.filter(board=board)
    accounts = [*rows.exclude(user=None).values_list("user__account_id", flat=True)]
    uuids = [*rows.exclude(group=None).values_list("group__uuid", flat=True)]
    staff = User.objects.filter(account_type="atlassian").order_by("display_name", "id")
    listed = [one for one in staff[:OFFERED] if one.active or one.account_id in accounts]
    groups = [*Group.objects.order_by("name", "id")[:OFFERED]]
    sheet = FormPage(
        "Edit administrators",
        request.path,
        config_address(board, NAME),
        [
            Input("users", "People", "multiple", choices=people(listed, accounts)),
            Input(
                "groups",
                "Groups",
                "multiple",
                choices=chosen(((one.uuid, one.name) for one in groups), uuids),
            ),
        ],
    )

    def write(sent: PageForm) -> tuple[str, str]:
        accounts, uuids = sent.several("users"), sent.several("groups")
        users = [one for one in listed if one.account_id in accounts]
        wanted = [one for one in groups if one.uuid in uuids]
        set_admins(board, users, wanted, actor=who.rights)
        stays = who.rights.is_admin or who.user in users or board.owner == who.user
        # Who is off the list may see the settings no more.
        back = sheet.back if stays else f"/jira/boards?contains={board.name}"
        return "Administrators saved", back

    return ask(request, who, board, sheet, write, name=NAME)


@page_of_config
def delete(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Ask whether the board is to be deleted, or delete it: its issues stay."""
    sheet = FormPage(
        f"Delete board {board.name}?",
        request.path,
        config_address(board, NAME),
        button="Delete",
        said="The board goes for good. Its work items, its filter and its sprints stay.",
        danger=True,
    )

    def write(_sent: PageForm) -> tuple[str, str]:
        name = board.name
        delete_board(board, actor=who.rights)
        return f"Board {name} deleted", "/jira/boards"

    return ask(request, who, board, sheet, write, name=NAME)


@page_of_config
def show_estimation(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Show by what the board's sprints are estimated."""
    return _estimation_page(request, who, board)


def _estimation_page(
    request: SandboxRequest, who: Visitor, board: Board, problems: Sequence[str] = ()
) -> HttpResponse:
    if not has_sprints(board):
        raise NotFound("This board has no sprints to estimate.")
    fields = CustomField.objects.filter(type__in=[FLOAT, STORY_POINTS], trashed_at=None)
    if board.type != "simple":
        fields = fields.filter(project=None)
    rows = [
        *((field.key, field.name) for field in fields.order_by("name", "id")),
        (TIME, "Original time estimate"),
        (COUNT, "Work item count"),
    ]
    now = [board.estimation or COUNT]
    statistic = Input("estimation", "Estimation statistic", "select", choices=chosen(rows, now))
    return config_page(request, who, board, ESTIMATION, {"statistic": statistic}, problems=problems)


@form_of_config
def estimate(request: SandboxRequest, who: Visitor, board: Board) -> HttpResponse:
    """Say by what the board's sprints are estimated."""
    wanted = posted_text(request, "estimation")
    field = None if wanted == COUNT else wanted
    _, refusal = attempt(lambda: set_estimation(board, field, actor=who.rights))
    if refusal is not None:
        return _estimation_page(request, who, board, sentences(refusal))
    return saved(request, board, ESTIMATION, "Estimation statistic saved")
