"""From literals to values of the type that a field has."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final, TypeAlias

from clones.crm.rules.soql import nodes as n
from clones.crm.rules.soql.dates import Days, literal_days
from clones.crm.rules.soql.errors import SoqlError, malformed
from clones.crm.rules.soql.moments import read_date, read_datetime, read_time
from clones.crm.rules.soql.paths import QueryContext
from clones.crm.rules.soql.plan import Money, PlanValue

LONGEST_STRING: Final = 4000  # characters of a literal
TEXTS: Final = frozenset(
    {
        "string", "picklist", "multipicklist", "textarea", "email", "phone", "url", "combobox",
        "encryptedstring", "anyType", "complexvalue", "base64", "address", "location",
    }
)  # fmt: skip
NUMBERS: Final = frozenset({"int", "long", "double", "currency", "percent"})
IDS: Final = frozenset({"id", "reference"})
PLACES: Final = frozenset({"address", "location"})
# What messages call types.
_SHOWN: Final = {
    "currency": "double", "percent": "double", "datetime": "dateTime",
    "id": "ID", "reference": "ID",
}  # fmt: skip
_Moment: TypeAlias = n.DateValue | n.DateTimeValue | n.TimeValue
_ID = re.compile(r"[A-Za-z0-9]{15}(?:[A-Za-z0-9]{3})?")
_SUFFIXES: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"
_KINDS: Final[dict[str, tuple[type, ...]]] = {
    **dict.fromkeys(TEXTS | IDS, (n.StringValue,)),
    **dict.fromkeys(NUMBERS, (n.NumberValue,)),
    "boolean": (n.BooleanValue,),
    "date": (n.DateValue, n.DateLiteral),
    "datetime": (n.DateTimeValue, n.DateLiteral),
    "time": (n.TimeValue,),
}


def whole_id(text: str) -> str | None:
    """Return the 18 characters of an id of 15 or 18; None if a text is none."""
    if _ID.fullmatch(text) is None:
        return None
    suffix = ""
    for start in (0, 5, 10):
        capitals = sum(1 << k for k, c in enumerate(text[start : start + 5]) if c.isupper())
        suffix += _SUFFIXES[capitals]
    return text[:15] + suffix


def plan_value(
    literal: n.LiteralValue, type_: str, field: str, context: QueryContext
) -> PlanValue | Days:
    """Return what a literal means for a field of a type: days, for a date literal.

    An empty text is null, and null is false for a checkbox.

    Raises:
        SoqlError: the literal is of another type than the field.
    """
    if isinstance(literal, n.NullValue):
        return False if type_ == "boolean" else None
    if isinstance(literal, n.CurrencyValue):
        return _money(literal, type_, field, context)
    if not isinstance(literal, _KINDS.get(type_, (n.StringValue,))):
        raise _of_wrong_type(literal, type_, field)
    if isinstance(literal, n.DateLiteral):
        return literal_days(literal, context.calendar)
    return _text(literal, type_) if isinstance(literal, n.StringValue) else _plain(literal)


def _plain(literal: n.NumberValue | n.BooleanValue | _Moment) -> PlanValue:
    match literal:
        case n.NumberValue(text):
            return Decimal(text)
        case n.BooleanValue(value):
            return value
        case n.DateValue():
            return read_date(literal)
        case n.DateTimeValue():
            return read_datetime(literal)
        case n.TimeValue():
            return read_time(literal)


def require_length(literal: n.StringValue) -> None:
    """Require that a text is no longer than a literal may be.

    Raises:
        SoqlError: it is longer.
    """
    if len(literal.text) > LONGEST_STRING:
        raise malformed(
            f"String literals in a WHERE clause cannot be longer than {LONGEST_STRING} characters.",
            literal.span,
        )


def _text(literal: n.StringValue, type_: str) -> str | None:
    require_length(literal)
    text = literal.text
    if type_ not in IDS or not text:
        return text or None
    found = whole_id(text)
    if found is None:
        raise SoqlError("INVALID_QUERY_FILTER_OPERATOR", f"invalid ID field: {text}", literal.span)
    return found


def _money(
    literal: n.CurrencyValue, type_: str, field: str, context: QueryContext
) -> PlanValue | Days:
    if type_ != "currency":
        raise _of_wrong_type(literal, type_, field)
    if not context.multi_currency:
        raise malformed(f"unexpected token: '{literal.text}'", literal.span)
    return Money(literal.currency, Decimal(literal.amount))


def _of_wrong_type(literal: n.LiteralValue, type_: str, field: str) -> SoqlError:
    quoted = type_ in TEXTS | IDS
    kind = "string" if type_ in TEXTS else _SHOWN.get(type_, type_)
    should = "should" if quoted else "should not"
    return SoqlError(
        "INVALID_FIELD",
        f"value of filter criterion for field '{field}' must be of type {kind} and {should} be "
        "enclosed in quotes",
        literal.span,
    )
