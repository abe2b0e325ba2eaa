"""When requests of T15 came: so that a promise has so much time left at the present."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Final

from clones.tracker.models import SlaGoal, SlaMetric
from clones.tracker.queries.slas import hours_of

MINUTE: Final = 60_000
PRIORITIES: Final = ("Highest", "High", "Medium", "Low")
# Minutes: what is left for the first one, and how far the next ones are behind it.
LEAST: Final = 72
APART: Final = 46
# Nothing came within the last minutes: a colleague has had time to look at it.
NEWEST: Final = 26
HORIZON: Final = 60 * 24 * 30


def lefts(count: int, *, late: bool, chance: Random) -> list[int]:
    """Return how many minutes are left for each of some requests, the least first.

    With `late` the first one has missed it already.
    """
    in_time = count - late
    found = [LEAST + APART * place + chance.randrange(0, 20) for place in range(in_time)]
    return [*([-chance.randrange(25, 110)] if late else []), *found]


def goal_of(metric: SlaMetric, priority: str) -> SlaGoal:
    """Return the goal of a promise for requests of a priority: the first that is for them."""
    rows = SlaGoal.objects.filter(metric=metric).select_related("calendar")
    return next(
        goal
        for goal in rows.order_by("position", "id")
        if goal.jql in ("", f"priority = {priority}")
    )


def fitting(metric: SlaMetric, left: int) -> list[str]:
    """Return the priorities whose goal is long enough for so many minutes to be left of it."""
    found = []
    for priority in PRIORITIES:
        length = goal_of(metric, priority).milliseconds
        if length is not None and length >= (left + NEWEST) * MINUTE:
            found.append(priority)
    return found


def came_at(goal: SlaGoal, left: int, present: datetime) -> datetime:
    """Return the last whole minute at which what came has no more minutes left than these."""
    calendar = hours_of(goal.calendar)
    wanted = (goal.milliseconds or 0) - left * MINUTE
    short, long = 0, HORIZON
    while long - short > 1:
        middle = (short + long) // 2
        since = present - timedelta(minutes=middle)
        if calendar.milliseconds_between(since, present) >= wanted:
            long = middle
        else:
            short = middle
    return present - timedelta(minutes=long)


def is_told_apart(times: Sequence[datetime], priorities: Sequence[str]) -> bool:
    """Tell whether neither the order of coming nor that of priorities is the order that counts."""
    ranks = [PRIORITIES.index(priority) for priority in priorities]
    return list(times) != sorted(times) and ranks != sorted(ranks)
