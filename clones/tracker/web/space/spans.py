"""The spans that a timeline shows, and where days stand in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

WIDTH: Final = 600
MONTHS: Final = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
# How far a scale reaches, in its own steps: before the present, and in all.
SCALES: Final = {"weeks": "Weeks", "months": "Months", "quarters": "Quarters"}
_SIZES: Final = {"weeks": (2, 10), "months": (1, 6), "quarters": (1, 6)}


@dataclass(frozen=True, slots=True)
class Tick:
    """The beginning of a week, a month or a quarter: where it stands, and what it is called."""

    x: float
    text: str


@dataclass(frozen=True, slots=True)
class TimelineAxis:
    """The days of a timeline, `last` not among them; each at its place."""

    scale: str
    first: date
    last: date
    ticks: tuple[Tick, ...]

    def x(self, day: date) -> float:
        """Return where a day begins, within the timeline."""
        part = (day - self.first).days / (self.last - self.first).days
        return round(WIDTH * min(1.0, max(0.0, part)), 1)

    def bar(self, first: date | None, last: date | None) -> tuple[float, float] | None:
        """Return where a bar begins and how long it is; None: nothing of it is to be seen.

        One of whose ends is unknown is a day long.
        """
        begin, end = first or last, last or first
        if begin is None or end is None or end < self.first or begin >= self.last:
            return None
        x = self.x(min(begin, end))
        return x, max(6.0, round(self.x(max(begin, end) + timedelta(days=1)) - x, 1))


def months_later(day: date, months: int) -> date:
    """Return the first day of a month that is so many months later."""
    count = day.year * 12 + day.month - 1 + months
    return date(count // 12, count % 12 + 1, 1)


def axis_of(scale: str, anchor: date) -> TimelineAxis:
    """Return the timeline of a scale around a day: weeks, months or quarters."""
    before, steps = _SIZES[scale]
    if scale == "weeks":
        first = anchor - timedelta(days=anchor.weekday() + 7 * before)
        starts = [first + timedelta(days=7 * at) for at in range(steps + 1)]
        names = [f"{day.day} {MONTHS[day.month - 1]}" for day in starts]
    else:
        size = 1 if scale == "months" else 3
        begin = months_later(anchor, 0 if size == 1 else -((anchor.month - 1) % 3))
        starts = [months_later(begin, size * (at - before)) for at in range(steps + 1)]
        names = [_name(day, size) for day in starts]
    unplaced = TimelineAxis(scale, starts[0], starts[-1], ())
    ticks = [Tick(unplaced.x(day), name) for day, name in zip(starts, names, strict=True)]
    return TimelineAxis(scale, starts[0], starts[-1], tuple(ticks[:-1]))


def _name(day: date, size: int) -> str:
    if size == 1:
        return f"{MONTHS[day.month - 1]} {day.year}"
    return f"Q{(day.month - 1) // 3 + 1} {day.year}"


def shifted(scale: str, anchor: date, way: int) -> date:
    """Return the day around which the timeline before (-1) or after (1) is."""
    before, steps = _SIZES[scale]
    reach = steps - before
    if scale == "weeks":
        return anchor + timedelta(days=7 * reach * way)
    return months_later(anchor, (1 if scale == "months" else 3) * reach * way)


def day_asked(text: str, today: date) -> date:
    """Return the day that an address names, the present where it names none."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return today
    return found if 1990 <= found.year <= 2100 else today


def month_asked(text: str, today: date) -> date:
    """Return the first day of the month that an address names (`2026-03`), else of the present."""
    return day_asked(f"{text}-01", today).replace(day=1)


def weeks_of(month: date, first_weekday: int) -> Sequence[Sequence[date]]:
    """Return the weeks that a month touches, whole; they begin on a day of the week (0: Monday)."""
    begin = month - timedelta(days=(month.weekday() - first_weekday) % 7)
    following = months_later(month, 1)
    weeks = []
    while begin < following:
        weeks.append([begin + timedelta(days=at) for at in range(7)])
        begin += timedelta(days=7)
    return weeks
