"""When tickets come in: a gamma-Poisson process over days, hours by the requester's own clock."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import cache
from random import Random
from statistics import fmean
from zoneinfo import ZoneInfo

from seeds.draw import Draws, Weighted
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.sizes import Size

HOURS = (
    1.1, 0.9, 0.6, 0.5, 0.5, 0.5, 1.3, 2.3, 10.2, 12.1, 11.6, 9.9,
    5.4, 6.6, 9.0, 8.6, 7.5, 4.3, 1.9, 1.2, 0.9, 1.4, 1.0, 0.7,
)  # fmt: skip
WEEKDAYS = (24.2, 20.0, 19.4, 16.8, 15.9, 2.7, 2.2)
DAY_SHAPE = 11.5
BUSIEST = 1.5
LOUDEST = 1.7
# How far over its mean chance may fill a stretch of office hours.
CROWD = 2.6
COUNTABLE = 4  # tickets; of fewer the ratio says nothing
TRIES = 20
Stretch = tuple[date, int]
HOLIDAYS = {
    (12, 25): 0.12,
    (12, 26): 0.15,
    (1, 1): 0.2,
    (12, 24): 0.4,
    (12, 31): 0.5,
    (4, 3): 0.45,
    (4, 6): 0.4,
    (5, 25): 0.6,
}


def day_weights(draws: Draws, size: Size) -> list[tuple[datetime, float]]:
    """Return the expected share of each day: weekday, growth, a slow drift and a gamma factor."""
    slow = 0.0
    factors = []
    for number in range(size.days + 1):
        day = size.start + timedelta(days=number)
        rng = draws.rng("day", number)
        slow = 0.93 * slow + rng.gauss(0, 0.085)
        factor = min(rng.gammavariate(DAY_SHAPE, 1 / DAY_SHAPE), BUSIEST)
        factors.append((day, math.exp(slow) * factor))
    usual = _by_weekday(factors)
    days = []
    for number, (day, drawn) in enumerate(factors):
        growth = 1.0 + 0.02 * number / 30.4
        factor = min(drawn / usual[day.weekday()], LOUDEST)
        weight = WEEKDAYS[day.weekday()] * factor * growth
        weight *= HOLIDAYS.get((day.month, day.day), 1.0)
        if number == size.days:
            weight *= 0.5
        days.append((day, weight))
    return days


def _by_weekday(factors: list[tuple[datetime, float]]) -> list[float]:
    """Return each weekday's mean factor: days differ, but a Monday stays a Monday.

    A few months of chance alone would now and then make Fridays the busier ones.
    """
    return [
        fmean([factor for day, factor in factors if day.weekday() == weekday] or [1.0])
        for weekday in range(7)
    ]


def moments(draws: Draws, size: Size, asking: Sequence[tuple[Random, str]]) -> list[datetime]:
    """Return when each ticket comes in, of its chance and its requester's time zone.

    Only incidents make a desk three times as busy as usual: tickets of office hours that chance has
    crowded are drawn anew.
    """
    days = Weighted(day_weights(draws, size))
    found = [moment_of(rng, days.draw(rng), iana) for rng, iana in asking]
    hours = size.stretch
    counts = Counter(place for moment in found if (place := _stretch(moment, hours)) is not None)
    usual = _usual(counts, {moment.date() for moment in found})
    for number, (rng, iana) in enumerate(asking):
        for _ in range(TRIES):
            place = _stretch(found[number], hours)
            if place is None:
                break
            mean = usual.get((place[0].weekday(), place[1]), COUNTABLE)
            if counts[place] <= CROWD * mean:
                break
            counts[place] -= 1
            found[number] = moment_of(rng, days.draw(rng), iana)
            if (moved := _stretch(found[number], hours)) is not None:
                counts[moved] += 1
    return found


def _usual(counts: Counter[Stretch], dates: set[date]) -> dict[tuple[int, int], float]:
    """Return how many tickets each part of each weekday has on average."""
    days = Counter(day.weekday() for day in dates)
    totals: Counter[tuple[int, int]] = Counter()
    for (day, part), count in counts.items():
        totals[day.weekday(), part] += count
    return {place: max(total / days[place[0]], COUNTABLE) for place, total in totals.items()}


def _stretch(moment: datetime, hours: int) -> Stretch | None:
    """Return the day and the part of it of so many hours, in office hours of a weekday."""
    if moment.weekday() < 5 and 8 <= moment.hour < 18:
        return moment.date(), (moment.hour - 8) // hours
    return None


@cache
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


HOUR_OF_DAY = Weighted([(hour, share) for hour, share in enumerate(HOURS)])


def moment_of(rng: Random, day: datetime, iana: str) -> datetime:
    """Return a moment of a day, by the clock on the requester's wall."""
    for _ in range(50):
        local = datetime(
            day.year,
            day.month,
            day.day,
            HOUR_OF_DAY.draw(rng),
            rng.randrange(60),
            rng.randrange(60),
            tzinfo=_zone(iana),
        )
        moment = local.astimezone(PRESENT.tzinfo)
        if moment < PRESENT - timedelta(minutes=4):
            return moment
    return PRESENT - timedelta(minutes=rng.randrange(5, 300))


def local_hour(moment: datetime, iana: str) -> int:
    """Return the hour of a moment in a time zone."""
    return moment.astimezone(_zone(iana)).hour


def local_weekday(moment: datetime, iana: str) -> int:
    """Return the weekday of a moment in a time zone, Monday being 0."""
    return moment.astimezone(_zone(iana)).weekday()


def to_working_time(rng: Random, moment: datetime, region: str) -> datetime:
    """Return a moment near the given one at which that part of the desk works."""
    first, last = (8, 17) if region == "uk" else (13, 22)
    moment = moment.replace(microsecond=0)
    if moment.weekday() == 5:
        moment -= timedelta(days=1) if rng.random() < 0.5 else timedelta(days=-2)
    elif moment.weekday() == 6:
        moment += timedelta(days=1)
    if first <= moment.hour < last:
        return moment
    return moment.replace(
        hour=rng.randrange(first, last), minute=rng.randrange(60), second=rng.randrange(60)
    )
