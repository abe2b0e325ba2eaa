"""Date literals are half-open stretches of the user's days; date functions count as the vendor."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from clones.crm.rules.soql import Calendar, Days, date_part, fiscal_year, literal_days
from clones.crm.rules.soql.nodes import DateLiteral
from clones.crm.rules.soql.words import COUNTED_LITERALS, PLAIN_LITERALS

# Saturday, 2026-11-28.
NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)
PLAIN = Calendar(NOW, ZoneInfo("UTC"))
MARCH = replace(PLAIN, fiscal_start=3)


def days(text: str, calendar: Calendar = PLAIN) -> tuple[str, str]:
    name, _, n = text.partition(":")
    found = literal_days(DateLiteral(name, int(n) if n else None), calendar)
    return found.start.isoformat(), found.end.isoformat()


@pytest.mark.parametrize(
    ("literal", "start", "end"),
    [
        ("YESTERDAY", "2026-11-27", "2026-11-28"),
        ("TODAY", "2026-11-28", "2026-11-29"),
        ("TOMORROW", "2026-11-29", "2026-11-30"),
        ("LAST_WEEK", "2026-11-15", "2026-11-22"),
        ("THIS_WEEK", "2026-11-22", "2026-11-29"),
        ("NEXT_WEEK", "2026-11-29", "2026-12-06"),
        ("LAST_MONTH", "2026-10-01", "2026-11-01"),
        ("THIS_MONTH", "2026-11-01", "2026-12-01"),
        ("NEXT_MONTH", "2026-12-01", "2027-01-01"),
        ("LAST_90_DAYS", "2026-08-30", "2026-11-29"),
        ("NEXT_90_DAYS", "2026-11-29", "2027-02-27"),
        ("THIS_QUARTER", "2026-10-01", "2027-01-01"),
        ("LAST_QUARTER", "2026-07-01", "2026-10-01"),
        ("NEXT_QUARTER", "2027-01-01", "2027-04-01"),
        ("THIS_YEAR", "2026-01-01", "2027-01-01"),
        ("LAST_YEAR", "2025-01-01", "2026-01-01"),
        ("NEXT_YEAR", "2027-01-01", "2028-01-01"),
        ("LAST_N_DAYS:1", "2026-11-27", "2026-11-29"),
        ("LAST_N_DAYS:0", "2026-11-28", "2026-11-29"),
        ("NEXT_N_DAYS:7", "2026-11-29", "2026-12-06"),
        ("N_DAYS_AGO:1", "2026-11-27", "2026-11-28"),
        ("LAST_N_WEEKS:2", "2026-11-08", "2026-11-22"),
        ("NEXT_N_WEEKS:1", "2026-11-29", "2026-12-06"),
        ("N_WEEKS_AGO:1", "2026-11-15", "2026-11-22"),
        ("LAST_N_MONTHS:1", "2026-10-01", "2026-11-01"),
        ("LAST_N_MONTHS:12", "2025-11-01", "2026-11-01"),
        ("NEXT_N_MONTHS:2", "2026-12-01", "2027-02-01"),
        ("N_MONTHS_AGO:1", "2026-10-01", "2026-11-01"),
        ("LAST_N_QUARTERS:2", "2026-04-01", "2026-10-01"),
        ("NEXT_N_QUARTERS:2", "2027-01-01", "2027-07-01"),
        ("N_QUARTERS_AGO:4", "2025-10-01", "2026-01-01"),
        ("NEXT_N_YEARS:2", "2027-01-01", "2029-01-01"),
        ("N_YEARS_AGO:1", "2025-01-01", "2026-01-01"),
    ],
)
def test_a_literal(literal: str, start: str, end: str) -> None:
    assert days(literal) == (start, end)


def test_last_n_years_begins_a_year_earlier_as_the_vendors_page_has_it() -> None:
    assert days("LAST_N_YEARS:1") == ("2024-01-01", "2026-01-01")
    assert days("LAST_N_FISCAL_YEARS:1") == ("2025-01-01", "2026-01-01")


@pytest.mark.parametrize(
    ("literal", "start", "end"),
    [
        ("THIS_FISCAL_YEAR", "2026-03-01", "2027-03-01"),
        ("LAST_FISCAL_YEAR", "2025-03-01", "2026-03-01"),
        ("NEXT_N_FISCAL_YEARS:2", "2027-03-01", "2029-03-01"),
        ("N_FISCAL_YEARS_AGO:2", "2024-03-01", "2025-03-01"),
        ("THIS_FISCAL_QUARTER", "2026-09-01", "2026-12-01"),
        ("NEXT_FISCAL_QUARTER", "2026-12-01", "2027-03-01"),
        ("LAST_N_FISCAL_QUARTERS:3", "2025-12-01", "2026-09-01"),
        ("N_FISCAL_QUARTERS_AGO:1", "2026-06-01", "2026-09-01"),
        ("THIS_QUARTER", "2026-10-01", "2027-01-01"),
    ],
)
def test_the_fiscal_year_begins_in_its_own_month(literal: str, start: str, end: str) -> None:
    assert days(literal, MARCH) == (start, end)


def test_a_fiscal_year_that_began_in_the_last_calendar_year() -> None:
    february = replace(MARCH, now=datetime(2027, 2, 3, tzinfo=UTC))
    assert days("THIS_FISCAL_YEAR", february) == ("2026-03-01", "2027-03-01")
    assert days("THIS_FISCAL_QUARTER", february) == ("2026-12-01", "2027-03-01")


def test_weeks_begin_on_the_first_day_of_the_locale() -> None:
    sunday = replace(PLAIN, now=datetime(2026, 11, 29, 12, tzinfo=UTC))
    assert days("THIS_WEEK", sunday) == ("2026-11-29", "2026-12-06")
    assert days("THIS_WEEK", replace(sunday, first_weekday=0)) == ("2026-11-23", "2026-11-30")


def test_the_day_is_the_users() -> None:
    tokyo = Calendar(datetime(2026, 11, 28, 20, tzinfo=UTC), ZoneInfo("Asia/Tokyo"))
    assert days("TODAY", tokyo) == ("2026-11-29", "2026-11-30")
    found = literal_days(DateLiteral("TODAY"), tokyo).moments(tokyo.zone)
    assert found == (
        datetime(2026, 11, 28, 15, tzinfo=UTC),
        datetime(2026, 11, 29, 15, tzinfo=UTC),
    )


def test_a_day_on_which_the_clock_is_changed_has_its_own_length() -> None:
    zone = ZoneInfo("America/Los_Angeles")
    start, end = Days(date(2026, 11, 1), date(2026, 11, 2)).moments(zone)
    assert (end - start).total_seconds() == 25 * 3600


@pytest.mark.parametrize("name", sorted(PLAIN_LITERALS | COUNTED_LITERALS))
@pytest.mark.parametrize("n", [0, 1, 999_999_999])
def test_any_literal_is_within_the_vendors_calendar(name: str, n: int) -> None:
    counted = name in COUNTED_LITERALS
    found = literal_days(DateLiteral(name, n if counted else None), MARCH)
    assert date(1700, 1, 1) <= found.start <= found.end <= date(4001, 1, 1)
    assert counted or found.start < found.end


@pytest.mark.parametrize(
    ("name", "day", "expected"),
    [
        ("DAY_IN_WEEK", date(2026, 11, 29), 1),
        ("DAY_IN_WEEK", date(2026, 11, 28), 7),
        ("WEEK_IN_MONTH", date(2026, 4, 7), 1),
        ("WEEK_IN_MONTH", date(2026, 4, 10), 2),
        ("WEEK_IN_YEAR", date(2026, 1, 3), 1),
        ("WEEK_IN_YEAR", date(2026, 1, 8), 2),
        ("DAY_IN_YEAR", date(2026, 2, 1), 32),
        ("DAY_IN_MONTH", date(2026, 2, 20), 20),
        ("CALENDAR_MONTH", date(2026, 2, 20), 2),
        ("CALENDAR_QUARTER", date(2026, 11, 28), 4),
        ("CALENDAR_YEAR", date(2026, 11, 28), 2026),
        ("HOUR_IN_DAY", datetime(2026, 11, 28, 18, 23, tzinfo=UTC), 18),
        ("DAY_ONLY", datetime(2026, 11, 28, 18, 23, tzinfo=UTC), date(2026, 11, 28)),
    ],
)
def test_what_a_date_function_yields(name: str, day: date, expected: int | date) -> None:
    assert date_part(name, day, PLAIN) == expected


@pytest.mark.parametrize(
    ("name", "start", "day", "expected"),
    [
        ("FISCAL_MONTH", 3, date(2026, 2, 1), 12),
        ("FISCAL_MONTH", 3, date(2026, 3, 1), 1),
        ("FISCAL_QUARTER", 7, date(2026, 7, 15), 1),
        ("FISCAL_QUARTER", 7, date(2026, 6, 6), 4),
        ("FISCAL_YEAR", 7, date(2026, 7, 15), 2027),
        ("FISCAL_YEAR", 7, date(2026, 6, 6), 2026),
        ("FISCAL_YEAR", 1, date(2026, 6, 6), 2026),
    ],
)
def test_what_a_fiscal_function_yields(name: str, start: int, day: date, expected: int) -> None:
    assert date_part(name, day, replace(PLAIN, fiscal_start=start)) == expected


def test_a_fiscal_year_may_have_the_number_of_its_start() -> None:
    calendar = replace(PLAIN, fiscal_start=7, fiscal_named_by_end=False)
    assert fiscal_year(date(2026, 7, 15), calendar) == 2026
