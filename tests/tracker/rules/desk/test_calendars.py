"""Working time: spans, holidays, changes of clocks."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from clones.tracker.rules.desk.calendars import AllTime, WorkingTime

HOUR = 3_600_000
NINE_TO_FIVE = {
    day: [["09:00", "17:00"]] for day in ("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY")
}


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def plan(hours: Any = None, *holidays: Any, zone: str = "UTC") -> WorkingTime:
    return WorkingTime.parse(zone, NINE_TO_FIVE if hours is None else hours, holidays)


# 2026-06-12 is a Friday.
@pytest.mark.parametrize(
    ("calendar", "since", "until", "hours"),
    [
        (plan(), "2026-06-12 10:00", "2026-06-12 12:30", 2.5),
        (plan(), "2026-06-12 16:00", "2026-06-15 10:00", 2),
        (plan(), "2026-06-13 00:00", "2026-06-14 23:00", 0),
        (plan(), "2026-06-12 20:00", "2026-06-12 09:00", 0),
        (plan(), "2026-06-08 00:00", "2026-06-15 00:00", 40),
        (plan(None, {"date": "2026-06-15"}), "2026-06-12 16:00", "2026-06-16 10:00", 2),
        (
            plan(None, {"date": "2020-06-15", "recurring": True}),
            "2026-06-12 16:00",
            "2026-06-16 10:00",
            2,
        ),
        (plan(None, {"date": "2020-06-15"}), "2026-06-12 16:00", "2026-06-16 10:00", 10),
        # New York works from 13:00 to 21:00 UTC in summer, from 14:00 to 22:00 in winter.
        (plan(zone="America/New_York"), "2026-06-12 09:00", "2026-06-12 14:00", 1),
        (plan(zone="America/New_York"), "2026-01-16 09:00", "2026-01-16 15:00", 1),
        # On 2026-03-29 Berlin goes from 02:00 straight to 03:00: the day has 23 hours.
        (
            plan({"SUNDAY": [["00:00", "24:00"]]}, zone="Europe/Berlin"),
            "2026-03-27 00:00",
            "2026-03-31 00:00",
            23,
        ),
        (
            plan({"SUNDAY": [["02:30", "03:00"]]}, zone="Europe/Berlin"),
            "2026-03-27 00:00",
            "2026-03-31 00:00",
            0,
        ),
        # Spans that touch or overlap are one.
        (
            plan({"FRIDAY": [["12:00", "14:00"], ["09:00", "13:00"]]}),
            "2026-06-12 00:00",
            "2026-06-13 00:00",
            5,
        ),
        (AllTime(), "2026-06-12 16:00", "2026-06-15 16:00", 72),
        (plan({}), "2026-06-12 16:00", "2026-06-15 16:00", 0),
    ],
)
def test_working_time_between_two_moments(
    calendar: WorkingTime, since: str, until: str, hours: float
) -> None:
    assert calendar.milliseconds_between(utc(since), utc(until)) == hours * HOUR


@pytest.mark.parametrize(
    ("calendar", "since", "hours", "until"),
    [
        (plan(), "2026-06-12 10:00", 2, "2026-06-12 12:00"),
        (plan(), "2026-06-12 16:00", 1, "2026-06-12 17:00"),
        (plan(), "2026-06-12 16:00", 2, "2026-06-15 10:00"),
        (plan(), "2026-06-13 12:00", 0, "2026-06-15 09:00"),
        (plan(), "2026-06-12 09:00", 40, "2026-06-18 17:00"),
        (AllTime(), "2026-06-12 16:00", 30, "2026-06-13 22:00"),
    ],
)
def test_a_length_of_working_time_is_over_at_a_moment(
    calendar: WorkingTime, since: str, hours: int, until: str
) -> None:
    assert calendar.add(utc(since), hours * HOUR) == utc(until)


@pytest.mark.parametrize(
    ("calendar", "until", "hours", "since"),
    [
        (plan(), "2026-06-12 12:00", 2, "2026-06-12 10:00"),
        (plan(), "2026-06-12 17:30", 1, "2026-06-12 16:00"),
        (plan(), "2026-06-15 10:00", 2, "2026-06-12 16:00"),
        # What is over at nine was over at five the day before, and at nine it still is.
        (plan(), "2026-06-12 12:00", 3, "2026-06-12 09:00"),
        (plan(), "2026-06-13 12:00", 8, "2026-06-12 09:00"),
        (plan(), "2026-06-18 17:00", 40, "2026-06-12 09:00"),
        (
            plan({"FRIDAY": [["09:00", "12:00"], ["13:00", "17:00"]]}),
            "2026-06-12 15:00",
            4,
            "2026-06-12 10:00",
        ),
        # The day on which Berlin leaves an hour out has 23 of them.
        (
            plan({"SUNDAY": [["00:00", "24:00"]]}, zone="Europe/Berlin"),
            "2026-03-31 00:00",
            23,
            "2026-03-28 23:00",
        ),
        (AllTime(), "2026-06-13 22:00", 30, "2026-06-12 16:00"),
    ],
)
def test_a_length_of_working_time_began_at_a_moment(
    calendar: WorkingTime, until: str, hours: int, since: str
) -> None:
    assert calendar.subtract(utc(until), hours * HOUR) == utc(since)
    assert calendar.milliseconds_between(utc(since), utc(until)) == hours * HOUR


def test_a_desk_that_never_opens_never_gets_there() -> None:
    closed = plan({})
    assert closed.add(utc("2026-06-12 10:00"), HOUR) is None
    assert closed.subtract(utc("2026-06-12 10:00"), HOUR) is None
    assert not closed.is_open(utc("2026-06-12 10:00"))


@pytest.mark.parametrize(
    ("moment", "is_open"),
    [
        ("2026-06-12 09:00", True),
        ("2026-06-12 16:59", True),
        ("2026-06-12 17:00", False),
        ("2026-06-13 12:00", False),
    ],
)
def test_a_desk_is_open_from_the_first_minute_to_before_the_last(
    moment: str, *, is_open: bool
) -> None:
    assert plan().is_open(utc(moment)) is is_open
    assert AllTime().is_open(utc(moment))


@pytest.mark.parametrize(
    "hours",
    [{"MONDAY": [["17:00", "09:00"]]}, {"MONDAY": [["09:00", "25:00"]]}, {"MONDAY": [["x", "y"]]}],
)
def test_hours_that_are_none_are_refused(hours: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        plan(hours)


def test_a_span_crosses_no_day_but_reaches_its_end() -> None:
    night = plan({"FRIDAY": [["22:00", "24:00"]], "SATURDAY": [["00:00", "02:00"]]})
    assert night.milliseconds_between(utc("2026-06-12 23:00"), utc("2026-06-13 12:00")) == 3 * HOUR
    new_year = date(2026, 1, 1)
    never = WorkingTime(ZoneInfo("UTC"), ((),) * 7, ((new_year, new_year),))
    assert never.add(utc("2026-01-01 00:00"), 1) is None
    assert night.add(utc("2026-06-12 23:00"), 2 * HOUR) == utc("2026-06-13 00:00") + timedelta(
        hours=1
    )
