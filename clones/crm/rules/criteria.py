"""Criteria of rules: items that compare a field with a value, and a logic over their numbers.

    items = read_items([{"field": "StageName", "operation": "equals", "value": "Closed Won,Lost"}])
    meets(items, "1", of, get, today=today)

Several values with commas between them mean any of them. Texts are compared in any case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, Protocol

from clones.crm.rules.filter_logic import WrongLogic, read_logic
from clones.crm.rules.schema import Field

OPERATIONS: Final = (
    "equals",
    "notEqual",
    "lessThan",
    "greaterThan",
    "lessOrEqual",
    "greaterOrEqual",
    "contains",
    "notContain",
    "startsWith",
    "includes",
    "excludes",
)
MOST_ITEMS: Final = 25
_OPPOSITE: Final = {"notEqual": "equals", "notContain": "contains", "excludes": "includes"}
_SIGNS: Final = {"lessThan": "<", "greaterThan": ">", "lessOrEqual": "<=", "greaterOrEqual": ">="}
_DAY: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)
_AMERICAN_DAY: Final = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})", re.ASCII)
_NUMBER: Final = re.compile(r"[+-]?\d{1,18}(?:\.\d{1,18})?", re.ASCII)
_MOMENTS: Final = frozenset({"date", "datetime"})


class HasFields(Protocol):
    """What has the fields that criteria name: an object, or more than one by their paths."""

    def field(self, name: str, /) -> Field | None:
        """Return the field of a name; None if there is none."""
        ...


class WrongCriteria(ValueError):
    """Raised where criteria cannot be read; its text says why."""


@dataclass(frozen=True, slots=True)
class Item:
    """One comparison: a field by its name, one of `OPERATIONS`, and a value as a text."""

    field: str
    operation: str
    value: str


def read_items(given: Any) -> tuple[Item, ...]:
    """Return the items of criteria as metadata have them; fields lose their object's name.

    Raises:
        WrongCriteria: they are no such items, or too many.
    """
    if given is None:
        return ()
    if not isinstance(given, list) or len(given) > MOST_ITEMS:
        raise WrongCriteria(f"Criteria must be a list of at most {MOST_ITEMS} items")
    return tuple(_item(one) for one in given)


def _item(given: Any) -> Item:
    if not isinstance(given, Mapping):
        raise WrongCriteria("An item of criteria must be an object")
    field, operation, value = (given.get(name) for name in ("field", "operation", "value"))
    if not isinstance(field, str) or operation not in OPERATIONS:
        raise WrongCriteria(f"Unknown field or operation in criteria: {str(operation)[:80]}")
    if value is None:
        value = ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        value = str(value).lower() if isinstance(value, bool) else None
    if value is None:
        raise WrongCriteria("A value of criteria must be a text")
    return Item(field.rpartition(".")[2], operation, str(value))


def check_criteria(items: Sequence[Item], logic: Any, of: HasFields) -> None:
    """See that criteria name fields of an object, with values of their types.

    Raises:
        WrongCriteria: they do not, or the logic is none over their numbers.
    """
    for item in items:
        field = of.field(item.field)
        if field is None or field.type == "address":
            raise WrongCriteria(f"Field {item.field} does not exist. Check spelling.")
        for text in _texts(item.value):
            if _read(field, text) is None:
                raise WrongCriteria(f"Invalid value '{text[:80]}' for field {field.name}")
    if logic is not None:
        if not isinstance(logic, str):
            raise WrongCriteria("The filter logic is not valid")
        logic_holds(logic, [False] * len(items))


def meets(
    items: Sequence[Item], logic: str | None, of: HasFields, get: Callable[[Field], Any]
) -> bool:
    """Tell whether a record meets criteria: all items, or as a logic over their numbers says.

    `get` returns the value that a field has.
    """
    found = [_holds(item, of, get) for item in items]
    return all(found) if logic is None else logic_holds(logic, found)


def logic_holds(logic: str, found: Sequence[bool]) -> bool:
    """Tell whether a logic such as `1 AND (2 OR 3)` holds over what holds or does not.

    Raises:
        WrongCriteria: it is none, or names what is not there.
    """
    try:
        return read_logic(logic, len(found)).holds(found)
    except WrongLogic as error:
        raise WrongCriteria(str(error)) from None


def _holds(item: Item, of: HasFields, get: Callable[[Field], Any]) -> bool:
    field = of.field(item.field)
    if field is None:
        return False
    if item.operation in _OPPOSITE:
        return not _is_so(field, _OPPOSITE[item.operation], item.value, get(field))
    return _is_so(field, item.operation, item.value, get(field))


def _is_so(field: Field, operation: str, text: str, value: Any) -> bool:
    wanted = [_read(field, one) for one in _texts(text)] or [None]
    return any(_compared(field, operation, value, one) for one in wanted)


def _compared(field: Field, operation: str, value: Any, wanted: Any) -> bool:
    if wanted is None or value is None or value == "":
        return operation == "equals" and wanted is None and value in (None, "")
    if isinstance(value, datetime):
        value = value.date() if not isinstance(wanted, datetime) else value
    if isinstance(value, str) or isinstance(wanted, str):
        value, wanted = str(value).lower(), str(wanted).lower()
    elif field.is_number:
        value = float(value)
    if operation == "includes":
        return wanted in [one.strip() for one in str(value).split(";")]
    if operation in ("contains", "startsWith"):
        text, part = str(value), str(wanted)
        return part in text if operation == "contains" else text.startswith(part)
    sides: dict[str, bool] = {
        "equals": value == wanted,
        "lessThan": value < wanted,
        "greaterThan": value > wanted,
        "lessOrEqual": value <= wanted,
        "greaterOrEqual": value >= wanted,
    }
    return sides[operation]


def _texts(value: str) -> list[str]:
    return [one.strip() for one in value.split(",") if one.strip()]


def _read(field: Field, text: str) -> Any:
    """Return the value that a text of criteria stands for; None if it can be none of the field."""
    if field.type == "boolean":
        return {"true": True, "1": True, "false": False, "0": False}.get(text.lower())
    if field.is_number:
        return float(text) if _NUMBER.fullmatch(text) else None
    if field.type not in _MOMENTS:
        return text
    if found := _DAY.match(text):
        year, month, day = (int(one) for one in found.groups())
    elif found := _AMERICAN_DAY.fullmatch(text):
        month, day, year = (int(one) for one in found.groups())
    else:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def condition_text(items: Sequence[Item], of: HasFields) -> str | None:
    """Return criteria as the condition of a query over an object's records; None for no items."""
    return " AND ".join(f"({_condition(item, of)})" for item in items) or None


