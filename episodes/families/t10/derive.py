"""The facts of T10 a second time: the request read again, by plain loops over whole tables."""

from __future__ import annotations

from typing import Any

from clones.tracker.models import Board, Issue, QuickFilter, Status, User
from episodes.families.t10.request import Request, read_request
from episodes.tasks.tracker_acts import text_of


def derive(goal: str) -> dict[str, Any]:
    """Return the facts as plain loops over the bound sandbox find them.

    Raises:
        LookupError: the goal names nobody who asks for a board's set-up.
    """
    asker, issue, asked = _request(goal)
    boards = {board.name: board.id for board in Board.objects.all()}
    return {
        "asker": asker.id,
        "request": issue.id,
        "request_key": issue.key,
        "space": issue.project.key,
        "board_name": asked.board,
        "board": boards[asked.board],
        "twin": boards[f"{asked.board} (old)"],
        "columns": [
            {
                "name": column.name,
                "statuses": list(column.statuses),
                "minimum": int(column.minimum) if column.minimum else None,
                "maximum": int(column.maximum) if column.maximum else None,
            }
            for column in asked.columns
        ],
        "lanes": asked.lanes,
        "kept": sorted(
            row.id for row in QuickFilter.objects.all() if row.board_id == boards[asked.board]
        ),
        "statuses": sorted(row.id for row in Status.objects.all()),
        "obligations": [],
    }


def _request(goal: str) -> tuple[User, Issue, Request]:
    for issue in Issue.objects.select_related("reporter", "project").order_by("-created"):
        reporter, text = issue.reporter, text_of(issue.description)
        if reporter is None or reporter.display_name not in goal:
            continue
        if "Columns from left" in text:
            return reporter, issue, read_request(text)
    raise LookupError("nobody whom the goal names asks for a board's set-up")
