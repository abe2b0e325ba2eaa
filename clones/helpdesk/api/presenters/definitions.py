"""What rules can say as JSON: in the newer form, by subject, and in the older, by value."""

from __future__ import annotations

from typing import Any

from clones.core.digits import is_digits
from clones.helpdesk.queries.definitions import Definition


def present_action(item: Definition) -> dict[str, Any]:
    """Return an action's definition as JSON, the values too where they can be listed."""
    return {**_subject(item), **_listed(item)}


def present_condition(item: Definition) -> dict[str, Any]:
    """Return a condition's definition as JSON, the values too where they can be listed."""
    operators = [
        {"value": found.name, "title": found.title, "terminal": found.terminal}
        for found in item.operators
    ]
    return {**_subject(item), "operators": operators, **_listed(item)}


def present_macro_action(item: Definition) -> dict[str, Any]:
    """Return a macro's action in the older form."""
    return {
        **_older(item),
        "operators": [{"value": "is", "title": "Is"}],
        "title_for_field": item.title,
        "output_key": None,
    }


def present_filter(item: Definition) -> dict[str, Any]:
    """Return a condition of SLAs in the older form."""
    operators = [{"value": found.name, "title": found.title} for found in item.operators]
    return {**_older(item), "operators": operators}


def present_group_filter(item: Definition) -> dict[str, Any]:
    """Return the condition on groups as policies of groups have it: it names several at once."""
    values = [
        {"value": int(value), "title": title} for value, title in item.values if is_digits(value)
    ]
    return {
        "title": "Group ID",
        "value": item.subject,
        "group": "ticket",
        "operators": [{"value": name, "title": title} for name, title in _SEVERAL.items()],
        "values": {"type": "list", "list": values},
    }


_SEVERAL = {
    "includes": "Contains at least one of the following",
    "not_includes": "Contains at least none of the following",
}


def _subject(item: Definition) -> dict[str, Any]:
    return {
        "title": item.title,
        "subject": item.subject,
        "type": item.type,
        "group": "ticket",
        "nullable": item.nullable,
        "repeatable": item.repeatable,
    }


def _listed(item: Definition) -> dict[str, Any]:
    return {"values": _values(item)} if item.values else {}


def _values(item: Definition) -> list[dict[str, Any]]:
    return [{"value": value, "title": title, "enabled": True} for value, title in item.values]


def _older(item: Definition) -> dict[str, Any]:
    return {
        "title": item.title,
        "value": item.subject,
        "group": "ticket",
        "target": None,
        "values": {"type": item.type, "list": _values(item)},
    }
