"""The functions of places on the globe."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from clones.crm.rules.formulas.errors import FormulaValueError, wrong_argument_value
from clones.crm.rules.formulas.functions.logic import require_text_literal
from clones.crm.rules.formulas.functions.signatures import (
    GEOLOCATION,
    NUMBER,
    TEXT,
    Function,
    Table,
    Typed,
    require_count,
    require_kind,
)
from clones.crm.rules.formulas.nodes import Node, TextLiteral
from clones.crm.rules.formulas.numbers import as_float, number_from_float
from clones.crm.rules.formulas.types import Kind

GEOGRAPHY = Table()
# Mean radius of the earth.
_RADIUS: Final = {"km": 6371.009, "mi": 3958.761}


@GEOGRAPHY.function("GEOLOCATION", NUMBER, NUMBER, gives=Kind.GEOLOCATION, blanks=True)
def geolocation(
    latitude: Decimal | None, longitude: Decimal | None
) -> tuple[Decimal, Decimal] | None:
    """Return a place by its degrees; None where both are blank.

    Raises:
        FormulaValueError: one is blank, or beyond the globe.
    """
    if latitude is None and longitude is None:
        return None
    if latitude is None or longitude is None:
        raise FormulaValueError("A geolocation has a latitude and a longitude.")
    if latitude.copy_abs() > 90 or longitude.copy_abs() > 180:
        raise FormulaValueError("The geolocation is not on the globe.")
    return latitude, longitude


def _distance_kind(function: Function, operands: Sequence[Typed], node: Node) -> Kind:
    require_count(function, operands, 3, 3, node.span.start)
    for place in operands[:2]:
        require_kind(function, place, GEOLOCATION)
    unit = operands[2]
    require_kind(function, unit, TEXT)
    require_text_literal(function, unit)
    said = unit.node.value if isinstance(unit.node, TextLiteral) else ""
    if said not in _RADIUS:
        raise wrong_argument_value(
            function.shown, "'mi'/'km'", f"'{said}'", at=unit.node.span.start
        )
    return Kind.NUMBER


@GEOGRAPHY.checked("DISTANCE", _distance_kind)
def distance(start: tuple[Decimal, Decimal], end: tuple[Decimal, Decimal], unit: str) -> Decimal:
    """Return how far two places are from each other on the globe (the haversine formula)."""
    south, west, north, east = (math.radians(as_float(part)) for part in (*start, *end))
    half = (
        math.sin((north - south) / 2) ** 2
        + math.cos(south) * math.cos(north) * math.sin((east - west) / 2) ** 2
    )
    return number_from_float(2 * _RADIUS[unit] * math.asin(math.sqrt(min(1.0, half))))
