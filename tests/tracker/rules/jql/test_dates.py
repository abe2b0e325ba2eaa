"""Dates: literals, periods and functions in the viewer's calendar, and what compares with them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clones.tracker.rules.jql import dates
from clones.tracker.rules.jql.dates import Days, Stretch
from clones.tracker.rules.jql.durations import work_seconds
from tests.tracker.rules.jql.memory import NOW, VIEWER


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-01-05", "2026-01-04T23:00"),
        ("2026/01/05", "2026-01-04T23:00"),
        ("2026-01-05 10:30", "2026-01-05T09:30"),
        ("2026/7/5 9:05", "2026-07-05T07:05"),
        ("-1d", "2026-06-15T14:00"),
        ("-4w 2d", "2026-05-17T14:00"),
        ("+1h 30m", "2026-06-16T15:30"),
        ("1w", "2026-06-23T14:00"),
    ],
)
def test_a_text_is_a_moment(text: str, moment: str) -> None:
    assert dates.literal(text, VIEWER) == utc(moment)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "2026-02-30",
        "2026-01/05",
        "20/12/10",
        "4w 2",
        "-1M",
        "1d" * 9,
        "1234567d",
        "2026-01-05 24:00",
        "2026-01-05T10:00",
        "0001-01-01",
        "999999y",
    ],
)
def test_a_text_is_none(text: str) -> None:
    assert dates.literal(text, replace(VIEWER, now=utc("2026-06-16T14:00"))) is None


@pytest.mark.parametrize(
    ("function", "increment", "moment"),
    [
        ("startOfDay", None, "2026-06-15T22:00"),
        ("ENDOFDAY", None, "2026-06-16T21:59:59"),
        ("startOfDay", "-1w", "2026-06-08T22:00"),
        ("startOfDay", "+15h", "2026-06-16T13:00"),
        ("endOfDay", "1", "2026-06-17T21:59:59"),
        ("startOfWeek", None, "2026-06-14T22:00"),
        ("endOfWeek", "-1", "2026-06-14T21:59:59"),
        ("startOfMonth", None, "2026-05-31T22:00"),
        ("startOfMonth", "-1M", "2026-04-30T22:00"),
        ("startOfMonth", "+14d", "2026-06-14T22:00"),
        ("endOfMonth", "-1M", "2026-05-31T21:59:59"),
        ("endOfMonth", "+15d", "2026-07-15T21:59:59"),
        ("startOfYear", None, "2025-12-31T23:00"),
        ("endOfYear", "+1y", "2027-12-31T22:59:59"),
    ],
)
def test_a_function_is_a_moment(function: str, increment: str | None, moment: str) -> None:
    assert dates.calendar_moment(function, increment, VIEWER) == utc(moment)


@pytest.mark.parametrize("increment", ["", "x", "1x", "--1d", "1 d", "1.5d", "9999999d", "999999y"])
def test_an_increment_must_be_one(increment: str) -> None:
    assert dates.calendar_moment("startOfDay", increment, VIEWER) is None


def test_weeks_begin_where_the_site_says() -> None:
    sunday = replace(VIEWER, first_weekday=6)
    assert dates.calendar_moment("startOfWeek", None, sunday) == utc("2026-06-13T22:00")


def test_days_are_as_long_as_the_clock_makes_them() -> None:
    spring = replace(VIEWER, now=utc("2026-03-29T12:00"))
    assert dates.calendar_moment("startOfDay", None, spring) == utc("2026-03-28T23:00")
    assert dates.calendar_moment("endOfDay", None, spring) == utc("2026-03-29T21:59:59")
    assert dates.whole_day(utc("2026-03-29T12:00"), spring) == Stretch(
        utc("2026-03-28T23:00"), utc("2026-03-29T22:00")
    )


def test_a_month_that_is_shorter_ends_with_its_last_day() -> None:
    last = replace(VIEWER, now=utc("2026-03-31T12:00"))
    assert dates.calendar_moment("startOfDay", "-1M", last) == utc("2026-02-27T23:00")
    assert dates.calendar_moment("endOfMonth", "-1M", last) == utc("2026-02-28T22:59:59")


@given(
    st.sampled_from(["day", "week", "month", "year"]),
    st.integers(0, 3_700_000_000),
    st.integers(-500, 500),
    st.integers(0, 6),
)
@settings(max_examples=150, deadline=None)
def test_a_period_begins_where_the_one_before_ended(
    unit: str, second: int, number: int, first: int
) -> None:
    viewer = replace(VIEWER, now=datetime.fromtimestamp(second, UTC), first_weekday=first)
    end = dates.calendar_moment(f"endOf{unit}", str(number), viewer)
    begin = dates.calendar_moment(f"startOf{unit}", str(number + 1), viewer)
    assert end is not None
    assert begin is not None
    if unit in {"day", "week"}:
        assert begin - end == timedelta(seconds=1)
    start = dates.calendar_moment(f"startOf{unit}", None, viewer)
    close = dates.calendar_moment(f"endOf{unit}", None, viewer)
    assert start is not None
    assert close is not None
    assert start <= viewer.now < close + timedelta(seconds=1)


def test_unverified_moments_are_compared_by_the_second() -> None:
    moment = NOW + timedelta(milliseconds=300)
    after = NOW + timedelta(seconds=1)
    assert dates.stretch("=", moment) == Stretch(NOW, after)
    assert dates.stretch("<", moment) == Stretch(None, NOW)
    assert dates.stretch("<=", moment) == Stretch(None, after)
    assert dates.stretch(">", moment) == Stretch(after, None)
    assert dates.stretch(">=", moment) == Stretch(NOW, None)


def test_days_are_compared_by_the_viewers_calendar() -> None:
    late = utc("2026-06-16T22:30")  # the 17th in Berlin
    assert dates.days("=", late, VIEWER) == Days(date(2026, 6, 17), date(2026, 6, 18))
    assert dates.days("<", late, VIEWER) == Days(None, date(2026, 6, 17))
    assert dates.days("<=", late, VIEWER) == Days(None, date(2026, 6, 18))
    assert dates.days(">", late, VIEWER) == Days(date(2026, 6, 18), None)
    assert dates.days(">=", late, VIEWER) == Days(date(2026, 6, 17), None)


def test_a_number_is_a_moment_of_its_own() -> None:
    assert dates.epoch(0) == utc("1970-01-01T00:00")
    assert dates.epoch(1_750_000_000_500) == utc("2025-06-15T15:06:40.5")
    assert dates.epoch(2**62) is None


def test_the_ends_of_time_do_no_harm() -> None:
    last = datetime.max.replace(tzinfo=UTC)
    assert dates.stretch("=", last).end is not None
    assert dates.days("<=", last, VIEWER).end == date.max
    assert dates.whole_day(last, VIEWER).end is not None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1h 30m", 5400),
        ("2d", 57600),
        ("1w", 144000),
        ("1.5h", 5400),
        ("-1h", None),
        ("soon", None),
        ("", None),
    ],
)
def test_a_text_is_so_much_work(text: str, seconds: int | None) -> None:
    assert work_seconds(text, VIEWER) == seconds


def test_unverified_units_that_documents_are_silent_about() -> None:
    """A year of a period is 365 days, a bare number of work is minutes."""
    assert dates.literal("-1y", VIEWER) == utc("2025-06-16T14:00")
    assert work_seconds("30", VIEWER) == 1800
