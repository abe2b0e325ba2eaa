"""List views, as the resources of list views show them: columns, conditions, results."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from clones.crm.api.presenters.layouts import present_column
from clones.crm.models import SObjectRow
from clones.crm.queries.listing import FoundView
from clones.crm.rules.listing import field_at, split_values
from clones.crm.rules.listing.views import MINE, RECENT, select_item
from clones.crm.rules.record_ids import short_id
from clones.crm.rules.schema import SObject
from clones.crm.rules.shown_values import ADDRESS_PARTS

# What sorting by a column is called, up and down, by the kind of its values.
_SORTING: Final = {
    "phone": ("9-0", "0-9"),
    "picklist": ("Low to High", "High to Low"),
    "int": ("High to Low", "Low to High"),
    "double": ("High to Low", "Low to High"),
    "currency": ("High to Low", "Low to High"),
    "percent": ("High to Low", "Low to High"),
    "date": ("New to Old", "Old to New"),
    "datetime": ("New to Old", "Old to New"),
    "boolean": ("Selected to Not Selected", "Not Selected to Selected"),
}
_USUAL: Final = ("Z-A", "A-Z")
_OPERATORS: Final = {
    "equals": "equals",
    "notEqual": "notEquals",
    "lessThan": "lessThan",
    "greaterThan": "greaterThan",
    "lessOrEqual": "lessThanOrEqualTo",
    "greaterOrEqual": "greaterThanOrEqualTo",
    "contains": "like",
    "notContain": "notLike",
    "startsWith": "like",
    "includes": "includes",
    "excludes": "excludes",
}
_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)


def present_list_view(row: SObjectRow, root: str) -> dict[str, Any]:
    """Return a list view in short; `root` is the address of the API's version."""
    own = f"{root}/sobjects/{row.SobjectType}/listviews/{row.Id}"
    return {
        "describeUrl": f"{own}/describe",
        "developerName": row.DeveloperName,
        "id": row.Id,
        "label": row.Name,
        "resultsUrl": f"{own}/results",
        "soqlCompatible": row.IsSoqlCompatible,
        "url": own,
    }


def present_described_view(view: FoundView) -> dict[str, Any]:
    """Return a list view with its columns, its order and the query that finds its records."""
    order = [
        {
            "fieldNameOrPath": path,
            "nullsPosition": "first" if ascends else "last",
            "sortDirection": "ascending" if ascends else "descending",
        }
        for path, ascends in view.shows.sorting(view.of)
    ]
    scope = view.shows.scope if view.shows.scope in (MINE, RECENT) else None
    text = view.query()
    if scope == RECENT:
        text = text.replace(f" FROM {view.of.name}", f" FROM {view.of.name} USING SCOPE mru", 1)
    return {
        "columns": present_columns(view),
        "id": short_id(view.row.Id),
        "orderBy": order,
        "query": text,
        "relatedEntityId": None,
        "scope": scope,
        "scopeEntityId": None,
        "sobjectType": view.of.name,
        "whereCondition": _condition(view),
    }


def present_results(
    view: FoundView, records: list[dict[str, Any]], *, is_done: bool
) -> dict[str, Any]:
    """Return records of a list view, each as its columns with texts."""
    paths = [*view.shows.columns, *view.shows.hidden(view.of)]
    return {
        "columns": present_columns(view),
        "developerName": view.row.DeveloperName,
        "done": is_done,
        "id": short_id(view.row.Id),
        "label": view.row.Name,
        "records": [
            {
                "columns": [
                    {"fieldNameOrPath": path, "value": _cell(view.of, path, one)} for path in paths
                ]
            }
            for one in records
        ],
        "size": len(records),
    }


def present_columns(view: FoundView) -> list[dict[str, Any]]:
    """Return the columns of a list view, those last that are read and not shown."""
    sorting = {path: (place, up) for place, (path, up) in enumerate(view.shows.sorting(view.of))}
    shown = [_column(view.of, path, sorting) for path in view.shows.columns]
    return [*shown, *(_column(view.of, path, None) for path in view.shows.hidden(view.of))]


def _column(of: SObject, path: str, sorting: dict[str, tuple[int, bool]] | None) -> dict[str, Any]:
    field = field_at(of, path)
    if field is None:
        raise LookupError(path)
    is_sortable = sorting is not None and bool(field.sortable)
    up, down = _SORTING.get(field.type, _USUAL) if is_sortable else (None, None)
    place = None if sorting is None else sorting.get(path)
    return {
        "ascendingLabel": up,
        "descendingLabel": down,
        "fieldNameOrPath": path,
        "hidden": sorting is None,
        "label": field.label if sorting is None else present_column(of, path)["label"],
        "selectListItem": select_item(of, path),
        "sortDirection": None if place is None else ("ascending" if place[1] else "descending"),
        "sortIndex": None if place is None else place[0],
        "sortable": is_sortable,
        "type": field.type,
    }


def _condition(view: FoundView) -> dict[str, Any] | None:
    found = [
        {
            "field": one.field,
            "operator": _OPERATORS[one.operation],
            "values": [_shown(view.of, one.field, text) for text in split_values(one.value)],
        }
        for one in view.shows.filters
    ]
    if not found:
        return None
    return found[0] if len(found) == 1 else {"conditions": found, "conjunction": "and"}


def _shown(of: SObject, path: str, text: str) -> str:
    field = field_at(of, path)
    is_text = field is not None and field.is_text
    return f"'{text}'" if is_text else text


def cell_of(record: dict[str, Any], path: str) -> Any:
    """Return the value that a path leads to in a record of a query; None where it leads nowhere."""
    found: Any = record
    for name in path.split("."):
        if not isinstance(found, dict):
            return None
        found = found.get(name)
    return found


def _cell(of: SObject, path: str, record: dict[str, Any]) -> str | None:
    value, field = cell_of(record, path), field_at(of, path)
    if value is None or field is None:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if field.type == "datetime":
        return _written(str(value))
    if isinstance(value, dict):
        parts = [value.get(key) for key in ADDRESS_PARTS]
        return ", ".join(str(one) for one in parts if one is not None)
    return str(value)


def _written(text: str) -> str:
    """Return a moment as lists have it: `Fri Aug 01 21:15:46 GMT 2014`."""
    moment = datetime.fromisoformat(f"{text[:19]}+00:00")
    day, month = _DAYS[moment.weekday()], _MONTHS[moment.month - 1]
    return f"{day} {month} {moment:%d %H:%M:%S} GMT {moment.year:04d}"
