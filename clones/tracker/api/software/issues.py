"""The issues of boards, backlogs, sprints and epics, in pages that go on from a token.

The vendor moved its lists of issues here in 2026; the counted ones below /rest/agile/1.0 stay.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from clones.core.operations import Call
from clones.tracker.api.agile.board_issues import (
    LISTED,
    LISTS,
    MOST,
    TokenQuery,
    backlog_issues,
    board_issues,
    shown,
)
from clones.tracker.api.operations import Query, operation
from clones.tracker.api.paging import number_of, state_of, token_of
from clones.tracker.queries.searching import RunnableQuery

Json = dict[str, Any]
SOFTWARE: Final = "/rest/software/1.0"


class CountQuery(Query):
    """The JQL query of the issues to count."""

    jql: str | None = None


def _page_of(read: Callable[[Call], RunnableQuery]) -> Callable[[Call], Json]:
    def page(call: Call) -> Json:
        most = min(number_of(call, "maxResults", LISTED), MOST)
        token = state_of(call.query.token) if call.query.token else None
        rows, rest = read(call).page(token, most)
        found: Json = shown(call, rows) | {"isLast": rest is None}
        if rest is not None:
            found["nextPageToken"] = token_of(rest)
        return found

    return page


for _name, _path, _read, _what in LISTS:
    operation(
        f"software.{_name}",
        "GET",
        f"{SOFTWARE}/{_path}",
        summary=f"List the issues {_what}, page by page with a token.",
        query=TokenQuery,
    )(_page_of(_read))


@operation(
    "software.getApproximateIssueCountForBoard",
    "GET",
    f"{SOFTWARE}/board/{{board:int}}/issue/approximate-count",
    summary="Count the issues on a board.",
    query=CountQuery,
)
def count_board(call: Call) -> Json:
    """Count what is on a board."""
    return {"count": board_issues(call).found.count()}


@operation(
    "software.getApproximateIssueCountForBacklog",
    "GET",
    f"{SOFTWARE}/board/{{board:int}}/backlog/approximate-count",
    summary="Count the issues in a board's backlog.",
    query=CountQuery,
)
def count_backlog(call: Call) -> Json:
    """Count what is in a board's backlog."""
    return {"count": backlog_issues(call).found.count()}
