"""Issues as boards show them, and their estimates."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.agile.pages import AGILE
from clones.tracker.api.operations import Body, Query, actor, operation, show
from clones.tracker.api.paging import number_of
from clones.tracker.api.presenters.agile_issues import AgileAnswer
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.estimation import estimate_issue, estimate_of, estimation_field
from clones.tracker.models import Board, Issue
from clones.tracker.queries.boards import find_board
from clones.tracker.queries.rights import find_issue

Json = dict[str, Any]
ISSUE: Final = f"{AGILE}/issue/{{key}}"


class IssueQuery(Query):
    """The fields and expansions of an issue to show."""

    fields: CommaList[str] | None = None
    expand: CommaList[str] = []


class EstimateQuery(Query):
    """The board whose estimation field an issue is estimated by."""

    board: str | None = Field(None, alias="boardId")


class EstimateBody(Body):
    """The estimate of an issue: a number, or a time."""

    value: str | float | None = None


@operation(
    "agile.getIssue",
    "GET",
    ISSUE,
    summary="Show an issue with its sprints, its flag and its epic.",
    query=IssueQuery,
)
def show_issue(call: Call) -> Json:
    """Show an issue."""
    issue = find_issue(actor(call), call.path["key"])
    asked: IssueQuery = call.query
    answer = AgileAnswer([issue], asked.fields, show(call), asked.expand, detail=True)
    return answer.issues()[0]


@operation(
    "agile.getIssueEstimationForBoard",
    "GET",
    f"{ISSUE}/estimation",
    summary="Show an issue's estimate by the field that a board estimates with.",
    query=EstimateQuery,
)
def show_estimate(call: Call) -> Json:
    """Show an estimate; without one only its field."""
    issue, board = _issue_and_board(call)
    return _shown(issue, board)


@operation(
    "agile.estimateIssueForBoard",
    "PUT",
    f"{ISSUE}/estimation",
    summary="Set an issue's estimate by the field that a board estimates with.",
    query=EstimateQuery,
    body=EstimateBody,
)
def set_estimate(call: Call) -> Json:
    """Set an estimate."""
    issue, board = _issue_and_board(call)
    estimate_issue(issue, board, call.body.value, actor=actor(call))
    return _shown(issue, board)


def _issue_and_board(call: Call) -> tuple[Issue, Board]:
    rights = actor(call)
    if not call.query.board:
        raise Invalid(fields={"boardId": "The boardId parameter is required."})
    issue = find_issue(rights, call.path["key"])
    return issue, find_board(rights, number_of(call, "boardId", 0))


def _shown(issue: Issue, board: Board) -> Json:
    found: Json = {"fieldId": estimation_field(board)}
    value = estimate_of(issue, board)
    if value is not None:
        found["value"] = value
    return found
