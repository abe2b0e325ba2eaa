"""Conditions of a form: which of its fields show, and which of those must be filled.

A condition is {parent_field_id, value, child_fields: [{id, is_required}]}: its children show while
the parent shows and holds the value. Values are by field id, as kept or as a page's inputs hold
them: a checkbox is true, "true", or anything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Conditions = Sequence[Mapping[str, Any]]


def shown_ids(
    field_ids: Sequence[int], conditions: Conditions, values: Mapping[int, Any]
) -> set[int]:
    """Return the fields of a form that show."""
    children = {key for rule in conditions for key in _children(rule)}
    shown = set(field_ids) - children
    # A child may be a parent in turn, in a condition that comes earlier.
    while True:
        more = {key for rule in _met(conditions, values, shown) for key in _children(rule)}
        if more <= shown:
            return shown
        shown |= more


def required_ids(
    field_ids: Sequence[int], conditions: Conditions, values: Mapping[int, Any]
) -> set[int]:
    """Return the fields that conditions of end users require, of those that show."""
    shown = shown_ids(field_ids, conditions, values)
    return {
        int(child["id"])
        for rule in _met(conditions, values, shown)
        for child in rule.get("child_fields", ())
        if child.get("is_required")
    }


def meets(value: Any, wanted: Any) -> bool:
    """Tell whether a field holds what a condition wants."""
    if isinstance(value, (list, tuple)):
        return wanted in value
    if isinstance(wanted, bool):
        return wanted is (value is True or value == "true")
    return str("" if value is None else value) == str("" if wanted is None else wanted)


def _met(
    conditions: Conditions, values: Mapping[int, Any], shown: set[int]
) -> Iterator[Mapping[str, Any]]:
    for rule in conditions:
        parent = int(rule.get("parent_field_id") or 0)
        if parent in shown and meets(values.get(parent), rule.get("value")):
            yield rule


def _children(rule: Mapping[str, Any]) -> list[int]:
    return [int(child["id"]) for child in rule.get("child_fields", ())]
