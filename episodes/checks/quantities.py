"""Quantities in free text: a number with its unit, in whatever form people write it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Final

from episodes.checks.text import visible

# How a unit is written; capitals count where a small letter is a word of its own.
UNITS: Final[Mapping[str, str]] = {
    "hours": r"(?i:h|hrs?|hours?)",
    "Hz": r"(?i:hz|hertz)",
    "°C": r"(?:° ?C|(?i:degrees?(?: celsius| c)?|celsius))",
    "kg": r"(?i:kgs?|kilos?|kilogram(?:me)?s?)",
    "m": r"(?i:m|met(?:re|er)s?)",
    "mm": r"(?i:mm|millimet(?:re|er)s?)",
    "A": r"(?:A|(?i:amps?|amperes?))",
    "bar": r"(?i:bars?)",
}


def quantities(text: str, unit: str) -> frozenset[Decimal]:
    """Return the numbers that the writer of a text puts before a unit.

    Raises:
        KeyError: the unit is none of `UNITS`.
    """
    found = _pattern(unit).findall(visible(text))
    return frozenset(Decimal(number.replace(",", ".")) for number in found)


def states_quantity(text: str, number: float, unit: str) -> bool:
    """Tell whether a text states a quantity.

    Raises:
        KeyError: the unit is none of `UNITS`.
    """
    return Decimal(str(number)) in quantities(text, unit)


@cache
def _pattern(unit: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.,-])(\d+(?:[.,]\d+)?)[ \u00a0\u202f-]*{UNITS[unit]}(?!\w)")
