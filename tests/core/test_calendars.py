"""Business hours count the time that passes, in every zone and through every change of clocks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import pairwise
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from clones.core.calendars import AlwaysOpen, BusinessHours

DAY = 24 * 60
HOUR = timedelta(hours=1)
ZONES = sorted(available_timezones() - {"localtime"})
ALL_DAY = ((0, DAY),)
Week = tuple[tuple[tuple[int, int], ...], ...]


@cache
def zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def open_always(name: str, spans: Sequence[tuple[int, int]] = ALL_DAY) -> BusinessHours:
    """Return hours that are open at any time, cut into the spans of a day."""
    return BusinessHours(zone(name), (tuple(spans),) * 7)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


MOMENTS = st.timedeltas(timedelta(0), timedelta(days=43 * 365)).map(
    lambda since: datetime(1995, 1, 1, tzinfo=UTC) + since
)
SPANS = st.timedeltas(timedelta(0), timedelta(days=40))
CUTS = st.lists(st.integers(1, DAY - 1), max_size=3, unique=True).map(sorted)
DAYS = st.lists(st.integers(0, DAY), min_size=2, max_size=6, unique=True).map(
    lambda found: tuple(zip(sorted(found)[::2], sorted(found)[1::2], strict=False))
)
WEEKS = st.tuples(*[st.one_of(st.just(()), DAYS)] * 7)
HOLIDAYS = st.lists(
    st.tuples(st.dates(date(2020, 1, 1), date(2026, 12, 31)), st.integers(0, 5)).map(
        lambda pair: (pair[0], pair[0] + timedelta(days=pair[1]))
    ),
    max_size=3,
).map(tuple)


@given(st.sampled_from(ZONES), MOMENTS, SPANS, CUTS)
@example("Europe/Berlin", utc("2026-10-24 12:00"), timedelta(hours=48), [])
@example("Europe/Berlin", utc("2026-03-28 12:00"), timedelta(hours=48), [150])
@example("Africa/Cairo", utc("2026-04-23 12:00"), timedelta(hours=48), [30])
@example("America/Havana", utc("2026-10-31 12:00"), timedelta(hours=48), [30])
@example("Pacific/Apia", utc("2011-12-29 12:00"), timedelta(hours=96), [600])
@settings(max_examples=600)
def test_who_never_closes_counts_every_hour(
    name: str, since: datetime, length: timedelta, cuts: list[int]
) -> None:
    edges = [0, *cuts, DAY]
    hours = open_always(name, list(pairwise(edges)))
    assert hours.open_time(since, since + length) == length
    assert hours.open_time_ends(since, length) == since + length
    assert hours.open_time_began(since + length, length) == since
    assert hours.is_open(since)


@cache
def changes_of_clocks(name: str, year: int) -> list[datetime]:
    """Return the midnights, in UTC, before the days on which a zone's clocks change."""
    days = [datetime(year, 1, 1, tzinfo=UTC) + timedelta(days=day) for day in range(366)]
    offsets = [day.astimezone(zone(name)).utcoffset() for day in days]
    return [
        day
        for day, (one, next_one) in zip(days, pairwise(offsets), strict=False)
        if one != next_one
    ]


@given(
    st.sampled_from(ZONES),
    st.integers(2005, 2030),
    st.integers(0, 3),
    st.timedeltas(timedelta(hours=-40), timedelta(hours=40)),
    st.timedeltas(timedelta(0), timedelta(hours=60)),
)
@example("Europe/Berlin", 2026, 1, timedelta(hours=-12), timedelta(hours=37))
@example("Europe/Berlin", 2026, 0, timedelta(hours=-12), timedelta(hours=37))
@settings(max_examples=600)
def test_who_never_closes_counts_every_hour_beside_a_change_of_clocks(
    name: str, year: int, number: int, before: timedelta, length: timedelta
) -> None:
    changes = changes_of_clocks(name, year)
    since = (
        changes[number % len(changes)] if changes else datetime(year, 6, 1, tzinfo=UTC)
    ) + before
    hours = open_always(name)
    assert hours.open_time(since, since + length) == length
    assert hours.open_time_ends(since, length) == since + length
    assert hours.open_time_began(since + length, length) == since


