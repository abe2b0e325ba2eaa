"""What boards are made of, and which spaces, versions, epics and sprints they are about."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Case, IntegerField, Value, When

from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.agile.pages import AGILE, agile_page
from clones.tracker.api.operations import Body, Query, actor, flag, operation, show
from clones.tracker.api.paging import each
from clones.tracker.api.presenters.agile import (
    present_board_project,
    present_board_version,
    present_configuration,
    present_epics,
    present_quick_filter,
    present_sprint,
)
from clones.tracker.api.presenters.projects import present_projects
from clones.tracker.domain.board_configuration import FEATURES, toggle_feature
from clones.tracker.domain.errors import Invalid, NotFound, Unprocessable
from clones.tracker.domain.sprints import require_sprints
from clones.tracker.models import Board, EpicLook, QuickFilter, Sprint, Version
from clones.tracker.queries.board_issues import (
    epics_of_board,
    projects_with_issues,
    sprints_on_board,
)
from clones.tracker.queries.boards import (
    administers,
    columns_of,
    done_statuses,
    find_board,
    has_sprints,
    projects_of,
    visible_sprints,
)
from clones.tracker.queries.projects import shown
from clones.tracker.queries.rights import visible_projects

Json = dict[str, Any]
BOARD: Final = f"{AGILE}/board/{{board:int}}"
_FULL: Final = frozenset({"description", "lead", "url", "projectKeys"})
NO_STATUS: Final = "This board has no columns with a mapped status"
_STATES: Final = Case(
    When(state="closed", then=Value(0)),
    When(state="active", then=Value(1)),
    default=Value(2),
    output_field=IntegerField(),
)


class SprintsQuery(Query):
    """Filter of a board's sprints: their states."""

    state: CommaList[str] = []


class EpicsQuery(Query):
    """Filter of a board's epics: whether they are done."""

    done: str | None = None


class VersionsQuery(Query):
    """Filter of a board's versions: whether they are released."""

    released: str | None = None


class FeatureBody(Body):
    """A feature of a board to turn on or off."""

    feature: str
    enabling: bool


def board_of(call: Call) -> Board:
    """Return the board that a path names.

    Raises:
        NotFound: there is none, or the caller does not see it.
    """
    return find_board(actor(call), call.path["board"])


@operation(
    "agile.getConfiguration",
    "GET",
    f"{BOARD}/configuration",
    summary="Show what a board is made of: filter, columns, estimation, rank.",
)
def show_configuration(call: Call) -> Json:
    """Show a board's configuration."""
    return present_configuration(board_of(call), show(call))


@operation(
    "agile.getAllQuickFilters",
    "GET",
    f"{BOARD}/quickfilter",
    summary="List the quick filters of a board.",
)
def list_quick_filters(call: Call) -> Json:
    """List a board's quick filters in their order."""
    rows = QuickFilter.objects.filter(board=board_of(call)).order_by("position", "id")
    return agile_page(call, rows, each(present_quick_filter, show(call)))


@operation(
    "agile.getQuickFilter",
    "GET",
    f"{BOARD}/quickfilter/{{quick:int}}",
    summary="Show a quick filter of a board.",
)
def show_quick_filter(call: Call) -> Json:
    """Show a quick filter."""
    rows = QuickFilter.objects.filter(board=board_of(call), id=call.path["quick"])
    found = rows.first()
    if found is None:
        raise NotFound("The requested quick filter does not exist.")
    return present_quick_filter(found, show(call))


@operation(
    "agile.getAllSprints",
    "GET",
    f"{BOARD}/sprint",
    summary="List the sprints of a board: those that are over, that run, that are to come.",
    query=SprintsQuery,
)
def list_sprints(call: Call) -> Json:
    """List the sprints that a board shows, in the order of their states and places."""
    board, rights = board_of(call), actor(call)
    require_sprints(board)
    if not done_statuses(columns_of(board)):
        raise Unprocessable(NO_STATUS)
    rows = visible_sprints(rights).filter(sprints_on_board(board, rights))
    states = [state.lower() for state in call.query.state]
    if set(states) - set(Sprint.STATES):
        raise Invalid(f"'{','.join(call.query.state)}' is not a valid sprint state.")
    if states:
        rows = rows.filter(state__in=states)
    return agile_page(
        call, rows.order_by(_STATES, "position", "id"), each(present_sprint, show(call))
    )


