"""The issues of boards, backlogs, sprints and epics, in pages that are counted.

Each list has a path below /rest/agile/1.0 and, with tokens instead of counts, the same one below
/rest/software/1.0 (`clones.tracker.api.software`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from pydantic import Field

from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.agile.epics import epic_of
from clones.tracker.api.agile.pages import AGILE
from clones.tracker.api.operations import Query, actor, flag, operation, show
from clones.tracker.api.paging import place
from clones.tracker.api.presenters.agile_issues import AgileAnswer
from clones.tracker.models import Issue
from clones.tracker.queries.board_issues import (
    anywhere,
    in_backlog,
    in_board_sprint,
    in_epic,
    in_sprint,
    on_board,
    without_epic,
)
from clones.tracker.queries.boards import find_board, find_sprint
from clones.tracker.queries.searching import RunnableQuery
from clones.tracker.rules.jql import JqlError
from clones.tracker.rules.jql.errors import UNKNOWN_VALUES

Json = dict[str, Any]
LISTED: Final = 50  # issues on a page, unless the call says
MOST: Final = 100


class IssuesQuery(Query):
    """Query, fields and expansions of the issues of a board, sprint or epic."""

    jql: str | None = None
    fields: CommaList[str] | None = None
    expand: CommaList[str] = []
    validated: str | None = Field(
        None, alias="validateQuery", description="false: values that are not there find nothing"
    )


class TokenQuery(IssuesQuery):
    """Token, query, fields and expansions of a board's issues, page after page."""

    token: str | None = Field(None, alias="nextPageToken")


def board_issues(call: Call) -> RunnableQuery:
    """Read what is on a board."""
    rights = actor(call)
    return on_board(find_board(rights, call.path["board"]), rights, call.query.jql or "")


def backlog_issues(call: Call) -> RunnableQuery:
    """Read what is in a board's backlog."""
    rights = actor(call)
    return in_backlog(find_board(rights, call.path["board"]), rights, call.query.jql or "")


def orphans_of_board(call: Call) -> RunnableQuery:
    """Read what is on a board and belongs to no epic."""
    rights = actor(call)
    board = find_board(rights, call.path["board"])
    return on_board(board, rights, call.query.jql or "", without_epic())


def epic_issues_of_board(call: Call) -> RunnableQuery:
    """Read what is on a board and belongs to an epic."""
    rights = actor(call)
    board = find_board(rights, call.path["board"])
    return on_board(board, rights, call.query.jql or "", in_epic(epic_of(call).id))


def sprint_issues_of_board(call: Call) -> RunnableQuery:
    """Read what is on a board and in a sprint."""
    rights = actor(call)
    board = find_board(rights, call.path["board"])
    sprint = find_sprint(rights, call.path["sprint"])
    return in_board_sprint(board, sprint, rights, call.query.jql or "")


def sprint_issues(call: Call) -> RunnableQuery:
    """Read what is in a sprint."""
    rights = actor(call)
    sprint = find_sprint(rights, call.path["sprint"])
    return anywhere(rights, call.query.jql or "", in_sprint(sprint))


def orphans(call: Call) -> RunnableQuery:
    """Read what belongs to no epic."""
    return anywhere(actor(call), call.query.jql or "", without_epic())


def epic_issues(call: Call) -> RunnableQuery:
    """Read what belongs to an epic."""
    return anywhere(actor(call), call.query.jql or "", in_epic(epic_of(call).id))


# The vendor's name of each list, its path, what reads it, and what it is.
LISTS: Final[tuple[tuple[str, str, Callable[[Call], RunnableQuery], str], ...]] = (
    ("getIssuesForBoard", "board/{board:int}/issue", board_issues, "on a board"),
    ("getIssuesForBacklog", "board/{board:int}/backlog", backlog_issues, "in a board's backlog"),
    (
        "getIssuesWithoutEpicForBoard",
        "board/{board:int}/epic/none/issue",
        orphans_of_board,
        "on a board that belong to no epic",
    ),
    (
        "getBoardIssuesForEpic",
        "board/{board:int}/epic/{epic}/issue",
        epic_issues_of_board,
        "on a board that belong to an epic",
    ),
    (
        "getBoardIssuesForSprint",
        "board/{board:int}/sprint/{sprint:int}/issue",
        sprint_issues_of_board,
        "on a board that are in a sprint",
    ),
    ("getIssuesForSprint", "sprint/{sprint:int}/issue", sprint_issues, "in a sprint"),
    ("getIssuesWithoutEpic", "epic/none/issue", orphans, "that belong to no epic"),
    ("getIssuesForEpic", "epic/{epic}/issue", epic_issues, "that belong to an epic"),
)


def shown(call: Call, issues: list[Issue]) -> Json:
    """Return issues with the fields that a call asks for, and what else it asks for of them."""
    asked: IssuesQuery = call.query
    answer = AgileAnswer(issues, asked.fields, show(call), asked.expand)
    return {"issues": answer.issues()} | answer.beside()


def lenient(call: Call, error: JqlError) -> bool:
    """Tell whether a call does not mind what is wrong with its query: values that are not there."""
    asked: IssuesQuery = call.query
    if flag(asked.validated, default=True):
        return False
    return all(message.kind in UNKNOWN_VALUES for message in error.messages)


def _page_of(read: Callable[[Call], RunnableQuery]) -> Callable[[Call], Json]:
    def page(call: Call) -> Json:
        start, most = place(call, LISTED, MOST)
        try:
            found = read(call)
        except JqlError as error:
            if not lenient(call, error):
                raise
            return {
                "expand": "schema,names",
                "startAt": start,
                "maxResults": most,
                "total": 0,
            } | shown(call, [])
        total = found.found.count()
        rows = list(found.issues[start : start + most]) if start < total else []
        return {
            "expand": "schema,names",
            "startAt": start,
            "maxResults": most,
            "total": total,
        } | shown(call, rows)

    return page


for _name, _path, _read, _what in LISTS:
    operation(
        f"agile.{_name}",
        "GET",
        f"{AGILE}/{_path}",
        summary=f"List the issues {_what}.",
        query=IssuesQuery,
    )(_page_of(_read))