@given(st.sampled_from(ZONES), WEEKS, HOLIDAYS, MOMENTS, SPANS, SPANS)
@settings(max_examples=300)
def test_open_time_adds_up_and_what_is_added_is_counted(
    name: str,
    week: Week,
    holidays: tuple[tuple[date, date], ...],
    since: datetime,
    first: timedelta,
    second: timedelta,
) -> None:
    hours = BusinessHours(zone(name), week, holidays)
    middle, end = since + first, since + first + second
    whole = hours.open_time(since, end)
    assert whole == hours.open_time(since, middle) + hours.open_time(middle, end)
    assert timedelta(0) <= whole <= first + second
    assert hours.open_time(end, since) == timedelta(0)
    ends = hours.open_time_ends(since, whole)
    if whole:
        assert ends is not None
        assert ends <= end
        assert hours.open_time(since, ends) == whole
        began = hours.open_time_began(end, whole)
        assert began is not None
        assert began >= since
        assert hours.open_time(began, end) == whole


@given(st.sampled_from(ZONES), WEEKS, HOLIDAYS, MOMENTS)
@settings(max_examples=400)
def test_it_is_open_when_the_wall_clock_says_so(
    name: str, week: Week, holidays: tuple[tuple[date, date], ...], moment: datetime
) -> None:
    """Except on days on which clocks change, when an hour is shown twice or not at all."""
    local = moment.astimezone(zone(name))
    around = [(moment + timedelta(days=days)).astimezone(local.tzinfo) for days in (-1, 1)]
    if any(other.utcoffset() != local.utcoffset() for other in around):
        return
    minute = local.hour * 60 + local.minute
    shown = any(start <= minute < end for start, end in week[local.weekday()])
    free = any(first <= local.date() <= last for first, last in holidays)
    hours = BusinessHours(zone(name), week, holidays)
    assert hours.is_open(moment) == (shown and not free)


@pytest.mark.parametrize(
    ("week", "since", "until", "hours"),
    [
        # Berlin's clocks go from 02:00 to 03:00 on 29 March 2026, and back on 25 October.
        (((150, 600),), "2026-03-29 00:00", "2026-03-29 12:00", 7),
        (((120, 180),), "2026-03-28 23:00", "2026-03-29 12:00", 0),
        (((0, 240),), "2026-10-24 22:00", "2026-10-25 12:00", 5),
        (((1320, 1560),), "2026-10-24 12:00", "2026-10-25 12:00", 4),
    ],
)
def test_spans_that_hold_a_change_of_clocks(
    week: tuple[tuple[int, int], ...], since: str, until: str, hours: int
) -> None:
    found = open_always("Europe/Berlin", week).open_time(utc(since), utc(until))
    assert found == hours * HOUR


def test_a_holiday_of_every_year_opens_nothing() -> None:
    hours = BusinessHours(zone("UTC"), (ALL_DAY,) * 7, (), frozenset({(12, 25)}))
    for year in (2024, 2026):
        christmas = utc(f"{year}-12-25 00:00")
        assert hours.open_time(christmas - 12 * HOUR, christmas + 36 * HOUR) == 24 * HOUR
        assert not hours.is_open(christmas)


def test_who_never_opens_counts_nothing_and_ends_never() -> None:
    hours = BusinessHours(zone("UTC"), ((),) * 7)
    noon = utc("2026-06-16 12:00")
    assert hours.open_time(noon, noon + 48 * HOUR) == timedelta(0)
    assert hours.open_time_ends(noon, HOUR) is None
    assert hours.open_time_began(noon, HOUR) is None


def test_the_end_of_dates_is_no_error() -> None:
    last = datetime(9999, 12, 30, 12, tzinfo=UTC)
    hours = BusinessHours(zone("UTC"), (((540, 1020),),) * 7)
    assert hours.open_time_ends(last, 400 * HOUR) is None


def test_always_open() -> None:
    noon = utc("2026-06-16 12:00")
    assert AlwaysOpen().open_time(noon, noon + HOUR) == HOUR
    assert AlwaysOpen().open_time(noon, noon - HOUR) == timedelta(0)
    assert AlwaysOpen().open_time_ends(noon, HOUR) == noon + HOUR
    assert AlwaysOpen().open_time_began(noon, HOUR) == noon - HOUR
    assert AlwaysOpen().is_open(noon)
