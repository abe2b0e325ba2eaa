"""What somebody who types a query is offered: fields, functions, words, and values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from html import escape
from typing import Any, Final

from clones.tracker.rules.jql import words
from clones.tracker.rules.jql.catalogue import (
    FieldType,
    FieldTypeLabel,
    FunctionType,
    classes,
    functions,
    system_fields,
)
from clones.tracker.rules.jql.fields import visible_custom_fields
from clones.tracker.rules.jql.site import SiteField, SiteView

MOST_SUGGESTIONS: Final = 15
PREDICATES: Final = frozenset({"by", "from", "to"})


def reference_data(site: SiteView, *, collapsed: bool = False) -> dict[str, Any]:
    """Return the reference data of a site: fields by name, functions, reserved words.

    With `collapsed`, custom fields of one name and type have a row that stands for all of them.
    """
    products = site.viewer.products
    rows = [
        _field(words.encoded(system.name), system.name, system.type)
        for system in system_fields().values()
        if system.type.product in products
    ]
    rows += _custom_rows(site, collapsed=collapsed)
    shown = [_function(row) for row in functions().values() if row.product in products]
    return {
        "visibleFieldNames": sorted(rows, key=lambda row: row["displayName"].lower()),
        "visibleFunctionNames": sorted(shown, key=lambda row: row["displayName"].lower()),
        "jqlReservedWords": list(words.PUBLISHED),
    }


def _custom_rows(site: SiteView, *, collapsed: bool) -> Iterable[dict[str, Any]]:
    fields = visible_custom_fields(site)
    names = Counter(custom.name.lower() for custom, _ in fields)
    alike = Counter((custom.name.lower(), type_.key) for custom, type_ in fields)
    told = set()
    for custom, type_ in fields:
        low = custom.name.lower()
        unique = names[low] == 1 and low not in system_fields()
        yield _custom(custom, type_, unique=unique)
        if collapsed and alike[low, type_.key] > 1 and (low, type_.key) not in told:
            told.add((low, type_.key))
            bracketed = f"{custom.name}[{type_.label}]"
            yield _field(words.encoded(bracketed), f"{custom.name} - {bracketed}", type_.type) | {
                "orderable": "false"
            }


def _custom(custom: SiteField, type_: FieldTypeLabel, *, unique: bool) -> dict[str, Any]:
    number = f"cf[{custom.number}]"
    value = words.encoded(custom.name) if unique else number
    return _field(value, f"{custom.name} - {number}", type_.type) | {"cfid": number}


def _field(value: str, name: str, type_: FieldType) -> dict[str, Any]:
    row: dict[str, Any] = {"value": value, "displayName": name, "searchable": "true"}
    if type_.suggests:
        row["auto"] = "true"
    if type_.orderable:
        row["orderable"] = "true"
    return row | {"operators": list(type_.operators), "types": list(classes(type_.kind))}


def _function(type_: FunctionType) -> dict[str, Any]:
    arguments = ", ".join(['""'] * type_.shown)
    shown = f"{type_.name}({arguments})"
    row: dict[str, Any] = {"value": shown, "displayName": shown}
    if type_.is_list:
        row["isList"] = "true"
    return row | {"types": list(classes(type_.kind))}


def suggestions(found: Iterable[tuple[str, str]], typed: str) -> dict[str, Any]:
    """Return what is offered while a value is typed.

    Args:
        found: values and their names, in order; those whose names have `typed` in them are offered.
        typed: what there is so far, which is marked in each name.
    """
    results = []
    for value, name in found:
        marked = _marked(name, typed)
        if marked is not None:
            results.append({"value": value, "displayName": marked})
        if len(results) == MOST_SUGGESTIONS:
            break
    return {"results": results}


def _marked(name: str, typed: str) -> str | None:
    """Return a name with what was typed in bold, None if it is not in it."""
    if not typed:
        return escape(name)
    pattern = re.escape(typed)
    # The beginning of a word goes before the middle of one.
    at = re.search(rf"\b{pattern}", name, re.IGNORECASE) or re.search(pattern, name, re.IGNORECASE)
    if at is None:
        return None
    before, match, after = name[: at.start()], at[0], name[at.end() :]
    return f"{escape(before)}<b>{escape(match)}</b>{escape(after)}"
