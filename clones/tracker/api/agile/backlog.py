"""Moving issues to backlogs and onto boards."""

from __future__ import annotations

from clones.core.operations import Call, Reply
from clones.tracker.api.agile.board_configuration import BOARD, board_of
from clones.tracker.api.agile.pages import (
    AGILE,
    IssuesBody,
    RankedIssuesBody,
    named_issues,
    place_of,
    rank_reply,
)
from clones.tracker.api.operations import actor, operation
from clones.tracker.domain import backlog


@operation(
    "agile.moveIssuesToBacklog",
    "POST",
    f"{AGILE}/backlog/issue",
    summary="Take up to 50 issues out of sprints that are to come or run.",
    body=IssuesBody,
    status=204,
)
def move_issues_to_backlog(call: Call) -> Reply:
    """Take issues out of their sprints."""
    backlog.move_to_backlog(named_issues(call, call.body), actor=actor(call))
    return Reply(None, 204)


@operation(
    "agile.moveIssuesToBacklogForBoard",
    "POST",
    f"{AGILE}/backlog/{{board:int}}/issue",
    summary="Put up to 50 issues of a board into its backlog, and rank them there.",
    body=RankedIssuesBody,
    status=204,
)
def move_issues_to_backlog_of_board(call: Call) -> Reply:
    """Put issues into a board's backlog."""
    return _move(call, backlog.move_to_backlog_of)


@operation(
    "agile.moveIssuesToBoard",
    "POST",
    f"{BOARD}/issue",
    summary="Take up to 50 issues of a board's backlog onto the board, and rank them there.",
    body=RankedIssuesBody,
    status=204,
)
def move_issues_to_board(call: Call) -> Reply:
    """Take issues of a board's backlog onto the board."""
    return _move(call, backlog.move_to_board)


def _move(call: Call, mover: backlog.Mover) -> Reply:
    asked: RankedIssuesBody = call.body
    board = board_of(call)
    issues = named_issues(call, asked)
    place = place_of(call, asked.before, asked.after, asked.field)
    return rank_reply(mover(board, issues, place=place, actor=actor(call)))
