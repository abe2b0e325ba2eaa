"""Date literals as stretches of time, and what the date functions mean.

Every literal is half-open, in the user's zone: what equals it lies in [start, end).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from clones.crm.rules.soql.moments import FIRST_DAY, LAST_DAY
from clones.crm.rules.soql.nodes import DateLiteral

_DAY: Final = timedelta(days=1)
_END: Final = LAST_DAY + _DAY
# The vendor's page lets LAST_N_YEARS:n begin one year earlier than LAST_N_MONTHS:n and the others
# would have it: n + 1 years ago. No recorded run of an org says otherwise.
_YEARS_MORE: Final = 1
_MONTHS: Final = {"MONTH": 1, "QUARTER": 3, "YEAR": 12, "FISCAL_QUARTER": 3, "FISCAL_YEAR": 12}


@dataclass(frozen=True, slots=True)
class Calendar:
    """By which calendar a user's query is read, and when.

    Args:
        now: an aware time.
        zone: whose days are meant.
        first_weekday: of the user's locale, 0 for Monday to 6 for Sunday.
        fiscal_start: the month (1 to 12) in which the fiscal year begins.
        fiscal_named_by_end: whether a fiscal year has the number of the year in which it ends.
        custom_fiscal_years: whether the org has its own fiscal periods: no functions for them then.
    """

    now: datetime
    zone: ZoneInfo
    first_weekday: int = 6
    fiscal_start: int = 1
    fiscal_named_by_end: bool = True
    custom_fiscal_years: bool = False

    @property
    def today(self) -> date:
        """The user's day."""
        return self.now.astimezone(self.zone).date()


@dataclass(frozen=True, slots=True)
class Days:
    """Days from `start` up to, but not including, `end`."""

    start: date
    end: date

    def moments(self, zone: ZoneInfo) -> tuple[datetime, datetime]:
        """Return the first moment of these days and that after them, in UTC."""
        return _midnight(self.start, zone), _midnight(self.end, zone)


def literal_days(literal: DateLiteral, calendar: Calendar) -> Days:
    """Return the days that a date literal means; those out of the vendor's calendar are cut off."""
    words = literal.name.split("_")
    n = literal.n if literal.n is not None else 90
    if literal.name in _NEAR:
        return _units("DAY", _NEAR[literal.name], 1, calendar)
    if words[-1] == "AGO":
        return _units("_".join(words[1:-1]).removesuffix("S"), -n, 1, calendar)
    if words[1] in {"N", "90"}:
        return _counted(words[0], "_".join(words[2:]).removesuffix("S"), n, calendar)
    return _units("_".join(words[1:]), {"LAST": -1, "THIS": 0, "NEXT": 1}[words[0]], 1, calendar)


_NEAR: Final = {"YESTERDAY": -1, "TODAY": 0, "TOMORROW": 1}


def _counted(when: str, unit: str, n: int, calendar: Calendar) -> Days:
    if when == "NEXT":
        return _units(unit, 1, n, calendar)
    if unit == "DAY":
        # The only one of its kind that includes the present unit.
        return _units(unit, -n, n + 1, calendar)
    more = _YEARS_MORE if unit == "YEAR" else 0
    return _units(unit, -n - more, n + more, calendar)


def _units(unit: str, first: int, number: int, calendar: Calendar) -> Days:
    """Return `number` whole units, from that which is `first` units after the present one."""
    start = _floor(unit, calendar)
    return Days(_moved(start, unit, first), _moved(start, unit, first + number))


def _floor(unit: str, calendar: Calendar) -> date:
    day = calendar.today
    if unit == "DAY":
        return day
    if unit == "WEEK":
        return day - timedelta(days=(day.weekday() - calendar.first_weekday) % 7)
    begins = calendar.fiscal_start if unit.startswith("FISCAL") else 1
    back = (day.month - begins) % _MONTHS[unit]
    return _moved(day.replace(day=1), "MONTH", -back)


