"""When sellers work: weekdays, within the office hours of their own zone, now and then not."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from functools import cache
from random import Random
from zoneinfo import ZoneInfo

SATURDAY = 5
WEEKENDS, TRIES = 0.03, 5


@cache
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def working_moment(rng: Random, first: datetime, last: datetime, zone: str) -> datetime:
    """Return a whole second between two moments when somebody of a zone is at work.

    Where the two are too near each other for that it is any moment between them.
    """
    span = (last - first).total_seconds()
    for _ in range(TRIES):
        day = (first + timedelta(seconds=rng.random() * span)).astimezone(_zone(zone)).date()
        if day.weekday() >= SATURDAY and rng.random() > WEEKENDS:
            day += timedelta(days=7 - day.weekday() if rng.random() < 0.5 else 4 - day.weekday())
        seconds = int(rng.triangular(8.4, 17.8, 10.8) * 3600)
        local = datetime.combine(day, time(tzinfo=_zone(zone))) + timedelta(seconds=seconds)
        found = local.astimezone(UTC)
        if first <= found <= last:
            return found
    return first + timedelta(seconds=int(rng.random() * max(span, 0)))


def quarter_hour(moment: datetime) -> datetime:
    """Return the quarter of an hour that a moment lies in: when meetings begin."""
    return moment.replace(minute=moment.minute // 15 * 15, second=0, microsecond=0)


def local_offset(zone: str, moment: datetime) -> timedelta:
    """Return how far a zone's clocks are from UTC at a moment."""
    return moment.astimezone(_zone(zone)).utcoffset() or timedelta()
