from __future__ import annotations

from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from clones.crm.rules.formulas import Blanks, FieldType, Kind, field_value
from tests.crm.rules.formulas.working import failure, value

D = Decimal
LOS_ANGELES = ZoneInfo("America/Los_Angeles")
TOKYO = ZoneInfo("Asia/Tokyo")
EXAMPLES: list[tuple[str, Any]] = [
    ("DATE(2024, 2, 29)", date(2024, 2, 29)),
    ("DATE(2024.9, 2.9, 29.9)", date(2024, 2, 29)),
    ('DATEVALUE("2024-2-9")', date(2024, 2, 9)),
    ('DATEVALUE("2024-02-09 10:00:00")', date(2024, 2, 9)),
    ("DATEVALUE(Made)", date(2024, 2, 29)),
    ('DATETIMEVALUE("2024-02-29 7:05:09")', datetime(2024, 2, 29, 7, 5, 9, tzinfo=UTC)),
    ("DATETIMEVALUE(Due)", datetime(2024, 2, 29, tzinfo=UTC)),
    ("DATETIMEVALUE(Made)", datetime(2024, 2, 29, 23, 15, 10, tzinfo=UTC)),
    ('TIMEVALUE("09:05:07.250")', time(9, 5, 7, 250_000)),
    ('TIMEVALUE("9:5:7.5")', time(9, 5, 7, 5_000)),
    ("TIMEVALUE(Made)", time(23, 15, 10)),
    ("TIMEVALUE(Opens)", time(9, 5, 7, 250_000)),
    ("Due + 1", date(2024, 3, 1)),
    ("1.9 + Due", date(2024, 3, 1)),
    ("Due - 1.9", date(2024, 2, 28)),
    ("Due - DATE(2023, 2, 28)", D(366)),
    ("Made + 0.5", datetime(2024, 3, 1, 11, 15, 10, tzinfo=UTC)),
    ("1 + Made", datetime(2024, 3, 1, 23, 15, 10, tzinfo=UTC)),
    ("Made - 1 / 86400", datetime(2024, 2, 29, 23, 15, 9, tzinfo=UTC)),
    ("Made - (Made - 0.25)", D("0.25")),
    ("Made + 0.5 / 86400", datetime(2024, 2, 29, 23, 15, 11, tzinfo=UTC)),
    ("Made - 0.4 / 86400", datetime(2024, 2, 29, 23, 15, 10, tzinfo=UTC)),
    ("Opens + 60000", time(9, 6, 7, 250_000)),
    ("86400000 + Opens", time(9, 5, 7, 250_000)),
    ("Opens - 7250", time(9, 5)),
    ('TIMEVALUE("01:00:00.000") - TIMEVALUE("23:00:00.000")', D(7_200_000)),
    ("Due = DATE(2024, 2, 29)", True),
    ("Due <> DATE(2024, 2, 28)", True),
    ("Due < DATE(2024, 3, 1)", True),
    ("Made >= Made", True),
    ("Made <= Made - 1", False),
    ('Opens > TIMEVALUE("09:00:00.000")', True),
    ("YEAR(Due)", D(2024)),
    ("MONTH(Due)", D(2)),
    ("DAY(Due)", D(29)),
    ("WEEKDAY(DATE(2024, 3, 3))", D(1)),
    ("WEEKDAY(DATE(2024, 3, 2))", D(7)),
    ("DAYOFYEAR(DATE(2024, 12, 31))", D(366)),
    ("DAYOFYEAR(Made)", D(60)),
    ("ISOWEEK(DATE(2021, 1, 3))", D(53)),
    ("ISOYEAR(DATE(2021, 1, 3))", D(2020)),
    ("ISOWEEK(Made)", D(9)),
    ("HOUR(Opens)", D(9)),
    ("MINUTE(Opens)", D(5)),
    ("SECOND(Opens)", D(7)),
    ("MILLISECOND(Opens)", D(250)),
    ("ADDMONTHS(DATE(2024, 1, 31), 1)", date(2024, 2, 29)),
    ("ADDMONTHS(DATE(2024, 2, 29), 1)", date(2024, 3, 31)),
    ("ADDMONTHS(DATE(2024, 1, 30), 1)", date(2024, 2, 29)),
    ("ADDMONTHS(DATE(2024, 3, 15), -3.9)", date(2023, 12, 15)),
    ("ADDMONTHS(Made, 12)", datetime(2025, 2, 28, 23, 15, 10, tzinfo=UTC)),
    ("UNIXTIMESTAMP(DATE(1970, 1, 2))", D(86_400)),
    ("UNIXTIMESTAMP(Opens)", D(32_707)),
    ("UNIXTIMESTAMP(DATE(1969, 12, 31))", D(-86_400)),
    ("FROMUNIXTIME(86400.5)", datetime(1970, 1, 2, 0, 0, 0, 500_000, tzinfo=UTC)),
    ("TODAY()", date(2026, 3, 1)),
    ("NOW()", datetime(2026, 3, 1, 2, 30, 15, 250_000, tzinfo=UTC)),
    ("TIMENOW()", time(2, 30, 15, 250_000)),
    ("FORMATDURATION(3661)", "01:01:01"),
    ("FORMATDURATION(-90061.9, TRUE)", "1:01:01:01"),
    ("FORMATDURATION(90061, FALSE)", "25:01:01"),
    ('FORMATDURATION(Opens, TIMEVALUE("10:00:00.000"))', "00:54:52"),
    ("FORMATDURATION(Made, Made - 1.5)", "1:12:00:00"),
]
BLANK = [
    "DATE(NULL, 1, 1)",
    "DATEVALUE(NoName)",
    "DATEVALUE(NoMade)",
    "DATETIMEVALUE(NoName)",
    "DATETIMEVALUE(NoDue)",
    "TIMEVALUE(NoName)",
    "TIMEVALUE(NoMade)",
    "NoDue + 1",
    "1 + NoDue",
    "Due - NoDue",
    "NoMade - 1",
    "NoOpens + 1",
    "Due + NULL",
    "Due < NoDue",
    "NoMade = Made",
    "YEAR(NoDue)",
    "MONTH(NoDue)",
    "DAY(NoDue)",
    "WEEKDAY(NoDue)",
    "DAYOFYEAR(NoDue)",
    "ISOWEEK(NoMade)",
    "ISOYEAR(NoDue)",
    "HOUR(NoOpens)",
    "MINUTE(NoOpens)",
    "SECOND(NoOpens)",
    "MILLISECOND(NoOpens)",
    "ADDMONTHS(NoDue, 1)",
    "UNIXTIMESTAMP(NoMade)",
    "FROMUNIXTIME(NULL)",
    "FORMATDURATION(NoMade, Made)",
    "FORMATDURATION(NoOpens, Opens)",
    "FORMATDURATION(NULL)",
]
WITHOUT_VALUE = [
    "DATE(2023, 2, 29)",
    "DATE(0, 1, 1)",
    "DATE(10000, 1, 1)",
    "DATE(2024, 13, 1)",
    "DATE(10 ^ 60, 1, 1)",
    'DATEVALUE("24-01-01")',
    'DATEVALUE("2024-01-32")',
    'DATEVALUE("soon")',
    'DATETIMEVALUE("2024-01-01")',
    'DATETIMEVALUE("2024-01-01 24:00:00")',
    'DATETIMEVALUE("2024-01-01 999999999:00:00")',
    'TIMEVALUE("09:05")',
    'TIMEVALUE("09:05:07.1000")',
    'TIMEVALUE("25:05:07.100")',
    'TIMEVALUE("00:00:01.000") - 2000',
    "Due + 10 ^ 60",
    "Made - 10 ^ 60",
    "ADDMONTHS(Due, 200000)",
    "FROMUNIXTIME(10 ^ 60)",
    "DATE(9999, 12, 31) + 1",
]


@pytest.mark.parametrize(("formula", "expected"), EXAMPLES)
def test_days_and_times_are_worked_out(formula: str, expected: Any) -> None:
    found = value(formula)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize("formula", BLANK)
def test_what_is_made_of_a_blank_day_is_blank(formula: str) -> None:
    assert value(formula, blanks=Blanks.ZEROES) is None


@pytest.mark.parametrize("formula", WITHOUT_VALUE)
def test_what_is_no_day_is_an_error(formula: str) -> None:
    assert failure(formula).text


def test_days_are_those_of_who_looks() -> None:
    assert value("TODAY()", zone=LOS_ANGELES) == date(2026, 2, 28)
    assert value("DATEVALUE(Made)", zone=TOKYO) == date(2024, 3, 1)
    assert value("TIMEVALUE(Made)", zone=TOKYO) == time(23, 15, 10)
    assert value("TEXT(Made)", zone=TOKYO) == "2024-02-29 23:15:10Z"


def test_a_field_of_days_shows_the_day_of_a_moment() -> None:
    days = FieldType(Kind.DATE)
    assert field_value(value("Made"), days, zone=TOKYO) == date(2024, 3, 1)
    assert field_value(value("Due"), days, zone=TOKYO) == date(2024, 2, 29)