def _moved(start: date, unit: str, number: int) -> date:
    """Return the day that is some units after the start of one, within the vendor's calendar."""
    try:
        if unit in {"DAY", "WEEK"}:
            moved = start + timedelta(days=number * (7 if unit == "WEEK" else 1))
        else:
            months = start.year * 12 + start.month - 1 + number * _MONTHS[unit]
            moved = date(months // 12, months % 12 + 1, 1)
    except (OverflowError, ValueError):
        return FIRST_DAY if number < 0 else _END
    return min(max(moved, FIRST_DAY), _END)


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class DateFunction:
    """What a date function yields; what it means is `date_part`.

    Args:
        type: of the result: `int`, or `date` for DAY_ONLY.
        takes: the types of fields that it takes.
        fiscal: whether it counts from the start of the fiscal year.
    """

    type: str
    takes: frozenset[str]
    fiscal: bool = False


_BOTH: Final = frozenset({"date", "datetime"})
_MOMENTS: Final = frozenset({"datetime"})
# Of a datetime the day in UTC is meant; within convertTimezone(), that in the user's zone.
DATE_FUNCTIONS: Final = {
    "CALENDAR_MONTH": DateFunction("int", _BOTH),
    "CALENDAR_QUARTER": DateFunction("int", _BOTH),
    "CALENDAR_YEAR": DateFunction("int", _BOTH),
    "DAY_IN_MONTH": DateFunction("int", _BOTH),
    "DAY_IN_WEEK": DateFunction("int", _BOTH),
    "DAY_IN_YEAR": DateFunction("int", _BOTH),
    "DAY_ONLY": DateFunction("date", _MOMENTS),
    "FISCAL_MONTH": DateFunction("int", _BOTH, fiscal=True),
    "FISCAL_QUARTER": DateFunction("int", _BOTH, fiscal=True),
    "FISCAL_YEAR": DateFunction("int", _BOTH, fiscal=True),
    "HOUR_IN_DAY": DateFunction("int", _MOMENTS),
    "WEEK_IN_MONTH": DateFunction("int", _BOTH),
    "WEEK_IN_YEAR": DateFunction("int", _BOTH),
}


def date_part(name: str, value: date | datetime, calendar: Calendar) -> int | date:
    """Return what a date function yields of a day, or of a moment in the zone that is meant.

    Sundays are 1; weeks are counted from the first day of the month or year, seven days each; a
    day's hours are 0 to 23; fiscal months and quarters are counted from the fiscal start.
    """
    day = value.date() if isinstance(value, datetime) else value
    fiscal_month = (day.month - calendar.fiscal_start) % 12 + 1
    if name == "HOUR_IN_DAY":
        return value.hour if isinstance(value, datetime) else 0
    if name == "DAY_ONLY":
        return day
    return {
        "CALENDAR_MONTH": day.month,
        "CALENDAR_QUARTER": (day.month - 1) // 3 + 1,
        "CALENDAR_YEAR": day.year,
        "DAY_IN_MONTH": day.day,
        "DAY_IN_WEEK": day.isoweekday() % 7 + 1,
        "DAY_IN_YEAR": day.timetuple().tm_yday,
        "FISCAL_MONTH": fiscal_month,
        "FISCAL_QUARTER": (fiscal_month - 1) // 3 + 1,
        "FISCAL_YEAR": fiscal_year(day, calendar),
        "WEEK_IN_MONTH": (day.day - 1) // 7 + 1,
        "WEEK_IN_YEAR": (day.timetuple().tm_yday - 1) // 7 + 1,
    }[name]


def fiscal_year(day: date, calendar: Calendar) -> int:
    """Return the number of the fiscal year that a day is in."""
    begins = day.year if day.month >= calendar.fiscal_start else day.year - 1
    later = calendar.fiscal_named_by_end and calendar.fiscal_start > 1
    return begins + 1 if later else begins
