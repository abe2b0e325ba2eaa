"""Dates of queries: literals, periods and functions, as moments and as stretches of time.

Moments are compared by the second, days by the day; a day is one of the viewer's calendar.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from clones.tracker.rules.jql.nodes import Operator
from clones.tracker.rules.jql.site import Viewer

FORMATS: Final = (
    "Valid formats include: 'yyyy/MM/dd HH:mm', 'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', or "
    "a period format e.g. '-5d', '4w 2d'."
)
SECOND: Final = timedelta(seconds=1)
DAY: Final = timedelta(days=1)
_LITERAL = re.compile(
    r"([0-9]{4})(?:/([0-9]{1,2})/|-([0-9]{1,2})-)([0-9]{1,2})(?: ([0-9]{1,2}):([0-9]{2}))?"
)
_PERIOD = re.compile(r"([+-]?)((?:\s*[0-9]{1,6}[ywdhm]){1,8})")
_PART = re.compile(r"([0-9]+)([ywdhm])")
_INCREMENT = re.compile(r"([+-]?)([0-9]{1,6})([yMwdhm]?)")
_LENGTHS: Final = {
    "y": timedelta(days=365),
    "w": timedelta(weeks=1),
    "d": DAY,
    "h": timedelta(hours=1),
    "m": timedelta(minutes=1),
}
_CALENDAR: Final = re.compile("(start|end)of(day|week|month|year)")
_UNITS: Final = {"day": "d", "week": "w", "month": "M", "year": "y"}
_SIZES: Final = "mhdwMy"


@dataclass(frozen=True, slots=True)
class Stretch:
    """Times from `start` up to, but not including, `end`; None for no bound. In UTC."""

    start: datetime | None
    end: datetime | None

    def within(self, other: Stretch) -> Stretch:
        """Return the times that are in both."""
        starts = [part for part in (self.start, other.start) if part is not None]
        ends = [part for part in (self.end, other.end) if part is not None]
        return Stretch(max(starts, default=None), min(ends, default=None))


@dataclass(frozen=True, slots=True)
class Days:
    """Days from `start` up to, but not including, `end`; None for no bound."""

    start: date | None
    end: date | None


def literal(text: str, viewer: Viewer) -> datetime | None:
    """Return the moment that a date or a period is, in UTC; None if it is neither."""
    text = text.strip()
    try:
        if (found := _LITERAL.fullmatch(text)) is not None:
            year, slashed, dashed, day, hour, minute = found.groups()
            local = datetime(
                int(year),
                int(slashed or dashed),
                int(day),
                int(hour or 0),
                int(minute or 0),
                tzinfo=viewer.zone,
            )
            return local.astimezone(UTC)
        if (found := _PERIOD.fullmatch(text)) is not None:
            parts = _PART.findall(found[2])
            length = sum((int(number) * _LENGTHS[unit] for number, unit in parts), timedelta())
            return (viewer.now - length if found[1] == "-" else viewer.now + length).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return None


def epoch(milliseconds: int) -> datetime | None:
    """Return the moment that a number without quotation marks is; None if there is none."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def is_calendar(function: str) -> bool:
    """Tell whether a function is one of `startOfDay` to `endOfYear`."""
    return _CALENDAR.fullmatch(function.lower()) is not None


def calendar_moment(function: str, increment: str | None, viewer: Viewer) -> datetime | None:
    """Return what `startOfDay("-1d")` and its like are, in UTC; None for an increment that is none.

    An increment of the function's unit or a longer one chooses which day (week, month, year) is
    meant; a shorter one is counted from its start or end.
    """
    found = _CALENDAR.fullmatch(function.lower())
    if found is None:
        raise ValueError(function)
    edge, unit = found[1], _UNITS[found[2]]
    number, step = 0, unit
    if increment is not None:
        parts = _INCREMENT.fullmatch(increment.strip())
        if parts is None:
            return None
        number = int(parts[2]) * (-1 if parts[1] == "-" else 1)
        step = parts[3] or unit
    local = viewer.now.astimezone(viewer.zone)
    try:
        first = _SIZES.index(step) >= _SIZES.index(unit)
        day = _moved(local, number, step).date() if first else local.date()
        start = _start(day, unit, viewer)
        if edge == "end":
            start = _moved(start, 1, unit)
        moment = start if first else _moved(start, number, step)
        utc = moment.astimezone(UTC)
        return utc - SECOND if edge == "end" else utc
    except (ValueError, OverflowError):
        return None


def _start(day: date, unit: str, viewer: Viewer) -> datetime:
    if unit == "w":
        day -= timedelta(days=(day.weekday() - viewer.first_weekday) % 7)
    elif unit == "M":
        day = day.replace(day=1)
    elif unit == "y":
        day = day.replace(month=1, day=1)
    return datetime.combine(day, time(), viewer.zone)


def _moved(moment: datetime, number: int, unit: str) -> datetime:
    if unit in "hm":
        return (moment.astimezone(UTC) + number * _LENGTHS[unit]).astimezone(moment.tzinfo)
    if unit in "dw":
        # By the calendar: the time of day stays over a change of the clock.
        return moment + number * _LENGTHS[unit]
    months = moment.year * 12 + moment.month - 1 + number * (12 if unit == "y" else 1)
    year, month = months // 12, months % 12 + 1
    return moment.replace(year=year, month=month, day=min(moment.day, monthrange(year, month)[1]))


def stretch(operator: Operator, moment: datetime) -> Stretch:
    """Return the times that compare so with a moment: `operator` is `=` or one of order."""
    start = moment.replace(microsecond=0)
    try:
        end = start + SECOND
    except OverflowError:
        end = start
    return {
        "=": Stretch(start, end),
        "<": Stretch(None, start),
        "<=": Stretch(None, end),
        ">": Stretch(end, None),
        ">=": Stretch(start, None),
    }[operator]


def days(operator: Operator, moment: datetime, viewer: Viewer) -> Days:
    """Return the days that compare so with the day of a moment."""
    start = _local_day(moment, viewer)
    end = _next(start)
    return {
        "=": Days(start, end),
        "<": Days(None, start),
        "<=": Days(None, end),
        ">": Days(end, None),
        ">=": Days(start, None),
    }[operator]


def whole_day(moment: datetime, viewer: Viewer) -> Stretch:
    """Return the viewer's day that a moment is in."""
    day = _local_day(moment, viewer)
    try:
        start = datetime.combine(day, time(), viewer.zone).astimezone(UTC)
        end = datetime.combine(_next(day), time(), viewer.zone).astimezone(UTC)
    except OverflowError:
        return Stretch(moment, moment)
    return Stretch(start, end)


def _local_day(moment: datetime, viewer: Viewer) -> date:
    try:
        return moment.astimezone(viewer.zone).date()
    except OverflowError:
        return moment.date()


def _next(day: date) -> date:
    return day if day == date.max else day + DAY
