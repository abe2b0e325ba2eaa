"""What an address of a report asks for, and how estimates are read on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from django.db.models import F
from django.http import HttpRequest

from clones.tracker.domain.errors import NotFound
from clones.tracker.domain.estimation import TIME
from clones.tracker.models import Board, Sprint
from clones.tracker.queries.agile_fields import estimate_name
from clones.tracker.queries.boards import SPRINT_GONE
from clones.tracker.queries.reports.sprint_tales import COUNT
from clones.tracker.queries.work_time import work_time
from clones.tracker.rules.durations_of_work import WorkTime, text_of

DAYS: Final = {"14": "2 weeks", "30": "1 month", "90": "3 months", "all": "All time"}
USUAL_DAYS: Final = "30"


@dataclass(frozen=True, slots=True)
class Statistic:
    """By what the issues of a report are counted; `key` is how the address names it."""

    key: str
    name: str
    work: WorkTime

    @property
    def is_time(self) -> bool:
        """Whether its amounts are seconds."""
        return self.key == TIME

    def written(self, amount: float | None) -> str:
        """Return an amount as people read it, `-` for none."""
        if amount is None:
            return "-"
        if not self.is_time:
            return f"{amount:g}"
        sign = "-" if amount < 0 else ""
        return sign + text_of(abs(int(amount)), self.work)

    def drawn(self, amount: float) -> float:
        """Return an amount as charts draw it: times in hours."""
        return amount / 3600 if self.is_time else amount


def statistics_of(board: Board) -> list[Statistic]:
    """Return by what the issues of a board can be counted, the board's own way first."""
    work = work_time()
    count = Statistic(COUNT, "Work item count", work)
    if board.estimation is None:
        return [count]
    return [Statistic(board.estimation, estimate_name(board.estimation), work), count]


def statistic_asked(request: HttpRequest, board: Board) -> tuple[Statistic, list[Statistic]]:
    """Return by what an address asks to count, and what there is to choose from."""
    known = statistics_of(board)
    wanted = request.GET.get("estimation", "")
    return next((one for one in known if one.key == wanted), known[0]), known


def sprints_of(board: Board) -> list[Sprint]:
    """Return the sprints of a board that there is something to report of, the latest first."""
    rows = Sprint.objects.filter(board=board, start_date__isnull=False).exclude(state="future")
    return list(rows.order_by("state", F("complete_date").desc(nulls_first=True), "-id"))


def sprint_asked(request: HttpRequest, sprints: Sequence[Sprint]) -> Sprint | None:
    """Return the sprint that an address names, the latest where it names none.

    Raises:
        NotFound: it is none of them.
    """
    wanted = request.GET.get("sprint", "")
    if not wanted:
        return sprints[0] if sprints else None
    for sprint in sprints:
        if str(sprint.id) == wanted:
            return sprint
    raise NotFound(SPRINT_GONE)


@dataclass(frozen=True, slots=True)
class Range:
    """The days that a diagram is of; `key` names a usual span, "" one of the viewer's own."""

    key: str
    first: date
    last: date


def range_asked(request: HttpRequest, today: date, oldest: date) -> Range:
    """Return the days that an address asks for: a usual span, or `from` and `to`."""
    since, until = _day(request.GET.get("from", "")), _day(request.GET.get("to", ""))
    key = request.GET.get("days", "")
    if key not in DAYS and (since or until):
        last = min(until or today, today)
        first = min(since or oldest, last)
        return Range("", max(first, oldest), max(last, oldest))
    key = key if key in DAYS else USUAL_DAYS
    first = oldest if key == "all" else today - timedelta(days=int(key))
    return Range(key, min(max(first, oldest), today), today)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
