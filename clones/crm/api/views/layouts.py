"""Layouts of objects: what pages show of a record, and where."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.core.operations.inputs import Query
from clones.crm.api.operations import root, versioned
from clones.crm.api.presenters.layouts import (
    present_compact_layouts,
    present_layout,
    present_layouts,
)
from clones.crm.api.views.describes import named_object
from clones.crm.errors import CrmError, NotFound
from clones.crm.queries.record_types import record_types_of
from clones.crm.queries.schema import org_schema
from clones.crm.rules.layouts import layout_of
from clones.crm.rules.record_ids import read_id
from clones.crm.rules.schema import SObject

# Stands where an object's name would: layouts that belong to no object.
GLOBAL = "Global"


# How many objects' layouts are shown at once.
_MOST = 100


class CompactLayoutsQuery(Query):
    """Of which objects layouts are wanted."""

    q: str | None = None


def _with_layout(call: Call, ability: str = "layoutable") -> SObject:
    found = named_object(call)
    if not found.abilities[ability]:
        raise NotFound
    return found


@versioned(
    "GetSObjectLayouts", "GET", "/sobjects/{object}/describe/layouts", summary="Show layouts."
)
def show_layouts(call: Call) -> dict[str, Any]:
    """Answer with the layouts of an object; of `Global`, with the actions of no object."""
    if call.path["object"] == GLOBAL:
        actions: dict[str, Any] = {"quickActionList": {"quickActionListItems": []}}
        nothing: dict[str, Any] = {"layouts": [], "recordTypeMappings": []}
        return {**nothing, "recordTypeSelectorRequired": [], **actions}
    return present_layouts(_with_layout(call), root(call))


@versioned(
    "GetSObjectLayout",
    "GET",
    "/sobjects/{object}/describe/layouts/{record_type}",
    summary="Show the layout of a record type.",
)
def show_layout(call: Call) -> dict[str, Any]:
    """Answer with the layout that records of a type have."""
    of = _with_layout(call)
    _check_type(call, of)
    return present_layout(layout_of(of))


@versioned(
    "GetSObjectCompactLayouts",
    "GET",
    "/sobjects/{object}/describe/compactLayouts",
    summary="Show compact layouts.",
)
def show_compact_layouts(call: Call) -> dict[str, Any]:
    """Answer with the fields at the head of a record's page."""
    return present_compact_layouts(_with_layout(call, "compactLayoutable"), root(call))


@versioned(
    "GetSObjectCompactLayout",
    "GET",
    "/sobjects/{object}/describe/compactLayouts/{record_type}",
    summary="Show the compact layout of a record type, or the primary one.",
)
def show_compact_layout(call: Call) -> Any:
    """Answer with one compact layout."""
    of = _with_layout(call, "compactLayoutable")
    if call.path["record_type"] != "primary":
        _check_type(call, of)
    return present_compact_layouts(of, root(call))["compactLayouts"][0]


@versioned(
    "GetCompactLayouts",
    "GET",
    "/compactLayouts",
    summary="Show the compact layouts of some objects.",
    query=CompactLayoutsQuery,
)
def show_many_compact_layouts(call: Call) -> dict[str, Any]:
    """Answer with the layout of each object that is named, between commas."""
    asked = [one.strip() for one in (call.query.q or "").split(",") if one.strip()]
    if not asked or len(asked) > _MOST:
        raise CrmError("The parameter q is required", code="MISSING_ARGUMENT")
    found = {}
    for name in asked:
        of = org_schema().find(name)
        if of is None or not of.abilities["compactLayoutable"]:
            raise NotFound
        found[of.name] = present_compact_layouts(of, root(call))["compactLayouts"][0]
    return found


@versioned(
    "GetSObjectApprovalLayouts",
    "GET",
    "/sobjects/{object}/describe/approvalLayouts",
    summary="Show approval layouts.",
)
def show_approval_layouts(call: Call) -> dict[str, Any]:
    """Answer with the layouts of approval processes, of which there are none."""
    named_object(call)
    return {"approvalLayouts": []}


def _check_type(call: Call, of: SObject) -> None:
    """Refuse a record type that the object does not have.

    Raises:
        NotFound: it has no such.
    """
    wanted = read_id(call.path["record_type"])
    if wanted not in {one.id for one in record_types_of(of)}:
        raise NotFound
