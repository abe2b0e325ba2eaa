"""What a caller says of a field, as its column keeps it: types, forms, lengths, picklists.

The vendor checks these before anything else of a record. Texts lose the blanks around them, and
nothing is the same as an empty text.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final

from clones.crm.errors import RecordError, UnreadableBody
from clones.crm.rules.record_ids import read_id
from clones.crm.rules.schema import Field

_EMAIL: Final = re.compile(
    r"[^\s@<>(),;:\"\[\]]{1,64}@(?:[^\s@<>(),;:\"\[\].]{1,63}\.)+[^\W\d_]{2,24}"
)
_DATE: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:T.*)?", re.ASCII)
_MOMENT: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})", re.ASCII
)
_NUMBER: Final = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
# The largest whole number of a column, and how many digits a fractional one may have before it.
_LARGEST_INT: Final = 2**31 - 1
_YEARS: Final = range(1700, 4001)


def stored_value(field: Field, given: Any) -> Any:
    """Return what a field's column keeps of a value from a JSON body.

    Raises:
        RecordError: it breaks the form, the length or the picklist of the field.
        UnreadableBody: it is of another type than the field.
    """
    if given is None or given == "":
        return False if field.type == "boolean" else None
    read: Callable[[Field, Any], Any] = _READERS.get(field.type, _text)
    return read(field, given)


def check_type(field: Field, given: Any) -> None:
    """See that a value is of the type of its field, where records are refused one by one.

    Raises:
        RecordError: it is not, or it breaks the form, the length or the picklist of the field.
    """
    try:
        stored_value(field, given)
    except UnreadableBody:
        raise RecordError(
            "INVALID_TYPE_ON_FIELD_IN_RECORD",
            f"{field.label}: value not of required type: {str(given)[:200]}",
            [field.name],
        ) from None


def _unreadable(given: Any, kind: str) -> UnreadableBody:
    if isinstance(given, bool):
        token = f"VALUE_{str(given).upper()}"
    elif isinstance(given, str):
        token = f"VALUE_STRING value {given[:200]}"
    elif isinstance(given, int | float):
        name = "INT" if isinstance(given, int) else "FLOAT"
        token = f"VALUE_NUMBER_{name} value {json.dumps(given)[:200]}"
    else:
        token = "START_ARRAY" if isinstance(given, list) else "START_OBJECT"
    return UnreadableBody(
        f"Cannot deserialize instance of {kind} from {token}"
        " or request may be missing a required field at [line:1, column:2]"
    )


def _text(field: Field, given: Any) -> str | None:
    if not isinstance(given, str):
        raise _unreadable(given, "string")
    text = given.replace("\0", "")
    text = text.replace("\r\n", "\n") if field.type == "textarea" else text
    text = text.strip(" \t\r\n")
    if len(text) > field.length:
        raise RecordError(
            "STRING_TOO_LONG",
            f"{field.label}: data value too large: {text} (max length={field.length})",
            [field.name],
        )
    return text or None


def _email(field: Field, given: Any) -> str | None:
    text = _text(field, given)
    if text is not None and not _EMAIL.fullmatch(text):
        raise RecordError(
            "INVALID_EMAIL_ADDRESS", f"{field.label}: invalid email address: {text}", [field.name]
        )
    return text.lower() if text is not None and field.name == "Username" else text


def _choice(field: Field, given: Any) -> str | None:
    text = _text(field, given)
    if text is None:
        return None
    for one in field.values:
        if one.value.lower() == text.lower():
            return one.value
    if field.restrictedPicklist:
        raise RecordError(
            "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST",
            f"{field.label}: bad value for restricted picklist field: {text}",
            [field.name],
        )
    return text


def _several(field: Field, given: Any) -> str | None:
    """Return what is chosen of a list of values, each once, in the order in which it is said."""
    text = _text(field, given)
    if text is None:
        return None
    chosen: dict[str, None] = {}
    for each in text.split(";"):
        one = _choice(field, each)
        if one is not None:
            chosen[one] = None
    return ";".join(chosen) or None


def _bytes(field: Field, given: Any) -> bytes:
    if isinstance(given, bytes):
        return given
    if not isinstance(given, str):
        raise _unreadable(given, "base64Binary")
    try:
        return base64.b64decode("".join(given.split()), validate=True)
    except (binascii.Error, ValueError):
        raise _unreadable(given, "base64Binary") from None


def _reference(field: Field, given: Any) -> str | None:
    text = _text_of_id(field, given)
    found = read_id(text)
    if found is None:
        raise wrong_id(field, text)
    return found


def _text_of_id(field: Field, given: Any) -> str:
    if not isinstance(given, str):
        raise _unreadable(given, "id")
    return given.strip()


def wrong_id(field: Field, text: str) -> RecordError:
    """Return the error of an id that cannot be one of what the field refers to."""
    return RecordError(
        "MALFORMED_ID", f"{field.label}: id value of incorrect type: {text}", [field.name]
    )


def _boolean(field: Field, given: Any) -> bool:
    if isinstance(given, bool):
        return given
    if isinstance(given, str) and given.strip().lower() in ("true", "false"):
        return given.strip().lower() == "true"
    raise _unreadable(given, "boolean")


def _number(field: Field, given: Any) -> float:
    if isinstance(given, str) and _NUMBER.fullmatch(given.strip()):
        given = float(given)
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise _unreadable(given, field.type)
    try:
        found = float(given)
    except OverflowError:
        found = math.inf
    digits = max(field.precision - field.scale, 1) if field.scale < field.precision else 18
    if not math.isfinite(found) or abs(found) >= 10.0 ** min(digits, 18):
        raise RecordError(
            "NUMBER_OUTSIDE_VALID_RANGE",
            f"{field.label}: value outside of valid range on numeric field: {given}",
            [field.name],
        )
    return _rounded(found, field.scale) + 0.0


def _rounded(number: float, scale: int) -> float:
    """Return a number rounded to a scale as it is written, halves away from zero."""
    if scale >= 15 or abs(number) >= 1e15:
        return number
    return float(Decimal(repr(number)).quantize(Decimal(1).scaleb(-scale), ROUND_HALF_UP))


def _whole(field: Field, given: Any) -> int:
    if isinstance(given, str) and _NUMBER.fullmatch(given.strip()):
        given = float(given)
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise _unreadable(given, "int")
    if not abs(given) <= _LARGEST_INT:  # nor is it, where it is no number at all
        raise RecordError(
            "NUMBER_OUTSIDE_VALID_RANGE",
            f"{field.label}: value outside of valid range on numeric field: {given}",
            [field.name],
        )
    return int(given)


def _day(field: Field, given: Any) -> date:
    found = _DATE.fullmatch(given.strip()) if isinstance(given, str) else None
    if found is None:
        raise _unreadable(given, "date")
    try:
        day = date(*(int(part) for part in found.groups()))
    except ValueError:
        raise _unreadable(given, "date") from None
    if day.year not in _YEARS:
        raise RecordError(
            "NUMBER_OUTSIDE_VALID_RANGE", f"{field.label}: invalid date: {given}", [field.name]
        )
    return day


def _moment(field: Field, given: Any) -> datetime:
    text = given.strip() if isinstance(given, str) else ""
    if _MOMENT.fullmatch(text) is None:
        raise _unreadable(given, "datetime")
    try:
        found = datetime.fromisoformat(text).astimezone(UTC).replace(microsecond=0)
    except (ValueError, OverflowError):
        raise _unreadable(given, "datetime") from None
    if found.year not in _YEARS:
        raise RecordError(
            "NUMBER_OUTSIDE_VALID_RANGE", f"{field.label}: invalid date: {given}", [field.name]
        )
    return found


_READERS: Final[dict[str, Callable[[Field, Any], Any]]] = {
    "email": _email,
    "picklist": _choice,
    "multipicklist": _several,
    "base64": _bytes,
    "reference": _reference,
    "boolean": _boolean,
    "double": _number,
    "currency": _number,
    "percent": _number,
    "int": _whole,
    "date": _day,
    "datetime": _moment,
}
