"""The burndown of the sprint that runs on a board: how much is left at the end of each day.

It is told by the same rules as the report of the board: what was in the sprint when, how much it
was thought to be then, and when it was done.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from itertools import pairwise
from typing import Any, Final
from zoneinfo import ZoneInfo

from clones.core.digits import is_digits
from clones.tracker.domain.errors import NotFound
from clones.tracker.domain.estimation import TIME
from clones.tracker.models import Sprint
from clones.tracker.queries.boards import columns_of, done_statuses, find_board
from clones.tracker.queries.reports.sprint_tales import COUNT, tales_of
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.board_settings import working_days
from clones.tracker.rules.reports.guidelines import guideline
from clones.tracker.rules.reports.sprints import burndown as events_of
from clones.tracker.web.dashboards.charts import line_chart
from clones.tracker.web.navigator.cells import MONTHS

Json = dict[str, Any]
MOST_DAYS: Final = 90
UNITS: Final = {COUNT: "", TIME: "hours"}


def burndown(board_id: str, rights: Rights) -> Json:
    """Return the chart of the sprint that runs on a board.

    Raises:
        NotFound: there is no such board, or no sprint runs on it.
    """
    board = find_board(rights, int(board_id)) if is_digits(board_id) else None
    if board is None:
        raise NotFound("The board does not exist.")
    rows = Sprint.objects.filter(board=board, state="active").order_by("position", "id")
    sprint = rows.first()
    if sprint is None or sprint.start_date is None or sprint.end_date is None:
        raise NotFound("There is no active sprint on this board.")
    start, end = sprint.start_date, max(sprint.end_date, sprint.start_date + timedelta(minutes=1))
    statistic = board.estimation or COUNT
    scale = 3600 if statistic == TIME else 1
    tales = tales_of([sprint], statistic, done_statuses(columns_of(board)), rights)
    events = events_of(tales.by_sprint[sprint.id], start, rights.asked_at)
    begun = [event.left for event in events if event.kind == "start"]
    course = [(start, (begun[-1] if begun else 0.0) / scale)]
    course += [(event.at, event.left / scale) for event in events if event.at > start]
    days = _days(start, end, rights)
    left = [_at(course, day) for day in days if day - timedelta(days=1) < rights.asked_at]
    team = working_days(board.settings)
    ideal = guideline(course[0][1], start, end, ZoneInfo(team.zone), team.works_on)
    labels = [_label(day) for day in days]
    shown = [f"{value:g}" for value in left] + [""] * (len(days) - len(left))
    series = [("Guideline", [_between(ideal, day) for day in days]), ("Remaining values", left)]
    return {
        "sprint": sprint,
        "board": board,
        "unit": UNITS.get(statistic, "story points"),
        "total": f"{course[0][1]:g}",
        "left": f"{course[-1][1]:g}",
        "scope": sum(event.kind in ("added", "removed", "estimated") for event in events),
        "chart": line_chart("Sprint burndown", labels, series),
        "rows": list(zip(labels, shown, strict=True)),
    }


def _days(start: datetime, end: datetime, rights: Rights) -> list[datetime]:
    """Return the end of each day of a sprint, where the viewer is; first when it began."""
    found = [start]
    day, last = start.astimezone(rights.zone).date(), end.astimezone(rights.zone).date()
    while day <= last and len(found) < MOST_DAYS:
        day += timedelta(days=1)
        found.append(datetime.combine(day, time.min, rights.zone))
    return found


def _label(end: datetime) -> str:
    day = end - timedelta(seconds=1)
    return f"{day.day} {MONTHS[day.month - 1]}"


def _at(course: Sequence[tuple[datetime, float]], moment: datetime) -> float:
    """Return what is left at a moment: what the last change before it left."""
    place = bisect_right([at for at, _ in course], moment)
    return course[max(place - 1, 0)][1]


def _between(corners: Sequence[tuple[datetime, float]], moment: datetime) -> float:
    """Return how high a line stands at a moment; after its end as at its end."""
    for (since, high), (until, low) in pairwise(corners):
        if moment <= until:
            part = (moment - since) / (until - since) if until > since else 1.0
            return high + (low - high) * max(0.0, part)
    return corners[-1][1]
