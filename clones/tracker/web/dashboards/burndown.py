"""The burndown of the sprint that runs on a board: how much is left at the end of each day.

It is about the issues that are in the sprint now, with the estimates that they have now; when they
were done is told by their histories.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, time, timedelta
from typing import Any

from clones.tracker.domain.errors import NotFound
from clones.tracker.models import Board, ChangeItem, FieldValue, Issue, Sprint
from clones.tracker.queries.boards import columns_of, done_statuses, find_board
from clones.tracker.queries.rights import Rights, visible_issues
from clones.tracker.web.dashboards.charts import line_chart
from clones.tracker.web.navigator.cells import MONTHS

Json = dict[str, Any]
TIME = "timeoriginalestimate"
MOST_DAYS = 90


def burndown(board_id: str, rights: Rights) -> Json:
    """Return the chart of the sprint that runs on a board.

    Raises:
        NotFound: there is no such board, or no sprint runs on it.
    """
    board = find_board(rights, int(board_id)) if board_id.isdecimal() else None
    if board is None:
        raise NotFound("The board does not exist.")
    rows = Sprint.objects.filter(board=board, state="active").order_by("position", "id")
    sprint = rows.first()
    if sprint is None or sprint.start_date is None or sprint.end_date is None:
        raise NotFound("There is no active sprint on this board.")
    issues = list(
        visible_issues(rights)
        .filter(sprint_links__sprint=sprint, issue_type__hierarchy_level=0)
        .order_by("id")
    )
    sizes = _sizes(issues, board)
    done_at = _done_at(issues, done_statuses(columns_of(board)))
    total = sum(sizes.values())
    days = _days(sprint, rights)
    ideal = [total * (1 - at / max(1, len(days) - 1)) for at in range(len(days))]
    left = [
        total - sum(sizes[id] for id, at in done_at.items() if at <= day)
        for day in days
        if day - timedelta(days=1) < rights.asked_at
    ]
    labels = [_label(day) for day in days]
    shown = [f"{value:g}" for value in left] + [""] * (len(days) - len(left))
    return {
        "sprint": sprint,
        "board": board,
        "unit": "story points" if board.estimation and board.estimation != TIME else "",
        "total": f"{total:g}",
        "left": shown[len(left) - 1] if left else "",
        "chart": line_chart(labels, [("Guideline", ideal), ("Remaining values", left)]),
        "rows": list(zip(labels, shown, strict=True)),
    }


def _days(sprint: Sprint, rights: Rights) -> list[datetime]:
    """Return the end of each day of a sprint, where the viewer is; first when it began."""
    assert sprint.start_date is not None and sprint.end_date is not None  # noqa: S101, PT018 - the caller saw to it
    found = [sprint.start_date]
    day = sprint.start_date.astimezone(rights.zone).date()
    last = sprint.end_date.astimezone(rights.zone).date()
    while day <= last and len(found) < MOST_DAYS:
        day += timedelta(days=1)
        found.append(datetime.combine(day, time.min, rights.zone))
    return found


def _label(end: datetime) -> str:
    day = end - timedelta(seconds=1)
    return f"{day.day} {MONTHS[day.month - 1]}"


def _sizes(issues: list[Issue], board: Board) -> dict[int, float]:
    """Return the estimate of each issue; each counts one on a board that estimates by nothing."""
    field = board.estimation
    if field is None:
        return {issue.id: 1.0 for issue in issues}
    if field == TIME:
        return {issue.id: (issue.original_estimate or 0) / 3600 for issue in issues}
    number = field.removeprefix("customfield_")
    ids = [issue.id for issue in issues]
    rows = FieldValue.objects.filter(field=int(number), issue__in=ids) if number.isdecimal() else ()
    found: dict[int, float] = dict.fromkeys(ids, 0.0)
    for row in rows:
        found[row.issue_id] = row.number or 0.0
    return found


def _done_at(issues: list[Issue], done: list[int]) -> dict[int, datetime]:
    """Return since when those issues are done that are."""
    ids = [issue.id for issue in issues if issue.status_id in done]
    moves: dict[int, list[ChangeItem]] = defaultdict(list)
    rows = ChangeItem.objects.filter(issue__in=ids, field_id="status").order_by("created", "id")
    for row in rows:
        moves[row.issue_id].append(row)
    words = {str(status) for status in done}
    found: dict[int, datetime] = {}
    for issue in issues:
        if issue.status_id not in done:
            continue
        at = issue.created
        for row in moves[issue.id]:
            if str(row.new) in words and str(row.old) not in words:
                at = row.created
        found[issue.id] = at
    return found