@operation(
    "agile.getEpics",
    "GET",
    f"{BOARD}/epic",
    summary="List the epics of a board.",
    query=EpicsQuery,
)
def list_epics(call: Call) -> Json:
    """List a board's epics by rank; `done` tells which are wanted."""
    rows = epics_of_board(board_of(call), actor(call))
    if call.query.done is not None:
        done = EpicLook.objects.filter(done=True).values("id")
        wanted = flag(call.query.done)
        rows = rows.filter(id__in=done) if wanted else rows.exclude(id__in=done)
    view = show(call)
    return agile_page(call, rows, lambda page: present_epics(page, view))


@operation(
    "agile.getProjects",
    "GET",
    f"{BOARD}/project",
    summary="List the spaces of a board: those its filter names, and those of its issues.",
)
def list_projects(call: Call) -> Json:
    """List a board's spaces by name."""
    rows = projects_with_issues(board_of(call), actor(call)).select_related("category")
    return agile_page(call, rows, each(present_board_project, show(call)))


@operation(
    "agile.getProjectsFull",
    "GET",
    f"{BOARD}/project/full",
    summary="List the spaces that a board's filter names, with more of each.",
)
def list_named_projects(call: Call) -> Json:
    """List the spaces to which a board's filter is restricted, by name."""
    board, view = board_of(call), show(call)
    named = [project.id for project in projects_of(board) or []]
    rows = shown(visible_projects(actor(call)).filter(id__in=named))
    return agile_page(call, rows, lambda page: present_projects(page, view, _FULL))


@operation(
    "agile.getAllVersions",
    "GET",
    f"{BOARD}/version",
    summary="List the versions of a board's spaces.",
    query=VersionsQuery,
)
def list_versions(call: Call) -> Json:
    """List the versions by the name of their space and their place there."""
    spaces = projects_with_issues(board_of(call), actor(call)).order_by().values("id")
    rows = Version.objects.filter(project__in=spaces)
    if call.query.released is not None:
        rows = rows.filter(released=flag(call.query.released))
    rows = rows.order_by("project__name", "project_id", "position", "id")
    return agile_page(call, rows, each(present_board_version, show(call)))


@operation(
    "agile.getFeaturesForBoard",
    "GET",
    f"{BOARD}/features",
    summary="List the features of a board, and whether they are on.",
)
def list_features(call: Call) -> Json:
    """List a board's features."""
    return _features(board_of(call), call)


@operation(
    "agile.toggleFeatures",
    "PUT",
    f"{BOARD}/features",
    summary="Put a feature of a team-managed board on or off.",
    body=FeatureBody,
)
def change_feature(call: Call) -> Json:
    """Put a feature on or off."""
    board, asked = board_of(call), call.body
    toggle_feature(board, asked.feature, on=asked.enabling, actor=actor(call))
    return _features(board, call)


def _features(board: Board, call: Call) -> Json:
    on = {
        "BOARD": True,
        "BACKLOG": has_sprints(board) or bool(board.settings.get("backlog")),
        "SPRINTS": has_sprints(board),
        "ESTIMATION": board.estimation is not None,
        "REPORTS": True,
    }
    locked = board.type != "simple" or not administers(actor(call), board)
    return {
        "features": [
            {
                "boardFeature": name,
                "boardId": board.id,
                "state": "ENABLED" if enabled else "DISABLED",
                "localisedName": name.capitalize(),
                "featureType": "ESTIMATION" if name == "ESTIMATION" else "BASIC",
                "featureId": f"{board.id}:{name}",
                "toggleLocked": locked or name not in FEATURES,
            }
            for name, enabled in on.items()
        ]
    }
