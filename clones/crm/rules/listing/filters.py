"""Rows of conditions, and the logic that joins them, as the condition of a query.

A row names a field, an operation and a value; several values are between commas. The rows are
numbered from one, and a logic joins the numbers: `1 AND (2 OR 3)`; without it all must be true.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from clones.crm.rules.filter_logic import WrongLogic, read_logic
from clones.crm.rules.listing.paths import field_at
from clones.crm.rules.schema import Field, SObject

OPERATIONS: Final[Mapping[str, str]] = {
    "equals": "=",
    "notEqual": "!=",
    "lessThan": "<",
    "greaterThan": ">",
    "lessOrEqual": "<=",
    "greaterOrEqual": ">=",
    "contains": "",
    "notContain": "",
    "startsWith": "",
    "includes": "INCLUDES",
    "excludes": "EXCLUDES",
}
_BY_LOWER: Final = {name.lower(): name for name in OPERATIONS}
_LIKE: Final = {"contains": "%{}%", "notContain": "%{}%", "startsWith": "{}%"}
_NUMBER: Final = re.compile(r"[-+]?\d{1,18}(?:\.\d{1,18})?", re.ASCII)
_LITERAL: Final = re.compile(r"[A-Z]+(?:_[A-Z]+)*(?::\d{1,4})?", re.ASCII)
_SPOKEN: Final = re.compile(r"(LAST|NEXT) (\d{1,4}) ([A-Z]+)", re.ASCII)
_ISO: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})(T.{1,30})?", re.ASCII)
_WRITTEN: Final = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})(?:\s.{1,20})?", re.ASCII)
_ESCAPED: Final = re.compile(r"[\\']")
_WILD: Final = re.compile(r"[%_]")
_TRUE: Final = frozenset({"true", "1", "yes"})
_FALSE: Final = frozenset({"false", "0", "no"})
MOST_VALUES: Final = 1000


class FilterError(Exception):
    """Raised where a row or the logic cannot be meant; the message says why."""


@dataclass(frozen=True, slots=True)
class Filter:
    """A row: a path of the object, one of `OPERATIONS`, values between commas."""

    field: str
    operation: str
    value: str

    @classmethod
    def read(cls, field: str, operation: str, value: str) -> Filter:
        """Return the row that three texts make, its operation in whatever case it is written.

        Raises:
            FilterError: there is no such operation.
        """
        known = _BY_LOWER.get(operation.lower())
        if known is None:
            raise FilterError(f"{operation} is not a valid filter operator")
        return cls(field, known, value)

    def as_json(self) -> dict[str, str]:
        """Return the row as definitions keep it."""
        return {"field": self.field, "operation": self.operation, "value": self.value}


def split_values(text: str) -> list[str]:
    """Return the values that stand between commas; those in quotes may have commas themselves."""
    found, current, is_quoted = [], "", False
    for one in text:
        if one == '"':
            is_quoted = not is_quoted
        elif one == "," and not is_quoted:
            found.append(current.strip())
            current = ""
        else:
            current += one
    return [*found, current.strip()]


def quoted_value(text: str) -> str:
    """Return a value as it stands between commas: in quotes where it has a comma itself."""
    bare = text.replace('"', "")
    return f'"{bare}"' if "," in bare else bare


def condition_text(of: SObject, row: Filter, zone: ZoneInfo) -> str:
    """Return a row as a condition of SOQL; days are those of a zone.

    Raises:
        FilterError: the object has no such field, or its values are not like this one.
    """
    field = field_at(of, row.field)
    if field is None:
        raise FilterError(f"No such column '{row.field}' on entity '{of.name}'")
    values = split_values(row.value)
    if len(values) > MOST_VALUES:
        raise FilterError("Too many values in a filter")
    if row.operation in _LIKE:
        return _like(field, row, values)
    if row.operation in ("includes", "excludes"):
        listed = ", ".join(_quoted(one) for one in values)
        return f"{row.field} {OPERATIONS[row.operation]} ({listed})"
    parts = [_compared(field, row, one, zone) for one in values]
    if len(parts) == 1:
        return parts[0]
    joiner = " AND " if row.operation == "notEqual" else " OR "
    return f"({joiner.join(parts)})"


def logic_text(logic: str | None, conditions: Sequence[str]) -> str:
    """Return conditions joined as a logic says; empty where there are none.

    Raises:
        FilterError: the logic is none, or leaves a row out, or names one that is not there.
    """
    if not logic or not logic.strip():
        return " AND ".join(f"({one})" for one in conditions)
    try:
        found = read_logic(logic, len(conditions))
    except WrongLogic as error:
        raise FilterError(str(error)) from None
    if set(found.numbers()) != set(range(1, len(conditions) + 1)):
        raise FilterError("The filter logic references an undefined filter, or leaves one out")
    return found.text(conditions)


def _quoted(text: str) -> str:
    escaped = _ESCAPED.sub(lambda hit: f"\\{hit[0]}", text)
    escaped = escaped.replace("\n", "\\n").replace("\r", "\\r")
    return f"'{escaped}'"


def _like(field: Field, row: Filter, values: Sequence[str]) -> str:
    if not field.is_text:
        raise FilterError(f"{row.operation} is not a valid filter operator for {row.field}")
    parts = []
    for one in values:
        pattern = _LIKE[row.operation].format("\0")
        # What the pattern escapes is escaped once more as a text.
        escaped = _WILD.sub(lambda hit: f"\\{hit[0]}", _ESCAPED.sub(r"\\\g<0>", one))
        escaped = escaped.replace("\n", "\\n").replace("\r", "\\r")
        parts.append(f"{row.field} LIKE '{pattern.replace(chr(0), escaped)}'")
    joined = " OR ".join(parts)
    if row.operation == "notContain":
        return f"(NOT ({joined}))"
    return f"({joined})" if len(parts) > 1 else joined


def _compared(field: Field, row: Filter, value: str, zone: ZoneInfo) -> str:
    sign = OPERATIONS[row.operation]
    if value == "" or value.lower() == "null":
        return f"{row.field} {sign if sign in ('=', '!=') else '='} null"
    if field.type == "boolean":
        low = value.lower()
        if low not in _TRUE | _FALSE:
            raise FilterError(f"{value} is not a valid value of {row.field}")
        return f"{row.field} {sign} {str(low in _TRUE).lower()}"
    if field.is_number:
        bare = value.replace(",", "").lstrip("$").removesuffix("%")
        if _NUMBER.fullmatch(bare) is None:
            raise FilterError(f"{value} is not a valid value of {row.field}")
        return f"{row.field} {sign} {bare}"
    if field.type in ("date", "datetime"):
        return _dated(field, row, sign, value, zone)
    return f"{row.field} {sign} {_quoted(value)}"


def _dated(field: Field, row: Filter, sign: str, value: str, zone: ZoneInfo) -> str:
    literal = literal_of(value)
    if literal is not None:
        return f"{row.field} {sign} {literal}"
    iso = _ISO.fullmatch(value)
    if iso is not None and iso[4]:
        try:
            moment = datetime.fromisoformat(value.replace("Z", "+00:00").replace("+0000", "+00:00"))
        except ValueError:
            raise FilterError(f"{value} is not a valid value of {row.field}") from None
        moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)
        if field.type == "datetime":
            return f"{row.field} {sign} {_moment(moment)}"
        return f"{row.field} {sign} {moment.astimezone(zone).date().isoformat()}"
    day = _day(value)
    if day is None:
        raise FilterError(f"{value} is not a valid value of {row.field}")
    if field.type == "date":
        return f"{row.field} {sign} {day.isoformat()}"
    return _of_day(row.field, sign, day, zone)


def literal_of(value: str) -> str | None:
    """Return the date literal of SOQL that a value is, as a word or spoken: `LAST 7 DAYS`."""
    text = value.strip().upper()
    spoken = _SPOKEN.fullmatch(text)
    if spoken is not None:
        unit = spoken[3] if spoken[3].endswith("S") else f"{spoken[3]}S"
        return f"{spoken[1]}_N_{unit}:{spoken[2]}"
    text = text.replace(" ", "_")
    return text if _LITERAL.fullmatch(text) else None


def _day(value: str) -> date | None:
    iso, written = _ISO.fullmatch(value), _WRITTEN.fullmatch(value)
    try:
        if iso is not None:
            return date(int(iso[1]), int(iso[2]), int(iso[3]))
        if written is not None:
            return date(int(written[3]), int(written[1]), int(written[2]))
    except ValueError:
        pass
    return None


def _of_day(path: str, sign: str, day: date, zone: ZoneInfo) -> str:
    if day.year in (1, 9999):
        raise FilterError(f"{day} is out of range")
    start = _moment(datetime.combine(day, time(), zone))
    end = _moment(datetime.combine(day + timedelta(days=1), time(), zone))
    return {
        "=": f"({path} >= {start} AND {path} < {end})",
        "!=": f"({path} < {start} OR {path} >= {end})",
        "<": f"{path} < {start}",
        ">": f"{path} >= {end}",
        "<=": f"{path} < {end}",
        ">=": f"{path} >= {start}",
    }[sign]


def _moment(moment: datetime) -> str:
    return moment.astimezone(ZoneInfo("UTC")).strftime("%Y-%m-%dT%H:%M:%SZ")
