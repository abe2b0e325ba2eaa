"""The numbers of formulas: decimals of 39 digits, with the bounds and roundings of the service."""

from __future__ import annotations

import math
from decimal import (
    MAX_EMAX,
    MIN_EMIN,
    ROUND_DOWN,
    ROUND_HALF_UP,
    Context,
    Decimal,
    DivisionByZero,
    InvalidOperation,
    Overflow,
)
from typing import Final

from clones.crm.rules.formulas.errors import FormulaValueError, too_big

PRECISION: Final = 39
# To the whole number next to it goes what differs from that by less than this many digits show:
# 6 / 11 * 11 is 6, not something below.
WHOLE_PRECISION: Final = 33
POWER_PRECISION: Final = 18
LARGEST_POWER: Final = 64  # decimal digits
SMALLEST_POWER: Final = Decimal(1).scaleb(-PRECISION)
# Decimals beyond ten to the thousandth are too big; what is as small is zero.
REACH: Final = 1000
_TRAPS: Final = [DivisionByZero, InvalidOperation, Overflow]
CONTEXT: Final = Context(
    prec=PRECISION, rounding=ROUND_HALF_UP, Emin=-REACH, Emax=REACH, traps=_TRAPS
)
_WHOLE: Final = Context(prec=WHOLE_PRECISION, rounding=ROUND_HALF_UP, traps=_TRAPS)
_POWER: Final = Context(prec=POWER_PRECISION + 12, rounding=ROUND_HALF_UP, traps=_TRAPS)
_POWER_END: Final = Context(prec=POWER_PRECISION, rounding=ROUND_HALF_UP, traps=_TRAPS)
# Holds every difference and quotient of two decimals within reach.
_EXACT: Final = Context(
    prec=3 * REACH, rounding=ROUND_DOWN, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=_TRAPS
)
ZERO: Final = Decimal(0)
ONE: Final = Decimal(1)
_LONGEST_POWER: Final = 999_999_999


def number_from_float(value: float) -> Decimal:
    """Return the decimal that a float is written as.

    Raises:
        FormulaValueError: it is infinite, or no number.
    """
    if math.isinf(value):
        raise too_big("The result")
    if math.isnan(value):
        raise FormulaValueError("Not a number")
    return Decimal(repr(value))


def as_float(value: Decimal) -> float:
    """Return the float next to a decimal; what is beyond the largest is infinite."""
    return float(value)


def whole(value: Decimal, rounding: str) -> Decimal:
    """Return the whole number beside a decimal, on the side that a rounding of Python's names."""
    return CONTEXT.plus(_WHOLE.plus(value).to_integral_value(rounding=rounding))


def rounded(value: Decimal, digits: int, rounding: str = ROUND_HALF_UP) -> Decimal:
    """Return a decimal with so many digits after the point; negative ones count before it.

    Where no digit of it would be left it is zero, though the next step may be nearer: rounding 7 to
    tens gives 0, as the service has it.
    """
    # Below one, the service counts the nought before the point as a digit.
    first = max(value.adjusted(), 0) if value else 0
    if first + 1 + digits <= 0:
        return ZERO
    if -value.as_tuple().exponent <= digits:  # type: ignore[operator] # only finite ones come here
        return value
    return value.quantize(Decimal(1).scaleb(-digits), rounding=rounding, context=_EXACT)


def remainder(dividend: Decimal, divisor: Decimal) -> Decimal:
    """Return what is left of a division, with the sign of the dividend; by zero, the dividend."""
    if not divisor:
        return dividend
    return CONTEXT.plus(_EXACT.remainder(dividend, divisor))


def power(base: Decimal, exponent: Decimal) -> Decimal:
    """Return a power with a whole exponent, of 18 digits.

    Raises:
        FormulaValueError: the exponent is not whole, or the result has more than 64 digits.
    """
    out_of_range = FormulaValueError("Out of range argument to POWER() function")
    if exponent != exponent.to_integral_value() or exponent.copy_abs() > _LONGEST_POWER:
        raise out_of_range
    if not exponent:
        return ONE
    if not base:
        if exponent < 0:
            raise FormulaValueError("Division by zero")
        return ZERO
    digits = math.log10(as_float(base.copy_abs()) or float(SMALLEST_POWER)) * int(exponent)
    if digits > LARGEST_POWER:
        raise FormulaValueError(out_of_range.text, too_big("").failure)
    if digits < -PRECISION - 1:
        return ZERO
    found = _POWER_END.plus(_POWER.power(base, int(exponent)))
    return found if found.copy_abs() >= SMALLEST_POWER else ZERO


def number_text(value: Decimal) -> str:
    """Return a number as TEXT writes it: `.5`, `-2`, `1200`."""
    if not value:
        return "0"
    text = format(CONTEXT.plus(value), "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    return sign + (digits[1:] if digits.startswith("0.") else digits)


def number_read(text: str) -> Decimal | None:
    """Return the number that a text says, with a sign, a point and an exponent; None for none."""
    # What Python reads beside that, no service does: spaces, underscores, names of infinities.
    if not text or len(text) > REACH or any(sign not in "0123456789+-.eE" for sign in text):
        return None
    try:
        found = Decimal(text)
    except InvalidOperation:
        return None
    return CONTEXT.plus(found) if abs(found.adjusted()) < REACH else None


def whole_count(value: Decimal, most: int) -> int:
    """Return a count or a position without its fraction, no further from zero than `most`."""
    if value.copy_abs() < most:
        return int(value)
    return most if value > 0 else -most


def fixed_text(value: Decimal, digits: int) -> str:
    """Return a number with so many digits after the point, and commas between thousands."""
    step = Decimal(1).scaleb(-digits)
    return f"{rounded(value, digits).quantize(step, context=_EXACT):,f}"


__all__ = [
    "CONTEXT", "ONE", "PRECISION", "REACH", "WHOLE_PRECISION", "ZERO", "as_float", "fixed_text",
    "number_from_float", "number_read", "number_text", "power", "remainder", "rounded", "whole",
    "whole_count",
]  # fmt: skip
