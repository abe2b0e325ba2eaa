"""From the value of a formula to what its field shows."""

from __future__ import annotations

from datetime import datetime, tzinfo
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from clones.crm.rules.formulas.errors import FormulaValueError
from clones.crm.rules.formulas.evaluating import Value
from clones.crm.rules.formulas.numbers import CONTEXT, rounded
from clones.crm.rules.formulas.types import FieldType, Kind

_HUNDRED: Final = Decimal(100)


def field_value(
    value: Value, returns: FieldType, *, zone: tzinfo, scale: int | None = None
) -> Value:
    """Return what a field of a type shows of a formula's value.

    Numbers are rounded to a scale, halves away from zero, and percentages are 45 for 0.45. A
    checkbox is never blank. Texts lose the blanks around them. A field of days shows the day that a
    moment is on for who looks.

    Args:
        value: what `evaluate` returned.
        returns: the type of the field.
        zone: that of who looks.
        scale: digits after the point, None to leave them all.

    Raises:
        FormulaValueError: the day of a moment is before or after all days.
    """
    if returns.kind is Kind.BOOLEAN:
        return bool(value)
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, datetime) and returns.kind is Kind.DATE:
        try:
            return value.astimezone(zone).date()
        except OverflowError as error:
            raise FormulaValueError("No value can be worked out.") from error
    if not isinstance(value, Decimal):
        return value
    number = CONTEXT.multiply(value, _HUNDRED) if returns.percent else value
    return number if scale is None else rounded(number, scale, ROUND_HALF_UP)
