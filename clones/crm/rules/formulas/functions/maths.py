"""The functions of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, ROUND_HALF_UP, ROUND_UP, Decimal
from typing import Final

from clones.crm.rules.formulas.errors import FormulaValueError
from clones.crm.rules.formulas.functions.signatures import NUMBER, TEXT, Table
from clones.crm.rules.formulas.numbers import (
    CONTEXT,
    REACH,
    ZERO,
    as_float,
    number_from_float,
    number_read,
    remainder,
    rounded,
    whole,
    whole_count,
)
from clones.crm.rules.formulas.types import Kind

MATHS = Table()
_LN_TEN: Final = math.log(10)


def _of_floats(name: str, run: Callable[..., float], count: int = 1) -> None:
    """Add a function that the service works out with floats."""

    def call(*values: Decimal) -> Decimal:
        return number_from_float(run(*map(as_float, values)))

    MATHS.function(name, *[NUMBER] * count, gives=Kind.NUMBER)(call)


def _exp(value: float) -> float:
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


def _bounded(run: Callable[[float], float]) -> Callable[[float], float]:
    """Return a trigonometric function that is not a number at the infinities."""
    return lambda value: run(value) if math.isfinite(value) else math.nan


_of_floats("EXP", _exp)
_of_floats("LN", math.log)
# Not log10: the service divides logarithms, and so are its last digits.
_of_floats("LOG", lambda value: math.log(value) / _LN_TEN)
_of_floats("SQRT", math.sqrt)
_of_floats("SIN", _bounded(math.sin))
_of_floats("COS", _bounded(math.cos))
_of_floats("TAN", _bounded(math.tan))
_of_floats("ASIN", math.asin)
_of_floats("ACOS", math.acos)
_of_floats("ATAN", math.atan)
_of_floats("ATAN2", math.atan2, 2)
_of_floats("PI", lambda: math.pi, 0)

MATHS.function("ABS", NUMBER, gives=Kind.NUMBER)(CONTEXT.abs)
# Away from zero and towards it; the two with M follow the number line.
MATHS.function("CEILING", NUMBER, gives=Kind.NUMBER)(lambda value: whole(value, ROUND_UP))
MATHS.function("FLOOR", NUMBER, gives=Kind.NUMBER)(lambda value: whole(value, ROUND_DOWN))
MATHS.function("MCEILING", NUMBER, gives=Kind.NUMBER)(lambda value: whole(value, ROUND_CEILING))
MATHS.function("MFLOOR", NUMBER, gives=Kind.NUMBER)(lambda value: whole(value, ROUND_FLOOR))
MATHS.function("MOD", NUMBER, NUMBER, gives=Kind.NUMBER)(remainder)
MATHS.function("MAX", NUMBER, gives=Kind.NUMBER, repeats=True)(lambda *values: max(values))
MATHS.function("MIN", NUMBER, gives=Kind.NUMBER, repeats=True)(lambda *values: min(values))


@MATHS.function("ROUND", NUMBER, NUMBER, gives=Kind.NUMBER)
def round_(value: Decimal, digits: Decimal) -> Decimal:
    """Return a number with so many digits after the point, halves away from zero."""
    return rounded(value, whole_count(digits, REACH), ROUND_HALF_UP)


@MATHS.function("TRUNC", NUMBER, NUMBER, gives=Kind.NUMBER, optional=1)
def trunc(value: Decimal, digits: Decimal = ZERO) -> Decimal:
    """Return a number with the digits after so many left off."""
    return rounded(value, whole_count(digits, REACH), ROUND_DOWN)


@MATHS.function("VALUE", TEXT, gives=Kind.NUMBER)
def value(text: str) -> Decimal | None:
    """Return the number that a text says, None for a blank one.

    Raises:
        FormulaValueError: it says none.
    """
    if not text:
        return None
    found = number_read(text)
    if found is None:
        raise FormulaValueError(f"The value '{text[:REACH]}' is not a valid number.")
    return found


@MATHS.function("ISNUMBER", TEXT, gives=Kind.BOOLEAN)
def is_number(text: str) -> bool:
    """Tell whether a text says a number."""
    return number_read(text) is not None
