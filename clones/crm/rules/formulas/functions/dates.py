"""The functions of days, moments and times of day."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from clones.crm.rules.formulas.errors import FormulaValueError
from clones.crm.rules.formulas.functions.operators import milliseconds
from clones.crm.rules.formulas.functions.signatures import DATE, MOMENT, NUMBER, TIME, Table, taking
from clones.crm.rules.formulas.numbers import CONTEXT, whole_count
from clones.crm.rules.formulas.types import Kind

if TYPE_CHECKING:
    from clones.crm.rules.formulas.evaluating import Situation

DATES = Table()
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
# As the service reads them: numbers of any length, and what follows a day or moment is left.
_DAY = re.compile(r"(\d{4})-(\d{1,9})-(\d{1,9})", re.ASCII)
_MOMENT = re.compile(_DAY.pattern + r" (\d{1,9}):(\d{1,9}):(\d{1,9})", re.ASCII)
_CLOCK = re.compile(r"(\d{1,9}):(\d{1,9}):(\d{1,9})\.(\d{1,9})", re.ASCII)
_MOST_MONTHS: Final = 12 * 10_000


def _no_date(kind: str, text: str) -> FormulaValueError:
    return FormulaValueError(f"Invalid {kind} format: {text[:100]}")


@DATES.function("TODAY", gives=Kind.DATE, situated=True)
def today(situation: Situation) -> date:
    """Return the day that it is for who looks."""
    return situation.now.astimezone(situation.zone).date()


@DATES.function("NOW", gives=Kind.DATETIME, situated=True)
def now(situation: Situation) -> datetime:
    """Return the present moment."""
    return situation.now


@DATES.function("TIMENOW", gives=Kind.TIME, situated=True)
def time_now(situation: Situation) -> time:
    """Return the time of day that it is in Greenwich."""
    return _clock_of(situation.now)


def _clock_of(moment: datetime) -> time:
    clock = moment.astimezone(UTC).time()
    return clock.replace(microsecond=clock.microsecond // 1000 * 1000)


@DATES.function("DATE", NUMBER, NUMBER, NUMBER, gives=Kind.DATE)
def date_(year: Decimal, month: Decimal, day: Decimal) -> date:
    """Return a day by its numbers, whose fractions do not count.

    Raises:
        FormulaValueError: there is none.
    """
    numbers = [whole_count(part, 100_000) for part in (year, month, day)]
    try:
        return date(*numbers)
    except ValueError as error:
        raise FormulaValueError(f"Invalid date: {'-'.join(map(str, numbers))}") from error


@DATES.function(
    "DATEVALUE", (Kind.TEXT, Kind.DATETIME), gives=Kind.DATE, situated=True, illegal=True
)
def date_value(situation: Situation, value: Any) -> date | None:
    """Return the day that a text says, or that a moment is on for who looks.

    Raises:
        FormulaValueError: the text says none.
    """
    if isinstance(value, datetime):
        return value.astimezone(situation.zone).date()
    if not value:
        return None
    found = _DAY.match(value)
    try:
        if found is not None:
            return date(*map(int, found.groups()))
    except (OverflowError, ValueError):
        pass
    raise _no_date("date", value)


@DATES.function("DATETIMEVALUE", (Kind.TEXT, *MOMENT), gives=Kind.DATETIME, illegal=True)
def datetime_value(value: Any) -> datetime | None:
    """Return the moment that a text says, or the midnight of a day, in Greenwich time.

    Raises:
        FormulaValueError: the text says none.
    """
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    if not value:
        return None
    found = _MOMENT.match(value)
    try:
        if found is not None:
            year, month, day, hour, minute, second = map(int, found.groups())
            return datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except (OverflowError, ValueError):
        pass
    raise _no_date("date", value)


@DATES.function("TIMEVALUE", (Kind.TEXT, Kind.DATETIME, Kind.TIME), gives=Kind.TIME, illegal=True)
def time_value(value: Any) -> time | None:
    """Return the time of day that a text says, or of a moment in Greenwich.

    Raises:
        FormulaValueError: the text says none.
    """
    if isinstance(value, datetime):
        return _clock_of(value)
    if not isinstance(value, str):
        return value  # type: ignore[no-any-return] # a time of day
    if not value:
        return None
    found = _CLOCK.fullmatch(value)
    try:
        if found is not None:
            hour, minute, second, thousandths = map(int, found.groups())
            return time(hour, minute, second, thousandths * 1000)
    except (OverflowError, ValueError):
        pass
    raise _no_date("time", value)


def _day_of(value: date) -> date:
    return value.astimezone(UTC).date() if isinstance(value, datetime) else value


DATES.function("YEAR", DATE, gives=Kind.NUMBER)(lambda day: Decimal(day.year))
DATES.function("MONTH", DATE, gives=Kind.NUMBER)(lambda day: Decimal(day.month))
DATES.function("DAY", DATE, gives=Kind.NUMBER)(lambda day: Decimal(day.day))
# Sunday is 1.
DATES.function("WEEKDAY", DATE, gives=Kind.NUMBER)(lambda day: Decimal(day.isoweekday() % 7 + 1))
DATES.function("DAYOFYEAR", MOMENT, gives=Kind.NUMBER)(
    lambda day: Decimal(_day_of(day).timetuple().tm_yday)
)
DATES.function("ISOWEEK", MOMENT, gives=Kind.NUMBER)(
    lambda day: Decimal(_day_of(day).isocalendar().week)
)
DATES.function("ISOYEAR", MOMENT, gives=Kind.NUMBER)(
    lambda day: Decimal(_day_of(day).isocalendar().year)
)
DATES.function("HOUR", TIME, gives=Kind.NUMBER)(lambda clock: Decimal(clock.hour))
DATES.function("MINUTE", TIME, gives=Kind.NUMBER)(lambda clock: Decimal(clock.minute))
DATES.function("SECOND", TIME, gives=Kind.NUMBER)(lambda clock: Decimal(clock.second))
DATES.function("MILLISECOND", TIME, gives=Kind.NUMBER)(
    lambda clock: Decimal(clock.microsecond // 1000)
)


@DATES.function("ADDMONTHS", MOMENT, NUMBER)
def add_months(value: date, count: Decimal) -> date:
    """Return what is so many months later: from the end of a month to the end of the other."""
    months = value.year * 12 + value.month - 1 + whole_count(count, _MOST_MONTHS)
    year, month = divmod(months, 12)
    if not 1 <= year <= 9999:
        raise FormulaValueError(f"Invalid date: {year}-{month + 1}")
    last = monthrange(year, month + 1)[1]
    at_end = value.day == monthrange(value.year, value.month)[1]
    return value.replace(year=year, month=month + 1, day=last if at_end else min(value.day, last))


@DATES.function("UNIXTIMESTAMP", (*MOMENT, Kind.TIME), gives=Kind.NUMBER)
def unix_timestamp(value: Any) -> Decimal:
    """Return seconds since 1970 in Greenwich; of a time of day, since midnight."""
    if isinstance(value, time):
        return Decimal(milliseconds(value) // 1000)
    moment = datetime_value(value)
    return Decimal(((moment or _EPOCH) - _EPOCH) // timedelta(seconds=1))


@DATES.function("FROMUNIXTIME", NUMBER, gives=Kind.DATETIME)
def from_unix_time(seconds: Decimal) -> datetime:
    """Return the moment so many seconds after 1970 began in Greenwich."""
    return _EPOCH + timedelta(milliseconds=int(CONTEXT.multiply(seconds, Decimal(1000))))


_DURATION: Final = taking(NUMBER, (Kind.BOOLEAN,), gives=Kind.TEXT, optional=1)


def _duration(seconds: int, *, days: bool) -> str:
    minutes, second = divmod(abs(seconds), 60)
    hours, minute = divmod(minutes, 60)
    if not days:
        return f"{hours:02}:{minute:02}:{second:02}"
    return f"{hours // 24}:{hours % 24:02}:{minute:02}:{second:02}"


def format_duration(seconds: Decimal, days: bool = False) -> str:  # noqa: FBT001, FBT002 - a formula has no names for arguments
    """Return seconds as hours, minutes and seconds, and days where they are asked for."""
    return _duration(whole_count(seconds, 10**15), days=days)


DATES.overload("FORMATDURATION", NUMBER, gives=Kind.TEXT, mismatch=_DURATION)(format_duration)
DATES.overload("FORMATDURATION", NUMBER, (Kind.BOOLEAN,), gives=Kind.TEXT)(format_duration)
DATES.overload("FORMATDURATION", TIME, TIME, gives=Kind.TEXT)(
    lambda one, other: _duration(abs(milliseconds(one) - milliseconds(other)) // 1000, days=False)
)
DATES.overload("FORMATDURATION", (Kind.DATETIME,), (Kind.DATETIME,), gives=Kind.TEXT)(
    lambda one, other: _duration(abs(one - other) // timedelta(seconds=1), days=True)
)
