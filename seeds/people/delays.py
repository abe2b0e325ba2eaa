"""When a person gets round to answering."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from seeds.draw import lognormal

SPREAD = 0.45
SOONEST = timedelta(minutes=2)
LATEST_FACTOR = 3.0
# How much slower people answer what reaches them in each hour of their day, on working days.
SLOWNESS = (
    *(2.5, 2.5, 2.5, 2.5, 2.5, 2.0, 1.6, 1.2),
    *(1.0, 0.9, 0.8, 0.8, 1.0, 1.1, 0.9, 0.9),
    *(1.0, 1.1, 1.2, 1.3, 1.4, 1.6, 1.9, 2.2),
)
WEEKEND = 1.4


def reply_delay(at: datetime, median: timedelta, zone: str, rng: Random) -> timedelta:
    """Draw how long after `at` a person answers: log-normal, longer at night and at weekends.

    Always more than nothing, so that an answer never precedes what it answers.
    """
    local = at.astimezone(ZoneInfo(zone))
    slowness = SLOWNESS[local.hour] * (WEEKEND if local.isoweekday() > 5 else 1.0)
    seconds = median.total_seconds() * min(lognormal(rng, 1.0, SPREAD), LATEST_FACTOR) * slowness
    return max(timedelta(seconds=round(seconds)), SOONEST)
