"""Boards, sprints and epics as the vendor's API of boards shows them. Ids are numbers here."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.refs import avatar_urls, project_ref
from clones.tracker.models import (
    Board,
    BoardAdmin,
    BoardColumn,
    EpicLook,
    Issue,
    Project,
    QuickFilter,
    Sprint,
    Version,
)
from clones.tracker.queries.agile_fields import estimate_name, rank_field
from clones.tracker.queries.boards import administered, columns_of, has_sprints, statuses_of

Json = dict[str, Any]
AGILE: Final = "/rest/agile/1.0"


def instant(moment: datetime | None) -> str | None:
    """Return a time as sprints have it: UTC, with milliseconds."""
    if moment is None:
        return None
    utc = moment.astimezone(UTC)
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z"


def midnight(day: date) -> str:
    """Return a day as versions of boards have it."""
    return f"{day.isoformat()}T00:00:00.000Z"


def present_board(board: Board, show: Show) -> Json:
    """Return a board, with its space or its owner."""
    show.note(board)
    return {
        "id": board.id,
        "self": show.at(f"{AGILE}/board/{board.id}"),
        "name": board.name,
        "type": board.type,
        "location": _location(board, show),
        "isPrivate": board.is_private,
    }


def present_hidden_board(board: Board, show: Show) -> Json:
    """Return what admins are told of a board that they do not see."""
    address = show.at(f"{AGILE}/board/{board.id}")
    return {"id": board.id, "self": address, "isPrivate": True}


def present_boards(
    boards: Sequence[Board], show: Show, *, expand: Collection[str] = ()
) -> list[Json]:
    """Return boards, with `admins` and `permissions` where they are asked for."""
    found = [present_board(board, show) for board in boards]
    if "admins" in expand:
        admins = _admins(boards, show)
        for board, body in zip(boards, found, strict=True):
            body["admins"] = admins[board.id]
    if "permissions" in expand:
        mine = administered(show.reader, boards)
        for board, body in zip(boards, found, strict=True):
            body["canEdit"] = board.id in mine
    return found


def _location(board: Board, show: Show) -> Json:
    project = board.project
    if project is not None:
        name = f"{project.name} ({project.key})"
        return {
            "projectId": project.id,
            "displayName": name,
            "projectName": project.name,
            "projectKey": project.key,
            "projectTypeKey": project.type,
            "avatarURI": avatar_urls("project", project.avatar_id, show)["24x24"],
            "name": name,
        }
    owner = board.owner
    if owner is None:
        return {}
    return {
        "userId": owner.id,
        "userAccountId": owner.account_id,
        "displayName": owner.display_name,
        "name": owner.display_name,
        "avatarURI": avatar_urls("user", owner.account_id, show)["24x24"],
    }


def _admins(boards: Sequence[Board], show: Show) -> dict[int, Json]:
    found: dict[int, Json] = {board.id: {"users": [], "groups": []} for board in boards}
    rows = BoardAdmin.objects.filter(board__in=[board.id for board in boards])
    for row in rows.select_related("user", "group").order_by("id"):
        if row.user is not None:
            found[row.board_id]["users"].append(
                {
                    "self": show.url(f"user?accountId={row.user.account_id}"),
                    "accountId": row.user.account_id,
                    "displayName": row.user.display_name,
                    "active": row.user.active,
                    "avatarUrls": avatar_urls("user", row.user.account_id, show),
                }
            )
        elif row.group is not None:
            address = show.url(f"group?groupId={row.group.uuid}")
            found[row.board_id]["groups"].append({"name": row.group.name, "self": address})
    return found


def present_board_of_filter(board: Board, show: Show) -> Json:
    """Return a board as the boards of a filter are listed."""
    address = show.at(f"{AGILE}/board/{board.id}")
    return {"id": board.id, "self": address, "name": board.name}


def present_configuration(board: Board, show: Show) -> Json:
    """Return what a board is made of."""
    show.note(board, "detail")
    found: Json = {
        "id": board.id,
        "name": board.name,
        "type": board.type,
        "self": show.at(f"{AGILE}/board/{board.id}/configuration"),
        "location": _configured_location(board, show),
        "filter": {
            "id": str(board.filter_id),
            "self": show.url(f"filter/{board.filter_id}"),
        },
        "columnConfig": {
            "columns": [_column(column, show) for column in columns_of(board)],
            "constraintType": board.constraint_type,
        },
        "ranking": {"rankCustomFieldId": int(rank_field().removeprefix("customfield_"))},
    }
    if board.sub_query:
        found["subQuery"] = {"query": board.sub_query}
    if has_sprints(board):
        found["estimation"] = _estimation(board)
    return found


def _configured_location(board: Board, show: Show) -> Json:
    project = board.project
    if project is None:
        return {"type": "user"}
    return {
        "type": "project",
        "key": project.key,
        "id": str(project.id),
        "self": show.url(f"project/{project.id}"),
        "name": project.name,
    }


def _column(column: BoardColumn, show: Show) -> Json:
    found: Json = {
        "name": column.name,
        "statuses": [
            {"id": str(status), "self": show.url(f"status/{status}")}
            for status in statuses_of(column)
        ],
    }
    if column.minimum is not None:
        found["min"] = column.minimum
    if column.maximum is not None:
        found["max"] = column.maximum
    return found


def _estimation(board: Board) -> Json:
    if board.estimation is None:
        return {"type": "issueCount"}
    name = estimate_name(board.estimation)
    return {"type": "field", "field": {"fieldId": board.estimation, "displayName": name}}


def present_sprint(sprint: Sprint, show: Show) -> Json:
    """Return a sprint; what it has not got yet is left out."""
    show.note(sprint)
    return short_sprint(sprint, show) | {"createdDate": instant(sprint.created)}


def short_sprint(sprint: Sprint, show: Show) -> Json:
    """Return a sprint as issues show it."""
    found: Json = {
        "id": sprint.id,
        "self": show.at(f"{AGILE}/sprint/{sprint.id}"),
        "state": sprint.state,
        "name": sprint.name,
        "startDate": instant(sprint.start_date),
        "endDate": instant(sprint.end_date),
        "completeDate": instant(sprint.complete_date),
        "originBoardId": sprint.board_id,
        "goal": sprint.goal,
    }
    return {name: value for name, value in found.items() if value is not None}


def present_epic(epic: Issue, look: EpicLook | None, show: Show) -> Json:
    """Return an epic as boards show it: without a name of its own it goes by its summary."""
    show.note(epic)
    look = look or EpicLook(id=epic.id)
    return {
        "id": epic.id,
        "key": epic.key,
        "self": show.at(f"{AGILE}/epic/{epic.id}"),
        "name": look.name or epic.summary,
        "summary": epic.summary,
        "color": {"key": look.color},
        "done": look.done,
    }


def looks_of(epics: Collection[int]) -> Mapping[int, EpicLook]:
    """Return how epics look, by the epic's id: those that somebody gave a look."""
    return EpicLook.objects.in_bulk(sorted(epics))


