"""Conditions of rules: filters joined by logic, or a formula, over a record.

A condition is kept as JSON in the vendor's metadata terms: `items` (`field` as `Case.Priority`,
`operation`, `value`), `logic` ("1 AND (2 OR 3)", all where it is empty) or `formula`. One without
any of them is met by every record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from clones.core import clock
from clones.core.digits import whole_number
from clones.crm.errors import RecordError
from clones.crm.queries.formulas import FormulaRecord, checked_formula, resolver
from clones.crm.rules.formulas import Blanks, FormulaError, Kind, Place, Situation, evaluate
from clones.crm.rules.schema import SObject

Condition = Mapping[str, Any]
ALWAYS: Final[Condition] = {}
MOST_ITEMS: Final = 25
_NUMBER: Final = re.compile(r"[+-]?(?:\d{1,18}(?:\.\d{0,18})?|\.\d{1,18})", re.ASCII)
_TOKEN: Final = re.compile(r"\s*(?:(\d{1,2})|(AND|OR|NOT)\b|([()]))", re.ASCII | re.IGNORECASE)
_DEEPEST: Final = 20


def read_condition(of: SObject, given: Mapping[str, Any], *, prefix: str = "") -> dict[str, Any]:
    """Return the condition that the metadata of a rule's entry have, as it is kept.

    `prefix` stands before the names of the members, as `milestoneCriteriaFilterItems` has one.

    Raises:
        RecordError: a field is not there, an operation or a value is none for it, the logic or the
            formula cannot be read.
    """
    names = {
        "items": f"{prefix}FilterItems" if prefix else "criteriaItems",
        "logic": "booleanFilter" if not prefix else f"{prefix}BooleanFilter",
        "formula": f"{prefix}Formula" if prefix else "formula",
    }
    formula = given.get(names["formula"])
    if formula:
        try:
            checked_formula(of, str(formula), Place.ASSIGNMENT, Kind.BOOLEAN)
        except FormulaError as error:
            raise _wrong(str(error)) from error
        return {"formula": str(formula)}
    items = given.get(names["items"]) or []
    items = [items] if isinstance(items, Mapping) else items
    if not isinstance(items, Sequence) or len(items) > MOST_ITEMS:
        raise _wrong(f"A condition has at most {MOST_ITEMS} filters.")
    kept = [_kept_item(of, one) for one in items]
    logic = given.get(names["logic"]) or ""
    if not kept:
        return {}
    if logic:
        _joined(str(logic), [True] * len(kept))
    return {"items": kept, "logic": str(logic)}


def is_met(condition: Condition, of: SObject, get: Callable[[str], Any], *, user: str) -> bool:
    """Tell whether a record meets a condition; `get` returns its fields, `user` looks at it."""
    record = FormulaRecord(of, get, user)
    formula = condition.get("formula")
    if formula:
        situation = Situation(now=clock.now(), zone=ZoneInfo("UTC"), blanks=Blanks.ZEROES)
        try:
            checked = checked_formula(of, formula, Place.ASSIGNMENT, Kind.BOOLEAN)
            return evaluate(checked, record, situation=situation) is True
        except FormulaError:
            return False  # it has no value, or names a field that is gone
    items = condition.get("items", ())
    if not items:
        return True
    return _joined(condition["logic"], [_holds(of, record, one) for one in items])


def _kept_item(of: SObject, given: Any) -> dict[str, str]:
    if not isinstance(given, Mapping) or not isinstance(given.get("field"), str):
        raise _wrong("A filter has a field, an operation and a value.")
    path = _path(of, given["field"])
    found = resolver(of)(path)
    if found is None:
        raise _wrong(f"Field {given['field'][:80]} does not exist. Check spelling.")
    operation = str(given.get("operation"))
    if operation not in _OPERATIONS:
        raise _wrong(f"'{operation[:80]}' is not a valid value for the enum 'FilterOperation'")
    value = str(given.get("value") or "")
    for one in _wanted(value):
        if _read(found.kind, one) is None:
            raise _wrong(f"{given['field'][:80]}: '{one[:80]}' is no value of the field.")
    return {"field": given["field"], "operation": operation, "value": value}


def _path(of: SObject, field: str) -> str:
    """Return the path of a field from a record, as formulas have it."""
    start, dot, rest = field.partition(".")
    if not dot or start.lower() == of.name.lower():
        return rest or start
    return f"${start}.{rest}" if start.lower() == "user" else field


def _holds(of: SObject, record: FormulaRecord, item: Mapping[str, str]) -> bool:
    path = _path(of, item["field"])
    found = resolver(of)(path)
    if found is None:
        return False
    has, kind = record(path), found.kind
    wanted = [_read(kind, one) for one in _wanted(item["value"])]
    return _OPERATIONS[item["operation"]](_plain(kind, has), wanted)


def _wanted(value: str) -> list[str]:
    """Return the values of a filter: several are parted by commas."""
    return [one.strip() for one in value.split(",") if one.strip()]


def _plain(kind: Kind, value: Any) -> Any:
    """Return a value of a record as it is compared."""
    if value is None:
        return False if kind is Kind.BOOLEAN else None
    if isinstance(value, datetime) or kind in (Kind.BOOLEAN, Kind.NUMBER):
        return float(value) if kind is Kind.NUMBER else value
    return value if isinstance(value, date) else str(value).lower()


def _read(kind: Kind, text: str) -> Any:
    """Return a value of a filter as it is compared, None if the field can have no such value."""
    if kind is Kind.BOOLEAN:
        return {"true": True, "1": True, "false": False, "0": False}.get(text.lower())
    if kind is Kind.NUMBER:
        return float(text) if _NUMBER.fullmatch(text) else None
    if kind in (Kind.DATE, Kind.DATETIME):
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return None
        if kind is Kind.DATE:
            return moment.date()
        return moment if moment.tzinfo is not None else moment.replace(tzinfo=clock.now().tzinfo)
    return text.lower()


def _equals(has: Any, wanted: Sequence[Any]) -> bool:
    return has in wanted if wanted else has is None or has == ""


def _contains(has: Any, wanted: Sequence[Any]) -> bool:
    return has is not None and any(str(one) in str(has) for one in wanted)


def _starts(has: Any, wanted: Sequence[Any]) -> bool:
    return has is not None and any(str(has).startswith(str(one)) for one in wanted)


def _includes(has: Any, wanted: Sequence[Any]) -> bool:
    values = str(has or "").split(";")
    return any(one in values for part in wanted for one in str(part).split(";"))


def _compares(test: Callable[[Any, Any], bool]) -> Callable[[Any, Sequence[Any]], bool]:
    return lambda has, wanted: has is not None and any(test(has, one) for one in wanted)


_OPERATIONS: Final[dict[str, Callable[[Any, Sequence[Any]], bool]]] = {
    "equals": _equals,
    "notEqual": lambda has, wanted: not _equals(has, wanted),
    "contains": _contains,
    "notContain": lambda has, wanted: not _contains(has, wanted),
    "startsWith": _starts,
    "includes": _includes,
    "excludes": lambda has, wanted: not _includes(has, wanted),
    "lessThan": _compares(lambda has, one: has < one),
    "greaterThan": _compares(lambda has, one: has > one),
    "lessOrEqual": _compares(lambda has, one: has <= one),
    "greaterOrEqual": _compares(lambda has, one: has >= one),
}


def _joined(logic: str, holds: Sequence[bool]) -> bool:
    """Return what filters are together, joined by their numbers; all of them without logic.

    Raises:
        RecordError: the logic cannot be read, or names a filter that is not there.
    """
    if not logic:
        return all(holds)
    tokens: list[str] = []
    at = 0
    text = logic.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None or len(tokens) > 10 * MOST_ITEMS:
            raise _wrong(f"Incorrect filter logic: {logic[:200]}")
        tokens.append((found[1] or found[2] or found[3]).upper())
        at = found.end()
    reader = _Reader(tokens, holds)
    result = reader.either(0)
    if reader.tokens:
        raise _wrong(f"Incorrect filter logic: {logic[:200]}")
    return result


class _Reader:
    """Reads filter logic: OR of ANDs of numbers, NOT and parentheses."""

    def __init__(self, tokens: list[str], holds: Sequence[bool]) -> None:
        self.tokens, self._holds = tokens, holds

    def either(self, depth: int) -> bool:
        """Read terms that OR joins."""
        result = self._both(depth)
        while self.tokens[:1] == ["OR"]:
            self.tokens.pop(0)
            result = self._both(depth) or result
        return result

    def _both(self, depth: int) -> bool:
        result = self._one(depth)
        while self.tokens[:1] == ["AND"]:
            self.tokens.pop(0)
            result = self._one(depth) and result
        return result

    def _one(self, depth: int) -> bool:
        first = self.tokens.pop(0) if self.tokens and depth < _DEEPEST else ""
        if first == "NOT":
            return not self._one(depth + 1)
        if first == "(":
            result = self.either(depth + 1)
            if self.tokens[:1] == [")"]:
                self.tokens.pop(0)
                return result
        number = whole_number(first)
        if number is None or not 1 <= number <= len(self._holds):
            raise _wrong("Incorrect filter logic: it names filters by their numbers.")
        return self._holds[number - 1]


def _wrong(message: str) -> RecordError:
    return RecordError("FIELD_INTEGRITY_EXCEPTION", message, ["Metadata"])
