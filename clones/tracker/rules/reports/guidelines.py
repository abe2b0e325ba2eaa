"""The guideline of a burndown: from all to nothing, over the days on which people work."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta, tzinfo

MOST_DAYS = 750
IsWorking = Callable[[date], bool]


def guideline(
    total: float, start: datetime, end: datetime, zone: tzinfo, is_working: IsWorking
) -> list[tuple[datetime, float]]:
    """Return the corners of the line, the first at the start, the last, at nothing, at the end.

    It falls evenly while people work and is level while they do not. Without any working time it
    falls evenly all the time.

    Args:
        total: what it begins with.
        start: of the sprint.
        end: of the sprint, as planned; after the start.
        zone: in which days begin.
        is_working: tells of a day.
    """
    pieces = _pieces(start, end, zone)
    if len(pieces) > MOST_DAYS:
        return [(start, total), (end, 0.0)]
    working = [
        (until - since).total_seconds() if is_working(day) else 0.0 for day, since, until in pieces
    ]
    if not any(working):
        return [(start, total), (end, 0.0)]
    whole, gone = sum(working), 0.0
    found = [(start, total)]
    for (_, _, until), seconds in zip(pieces, working, strict=True):
        gone += seconds
        found.append((until, total * (1 - gone / whole)))
    found[-1] = (end, 0.0)
    return found


def _pieces(start: datetime, end: datetime, zone: tzinfo) -> list[tuple[date, datetime, datetime]]:
    """Return the days of a span: which, and from when to when of it."""
    found: list[tuple[date, datetime, datetime]] = []
    since = start
    while since < end and len(found) <= MOST_DAYS:
        day = since.astimezone(zone).date()
        midnight = datetime.combine(day + timedelta(days=1), time.min, zone)
        until = min(end, midnight.astimezone(start.tzinfo))
        found.append((day, since, until))
        since = until
    return found


def level_days(
    start: datetime, end: datetime, zone: tzinfo, is_working: IsWorking
) -> list[tuple[datetime, datetime]]:
    """Return the stretches of a span in which nobody works, neighbouring days together."""
    found: list[tuple[datetime, datetime]] = []
    for day, since, until in _pieces(start, end, zone):
        if is_working(day):
            continue
        if found and found[-1][1] == since:
            found[-1] = (found[-1][0], until)
        else:
            found.append((since, until))
    return found