def present_epics(epics: Sequence[Issue], show: Show) -> list[Json]:
    """Return epics as boards show them."""
    looks = looks_of({epic.id for epic in epics})
    return [present_epic(epic, looks.get(epic.id), show) for epic in epics]


def present_quick_filter(quick: QuickFilter, show: Show) -> Json:
    """Return a quick filter."""
    show.note(quick)
    return {
        "id": quick.id,
        "boardId": quick.board_id,
        "name": quick.name,
        "jql": quick.jql,
        "description": quick.description,
        "position": quick.position,
    }


def present_board_project(project: Project, show: Show) -> Json:
    """Return a space of a board."""
    show.note(project)
    return {**(project_ref(project, show) or {}), "style": project.style}


def present_board_version(version: Version, show: Show) -> Json:
    """Return a version of a board's spaces; its ids are numbers."""
    show.note(version)
    found: Json = {
        "self": show.at(f"{AGILE}/version/{version.id}"),
        "id": version.id,
        "projectId": version.project_id,
        "name": version.name,
        "description": version.description,
        "archived": version.archived,
        "released": version.released,
    }
    if version.start_date is not None:
        found["startDate"] = midnight(version.start_date)
    if version.release_date is not None:
        found["releaseDate"] = midnight(version.release_date)
    return found
