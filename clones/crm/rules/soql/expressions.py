"""From typed fields and calls to expressions, and which of them may stand where."""

from __future__ import annotations

from decimal import Decimal
from typing import Final, Literal

from clones.crm.rules.soql import nodes as n
from clones.crm.rules.soql.dates import DATE_FUNCTIONS
from clones.crm.rules.soql.errors import SoqlError, malformed
from clones.crm.rules.soql.paths import PathScope
from clones.crm.rules.soql.plan import Applied, Chain, Distance, Expression, RowCount
from clones.crm.rules.soql.printing import print_operand
from clones.crm.rules.soql.values import NUMBERS, PLACES
from clones.crm.rules.soql.words import Kind, kind_of

Where = Literal["SELECT", "WHERE", "HAVING", "GROUP BY", "ORDER BY"]
# Which functions may stand where.
_ALLOWED: Final[dict[Where, frozenset[Kind]]] = {
    "SELECT": frozenset({"aggregate", "date", "shown", "money", "grouping", "distance"}),
    "WHERE": frozenset({"date", "shown", "distance"}),
    "HAVING": frozenset({"aggregate", "date", "grouping"}),
    "GROUP BY": frozenset({"date"}),
    "ORDER BY": frozenset({"aggregate", "date", "distance", "grouping"}),
}
# Types of which nothing is counted, summed or compared.
_NO_AGGREGATES: Final = frozenset(
    {
        "boolean", "time", "multipicklist", "address", "location", "base64", "complexvalue",
        "encryptedstring", "anyType",
    }
)  # fmt: skip


def expression(operand: n.Operand, scope: PathScope, where: Where) -> Expression:
    """Return what a field or a call means at a place of a query.

    Raises:
        SoqlError: a field is not there, or the function does not take it, or may not stand there.
    """
    if isinstance(operand, n.FieldPath):
        return scope.chain(operand)
    kind = kind_of(operand.name)
    # FORMAT is for show alone; toLabel may be filtered by.
    if kind not in _ALLOWED[where] or (operand.name == "FORMAT" and where == "WHERE"):
        raise malformed(f"function {operand.name} is not allowed in {where}", operand.span)
    return _applied(operand, scope, kind)


def _applied(call: n.FunctionCall, scope: PathScope, kind: Kind) -> Expression:
    if kind == "distance":
        return _distance(call, scope)
    if not call.arguments:
        return RowCount()
    argument = call.arguments[0]
    if isinstance(argument, n.FunctionCall):
        inner = _applied(argument, scope, kind_of(argument.name))
    elif isinstance(argument, n.FieldPath):
        inner = scope.chain(argument)
    else:
        raise malformed(f"unexpected token: '{print_operand(argument)}'", argument.span)
    return Applied(call.name, inner, _result(call, inner, kind, scope))


def _result(call: n.FunctionCall, inner: Expression, kind: Kind, scope: PathScope) -> str:
    """Return the type of a function's result, having required what it takes."""
    if kind == "aggregate":
        return _of_aggregate(call, inner)
    if kind == "date":
        return _of_date_function(call, inner, scope)
    if kind == "zone" and inner.type != "datetime":
        raise _not_taken(call, "dateTime")
    if kind == "money":
        if not scope.context.multi_currency:
            raise malformed(
                "convertCurrency() is only available in organizations with multiple currencies",
                call.span,
            )
        if inner.type != "currency":
            raise _not_taken(call, "currency")
    if kind == "grouping":
        return "int"
    return "string" if call.name in {"FORMAT", "toLabel"} else inner.type


def _of_aggregate(call: n.FunctionCall, inner: Expression) -> str:
    described = inner.field if isinstance(inner, Chain) else None
    takes = described is not None and described.aggregatable
    takes = takes and inner.type not in _NO_AGGREGATES
    if call.name in {"SUM", "AVG"}:
        takes = takes and inner.type in NUMBERS
    if not takes:
        shown = print_operand(call.arguments[0])
        raise malformed(f"field {shown} does not support aggregate operator {call.name}", call.span)
    if call.name in {"COUNT", "COUNT_DISTINCT"}:
        return "int"
    if call.name in {"MIN", "MAX"} or inner.type == "currency":
        return inner.type
    return "double"


def _of_date_function(call: n.FunctionCall, inner: Expression, scope: PathScope) -> str:
    function = DATE_FUNCTIONS[call.name]
    if inner.type not in function.takes:
        raise _not_taken(call, "dateTime" if "date" not in function.takes else "date or dateTime")
    if function.fiscal and scope.context.calendar.custom_fiscal_years:
        raise malformed(
            f"function {call.name} is not supported with custom fiscal years", call.span
        )
    return function.type


def _not_taken(call: n.FunctionCall, wanted: str) -> SoqlError:
    shown = print_operand(call.arguments[0])
    return malformed(
        f"field '{shown}' must be of type {wanted} for function {call.name}", call.span
    )


def _distance(call: n.FunctionCall, scope: PathScope) -> Distance:
    path, place, unit = call.arguments
    if not (
        isinstance(path, n.FieldPath)
        and isinstance(place, n.FunctionCall)
        and isinstance(unit, n.StringValue)
    ):
        raise malformed("unexpected token: 'DISTANCE'", call.span)
    chain = scope.chain(path)
    if chain.type not in PLACES:
        raise _not_taken(call, "location")
    latitude, longitude = (
        Decimal(number.text) for number in place.arguments if isinstance(number, n.NumberValue)
    )
    if abs(latitude) > 90 or abs(longitude) > 180:
        raise malformed(
            "GEOLOCATION takes a latitude from -90 to 90 and a longitude from -180 to 180",
            place.span,
        )
    return Distance(chain, latitude, longitude, "mi" if unit.text.lower() == "mi" else "km")