def _condition(item: Item, of: HasFields) -> str:
    field = of.field(item.field)
    if field is None:
        raise WrongCriteria(f"Field {item.field} does not exist. Check spelling.")
    values = [_literal(field, one) for one in _texts(item.value)] or ["null"]
    is_not = item.operation in _OPPOSITE
    operation = _OPPOSITE.get(item.operation, item.operation)
    found = " OR ".join(_one(field, operation, value) for value in values)
    return f"NOT ({found})" if is_not else found


def _one(field: Field, operation: str, value: str) -> str:
    if operation == "equals":
        return f"{field.name} = {value}"
    if operation == "includes":
        return f"{field.name} INCLUDES ({value})"
    if operation in _SIGNS:
        return f"{field.name} {_SIGNS[operation]} {value}"
    inner = value.strip("'").replace("%", r"\%").replace("_", r"\_")
    return f"{field.name} LIKE '{'%' if operation == 'contains' else ''}{inner}%'"


def _literal(field: Field, text: str) -> str:
    value = _read(field, text)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, date):
        day = value.isoformat()
        return f"{day}T00:00:00Z" if field.type == "datetime" else day
    if isinstance(value, float):
        return text
    escaped = text.replace("\\", "\\\\").replace("'", r"\'")
    return f"'{escaped}'"
