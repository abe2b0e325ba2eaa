"""List views as bodies describe them."""

from __future__ import annotations

from typing import Any

from clones.crm.domain.list_views import NamedView
from clones.crm.errors import RecordError, UnreadableBody
from clones.crm.rules.layouts import layout_of
from clones.crm.rules.listing import Filter, FilterError, ListView, quoted_value
from clones.crm.rules.schema import SObject


def given_view(of: SObject, body: dict[str, Any], base: ListView) -> NamedView:
    """Return the list view that a body describes, over one that is there.

    Raises:
        UnreadableBody: a part is of another kind than it has to be.
        RecordError: an operator is none.
    """
    columns, filters = body.get("displayColumns"), body.get("filteredByInfo")
    order, scope = body.get("orderedByInfo"), body.get("scope")
    scope = scope.get("apiName") if isinstance(scope, dict) else scope
    label = body.get("label")
    if not isinstance(label, str) or not isinstance(scope, str | None):
        raise UnreadableBody("Cannot deserialize instance of list view")
    name = body.get("listViewApiName") or label.replace(" ", "_")
    visibility = body.get("visibility") or base.visibility
    logic = body.get("filterLogicString", base.logic)
    if not isinstance(name, str) or not isinstance(visibility, str):
        raise UnreadableBody("Cannot deserialize instance of list view")
    if not isinstance(logic, str | None):
        raise UnreadableBody("Cannot deserialize instance of filterLogicString")
    shows = ListView(
        scope=(scope or base.scope).lower(),
        filters=base.filters if filters is None else tuple(_read_filter(x) for x in _list(filters)),
        logic=logic,
        columns=base.columns
        if columns is None
        else tuple(_member(one, "fieldApiName") for one in _list(columns)),
        order=base.order
        if order is None
        else tuple((_member(one, "fieldApiName"), _ascends(one)) for one in _list(order)),
        queue=base.queue,
        visibility=visibility,
    )
    if not shows.columns:
        shows = ListView(**{**_members_of(shows), "columns": layout_of(of).search_columns})
    return NamedView(name, label, shows)


def _ascends(given: Any) -> bool:
    return not isinstance(given, dict) or given.get("isAscending") is not False


def _members_of(shows: ListView) -> dict[str, Any]:
    return {name: getattr(shows, name) for name in ListView.__slots__}


def _list(given: Any) -> list[Any]:
    if not isinstance(given, list) or len(given) > 100:
        raise UnreadableBody("Cannot deserialize instance of list")
    return given


def _member(given: Any, name: str) -> str:
    found = given.get(name) if isinstance(given, dict) else given
    if not isinstance(found, str):
        raise UnreadableBody(f"Cannot deserialize instance of {name}")
    return found


def _read_filter(given: Any) -> Filter:
    operands = given.get("operandLabels", []) if isinstance(given, dict) else None
    if not isinstance(operands, list) or not are_texts(operands):
        raise UnreadableBody("Cannot deserialize instance of operandLabels")
    try:
        return Filter.read(
            _member(given, "fieldApiName"),
            _member(given, "operator"),
            ",".join(quoted_value(one) for one in operands),
        )
    except FilterError as error:
        raise RecordError("FIELD_INTEGRITY_EXCEPTION", str(error), []) from error


def are_texts(values: list[Any]) -> bool:
    """Tell whether a list has nothing but texts."""
    return all(isinstance(one, str) for one in values)
