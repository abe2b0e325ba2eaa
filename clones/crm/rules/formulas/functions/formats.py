"""The functions that write values as people of the United States read them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from clones.core.digits import whole_number
from clones.crm.rules.formulas.errors import LONGEST_TEXT, too_big, wrong_argument
from clones.crm.rules.formulas.functions.signatures import (
    NUMBER,
    PLAIN,
    TEXT,
    Function,
    Table,
    Typed,
    require_count,
    require_kind,
)
from clones.crm.rules.formulas.nodes import Node
from clones.crm.rules.formulas.numbers import fixed_text, number_text
from clones.crm.rules.formulas.types import Kind

if TYPE_CHECKING:
    from clones.crm.rules.formulas.evaluating import Situation

FORMATS = Table()
_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
# Digits after the point of currencies that have not two (ISO 4217).
_DIGITS: Final = {
    **dict.fromkeys("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI".split(), 0),
    **dict.fromkeys("VND VUV XAF XOF XPF".split(), 0),
    **dict.fromkeys("BHD IQD JOD KWD LYD OMR TND".split(), 3),
}  # fmt: skip
_DATED: Final = frozenset({Kind.DATE, Kind.DATETIME, Kind.TIME})


@FORMATS.function("FORMATCURRENCY", TEXT, NUMBER, gives=Kind.TEXT)
def format_currency(code: str, amount: Decimal) -> str:
    """Return an amount with the code and the digits of its currency."""
    shown = fixed_text(amount, _DIGITS.get(code.upper(), 2))
    return f"{code} {shown}" if code else shown


def _clock(value: datetime | time) -> str:
    return f"{value.hour % 12 or 12}:{value.minute:02} {'AM' if value.hour < 12 else 'PM'}"


def _day(value: date, style: str) -> str:
    if style == "ldate":
        return f"{_MONTHS[value.month - 1]} {value.day}, {value.year}"
    return f"{value.month}/{value.day}/{value.year}"


def _format_kind(function: Function, operands: Sequence[Typed], node: Node) -> Kind:
    require_count(function, operands, 1, None, node.span.start)
    for operand in operands:
        require_kind(function, operand, PLAIN)
    if operands[0].kind in _DATED and len(operands) > 1:
        require_count(function, operands, 1, 2, node.span.start)
        require_kind(function, operands[1], TEXT)
    if operands[0].kind in {Kind.BOOLEAN, Kind.GEOLOCATION}:
        raise wrong_argument(function.shown, at=operands[0].node.span.start)
    return Kind.TEXT


@FORMATS.checked("FORMAT", _format_kind, blanks=True, situated=True)
def format_(situation: Situation, value: Any, *rest: Any) -> str:
    """Return a day, a moment, a time of day or a number as it is shown to who looks.

    For days, moments and times the second argument is "date", "time" or "ldate". A text comes with
    the other arguments in its places `{0}`, `{1}` and so on.
    """
    style = rest[0] if rest and isinstance(rest[0], str) else ""
    match value:
        case None:
            return ""
        case str():
            return _filled(value, [shown(part) for part in rest])
        case time():
            return _clock(value)
        case date():
            return _moment(situation, value, style)
    return shown(value)


def shown(value: Any) -> str:
    """Return a value as it stands in a text."""
    if isinstance(value, Decimal):
        return f"{value:,f}" if value.copy_abs() >= 1 else number_text(value)
    return "" if value is None else str(value)


def _filled(text: str, values: Sequence[str]) -> str:
    pieces: list[str] = []
    length = 0
    for index, piece in enumerate(text.split("{")):
        number, closing, rest = piece.partition("}")
        place = whole_number(number, digits=3) if index and closing else None
        is_known = place is not None and place < len(values)
        own = [values[place or 0], rest] if is_known else ["{" if index else "", piece]
        length += len(own[0]) + len(own[1])
        if length > LONGEST_TEXT:
            raise too_big("The text")
        pieces += own
    return "".join(pieces)


def _moment(situation: Situation, value: date, style: str) -> str:
    whole_day = not isinstance(value, datetime)
    moment = (
        value
        if isinstance(value, datetime)
        else datetime(value.year, value.month, value.day, tzinfo=UTC)
    )
    # The service takes a day for its midnight in Greenwich, so that west of it the day before is
    # shown.
    local = moment.astimezone(situation.zone)
    if style == "time":
        return _clock(local)
    if style in {"date", "ldate"} or whole_day:
        return _day(local, style)
    return f"{_day(local, style)}, {_clock(local)}"
