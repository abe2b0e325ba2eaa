"""The operators: arithmetic, also with days and moments, comparisons, and what joins texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final

from clones.crm.rules.formulas.errors import FormulaValueError
from clones.crm.rules.formulas.functions.signatures import (
    BOOLEAN,
    DATE,
    NUMBER,
    TEXT,
    TIME,
    Function,
    Kinds,
    Table,
    Typed,
    require_kind,
)
from clones.crm.rules.formulas.nodes import Node
from clones.crm.rules.formulas.numbers import CONTEXT, power
from clones.crm.rules.formulas.types import Kind

BINARY = Table(symbols=True)
UNARY = Table(symbols=True)
DATETIME: Final = (Kind.DATETIME,)
SECONDS_OF_DAY: Final = 86_400
MILLISECONDS_OF_DAY: Final = SECONDS_OF_DAY * 1000
_SECOND: Final = timedelta(seconds=1)


def milliseconds(value: time) -> int:
    """Return a time of day as milliseconds since midnight."""
    seconds = (value.hour * 60 + value.minute) * 60 + value.second
    return seconds * 1000 + value.microsecond // 1000


def time_of(count: int) -> time:
    """Return the time of day so many milliseconds after midnight; beyond a day it starts again."""
    seconds, thousandths = divmod(count % MILLISECONDS_OF_DAY, 1000)
    minutes, second = divmod(seconds, 60)
    return time(minutes // 60, minutes % 60, second, thousandths * 1000)


def later_day(day: date, days: Decimal) -> date:
    """Return the day so many whole days after another; parts of days do not count."""
    return day + timedelta(days=int(days))


def later_moment(moment: datetime, days: Decimal) -> datetime:
    """Return the moment so many days after another, to the second."""
    seconds = CONTEXT.multiply(days, Decimal(SECONDS_OF_DAY))
    return moment + int(seconds.to_integral_value(ROUND_HALF_UP)) * _SECOND


def later_time(clock: time, count: Decimal) -> time:
    """Return the time of day so many milliseconds after another.

    Raises:
        FormulaValueError: it would be before midnight.
    """
    found = milliseconds(clock) + int(count)
    if found < 0:
        raise FormulaValueError("Invalid value for a time of day")
    return time_of(found)


def days_between(end: datetime, start: datetime) -> Decimal:
    """Return how many days a moment is after another."""
    return CONTEXT.divide(
        Decimal((end - start) // timedelta(milliseconds=1)), Decimal(MILLISECONDS_OF_DAY)
    )


def _no_sum(function: Function, operands: Sequence[Typed], node: Node) -> Kind:
    """Say why two operands cannot be added, or one not taken from the other."""
    left, right = operands
    taken = next(
        (one.parameters[1] for one in function.overloads if left.kind in one.parameters[0]), None
    )
    if taken is None and left.kind is not Kind.NULL:
        require_kind(function, left, NUMBER)
    require_kind(function, right, taken or NUMBER)
    raise AssertionError(function.name)


def _adding(
    sign: str, left: Kinds, right: Kinds, gives: Kind
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return BINARY.overload(sign, left, right, gives=gives, mismatch=_no_sum)


_adding("+", NUMBER, NUMBER, Kind.NUMBER)(CONTEXT.add)
_adding("+", TEXT, TEXT, Kind.TEXT)(lambda left, right: left + right)
_adding("+", DATE, NUMBER, Kind.DATE)(later_day)
_adding("+", NUMBER, DATE, Kind.DATE)(lambda days, day: later_day(day, days))
_adding("+", DATETIME, NUMBER, Kind.DATETIME)(later_moment)
_adding("+", NUMBER, DATETIME, Kind.DATETIME)(lambda days, moment: later_moment(moment, days))
_adding("+", TIME, NUMBER, Kind.TIME)(later_time)
_adding("+", NUMBER, TIME, Kind.TIME)(lambda count, clock: later_time(clock, count))
_adding("-", NUMBER, NUMBER, Kind.NUMBER)(CONTEXT.subtract)
_adding("-", DATE, DATE, Kind.NUMBER)(lambda end, start: Decimal((end - start).days))
_adding("-", DATE, NUMBER, Kind.DATE)(lambda day, days: later_day(day, days.copy_negate()))
_adding("-", DATETIME, DATETIME, Kind.NUMBER)(days_between)
_adding("-", DATETIME, NUMBER, Kind.DATETIME)(
    lambda moment, days: later_moment(moment, days.copy_negate())
)
_adding("-", TIME, TIME, Kind.NUMBER)(
    lambda end, start: Decimal((milliseconds(end) - milliseconds(start)) % MILLISECONDS_OF_DAY)
)
_adding("-", TIME, NUMBER, Kind.TIME)(lambda clock, count: later_time(clock, count.copy_negate()))

BINARY.function("&", TEXT, TEXT, gives=Kind.TEXT)(lambda left, right: left + right)
BINARY.function("*", NUMBER, NUMBER, gives=Kind.NUMBER)(CONTEXT.multiply)
BINARY.function("^", NUMBER, NUMBER, gives=Kind.NUMBER)(power)
UNARY.function("-", NUMBER, gives=Kind.NUMBER)(CONTEXT.minus)
UNARY.function("+", NUMBER, gives=Kind.NUMBER)(CONTEXT.plus)
UNARY.function("!", BOOLEAN, gives=Kind.BOOLEAN)(lambda value: not value)


@BINARY.function("/", NUMBER, NUMBER, gives=Kind.NUMBER)
def divide(dividend: Decimal, divisor: Decimal) -> Decimal:
    """Return a quotient.

    Raises:
        FormulaValueError: the divisor is zero.
    """
    if not divisor:
        raise FormulaValueError("Division by zero")
    return CONTEXT.divide(dividend, divisor)


def _unlike(function: Function, operands: Sequence[Typed], node: Node) -> Kind:
    """Say why two operands cannot be compared."""
    left, right = operands
    kinds = [one.parameters[0][0] for one in function.overloads]
    require_kind(function, left, kinds)
    require_kind(function, right, (left.kind,))
    raise AssertionError(function.name)


def _compared(sign: str, *kinds: Kinds, by: Callable[[Any, Any], bool]) -> None:
    for kind in kinds:
        BINARY.overload(sign, kind, kind, gives=Kind.BOOLEAN, mismatch=_unlike)(by)


# Text comes first: where both sides are NULL, they are the same blank text.
_compared("=", TEXT, NUMBER, DATE, DATETIME, TIME, BOOLEAN, by=lambda left, right: left == right)
_compared("<>", TEXT, NUMBER, DATE, DATETIME, TIME, BOOLEAN, by=lambda left, right: left != right)


def _ordered(sign: str, by: Callable[[Any, Any], bool]) -> None:
    _compared(sign, NUMBER, DATE, DATETIME, TIME, by=by)
    # No text comes before or after a blank one.
    BINARY.overload(sign, TEXT, TEXT, gives=Kind.BOOLEAN, mismatch=_unlike)(
        lambda left, right: by(left, right) if left and right else None
    )


_ordered("<", lambda left, right: left < right)
_ordered("<=", lambda left, right: left <= right)
_ordered(">", lambda left, right: left > right)
_ordered(">=", lambda left, right: left >= right)
