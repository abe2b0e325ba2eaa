"""Filters of custom object records: from the JSON that a search is given to a tree of comparisons.

Which operators a field takes goes by its type. Of the standard fields the vendor documents one
each; the others are those that client libraries send.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from clones.helpdesk.rules import fields

CUSTOM = "custom_object_fields."
STANDARD = {
    "name": "text",
    "external_id": "text",
    "created_at": "moment",
    "updated_at": "moment",
    "created_by_user": "user",
    "updated_by_user": "user",
}
EQUAL = ("$eq", "$noteq")
AMONG = (*EQUAL, "$in", "$notin", "$exists")
ORDERED = (*EQUAL, "$gt", "$gte", "$lt", "$lte", "$exists")
PARTLY = ("$contains", "$notcontains")
OPERATORS: dict[str, tuple[str, ...]] = {
    "text": (*AMONG, *PARTLY),
    "textarea": (*AMONG, *PARTLY),
    "regexp": (*AMONG, *PARTLY),
    "checkbox": EQUAL,
    "date": ORDERED,
    "integer": ORDERED,
    "decimal": ORDERED,
    "dropdown": AMONG,
    "lookup": AMONG,
    "multiselect": (*PARTLY, "$exists"),
    "moment": ORDERED[:-1],
    "user": AMONG[:-1],
}
DEPTH = 5
MANY = 100  # comparisons


@dataclass(frozen=True, slots=True)
class Comparison:
    """A field, by its name in filters; its kind; an operator; and the value to compare with."""

    field: str
    kind: str
    operator: str
    value: Any


@dataclass(frozen=True, slots=True)
class FilterGroup:
    """Filters of which all must hold, or any."""

    together: bool
    parts: tuple[FilterGroup | Comparison, ...]


class FilterRefused(ValueError):
    """Raised when a filter cannot be read; the text says what is wrong with it."""


def read_filter(given: Any, kinds: Mapping[str, str]) -> FilterGroup:
    """Return the tree of a filter; `kinds` are the types of the object's own fields, by key.

    Raises:
        FilterRefused: it has another form, or asks of a field what it cannot answer.
    """
    found = _group(given, kinds, DEPTH)
    if _count(found) > MANY:
        raise FilterRefused(f"more than {MANY} comparisons")
    return found


def _group(given: Any, kinds: Mapping[str, str], depth: int) -> FilterGroup:
    if not isinstance(given, Mapping):
        raise FilterRefused("a filter must be an object")
    if depth == 0:
        raise FilterRefused("filters are nested too deeply")
    parts: list[FilterGroup | Comparison] = []
    for name, value in given.items():
        if name in ("$and", "$or"):
            if not isinstance(value, list) or not value:
                raise FilterRefused(f"{name} must be an array of filters")
            inner = tuple(_group(item, kinds, depth - 1) for item in value)
            parts.append(FilterGroup(name == "$and", inner))
        else:
            parts.extend(_comparisons(name, value, kinds))
    return FilterGroup(True, tuple(parts))


def _comparisons(name: str, given: Any, kinds: Mapping[str, str]) -> list[Comparison]:
    own = name.removeprefix(CUSTOM)
    kind = kinds.get(own) if own != name else STANDARD.get(name)
    if kind is None:
        raise FilterRefused(f"{name} is not a field")
    if not isinstance(given, Mapping) or not given:
        raise FilterRefused(f"{name} must be an object with an operator")
    found = []
    for operator, value in given.items():
        if operator not in OPERATORS[kind]:
            raise FilterRefused(f"{operator} is not an operator of {name}")
        found.append(Comparison(name, kind, operator, _value(name, kind, operator, value)))
    return found


def _value(name: str, kind: str, operator: str, given: Any) -> Any:
    if operator == "$exists":
        if not isinstance(given, bool):
            raise FilterRefused(f"{operator} of {name} must be true or false")
        return given
    if operator in ("$in", "$notin"):
        if not isinstance(given, list) or len(given) > MANY:
            raise FilterRefused(f"{operator} of {name} must be an array")
        return tuple(_single(name, kind, item) for item in given)
    return _single(name, kind, given)


def _single(name: str, kind: str, given: Any) -> Any:
    """Return the value to compare with, in the form in which records keep theirs."""
    if given is None or isinstance(given, (list, dict)):
        raise FilterRefused(f"{name} is compared with a single value")
    try:
        if kind == "moment":
            return _moment(str(given))
        if kind == "user":
            return int(fields.field_value("integer", given, ()))
        if kind in ("checkbox", "date", "integer", "decimal"):
            kept = fields.field_value(kind, given, ())
            return {"integer": int, "decimal": float}.get(kind, _same)(kept)
    except (TypeError, ValueError) as error:
        raise FilterRefused(f"{name} cannot be compared with {json.dumps(given)}") from error
    text = str(given).lower() if isinstance(given, bool) else str(given)
    if "\0" in text:
        raise FilterRefused(f"{name} cannot be compared with NUL")
    return text


def _same(value: Any) -> Any:
    return value


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _count(found: FilterGroup | Comparison) -> int:
    if isinstance(found, Comparison):
        return 1
    return sum(_count(part) for part in found.parts)
