"""Searches in the records of custom objects."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call
from clones.helpdesk.api.custom_object_records import (
    RECORD_PATH,
    CursorQuery,
    counted_page,
    sort_order,
)
from clones.helpdesk.api.custom_objects import named_object
from clones.helpdesk.api.operations import OPERATIONS, Body, list_request
from clones.helpdesk.api.paging import Page, list_page, paginate
from clones.helpdesk.domain.errors import InvalidAttribute, MissingParameter, RecordNotFound
from clones.helpdesk.domain.object_access import check_scope
from clones.helpdesk.models import CustomObject
from clones.helpdesk.queries.custom_objects import active_fields, field_of, object_of_key
from clones.helpdesk.queries.record_search import DEEP, Records, filtered, matching
from clones.helpdesk.rules.custom_objects import OBJECT_TARGET, target_of
from clones.helpdesk.rules.record_filters import FilterRefused, read_filter

SORTS = ("name", "created_at", "updated_at")


class SearchQuery(CursorQuery):
    """Text, order and paging of a search of custom object records."""

    query: str | None = Field(None, description="Words; records with any of them are found.")


class FilterBody(Body):
    """The filter of a search of custom object records: conditions joined by `$and`, `$or`."""

    filter: dict[str, Any] | None = None


class NameQuery(CursorQuery):
    """Text and paging of a search of custom object records by name."""

    name: str | None = None
    field_id: str | None = Field(None, description="A lookup field that the record is for.")
    source: str | None = Field(None, description="What the field belongs to.")


def _page(rows: Records, call: Call) -> Page:
    """Return a page: in the order asked for, else the best of the first ten thousand."""
    order = sort_order(call, SORTS)
    if order is not None:
        return paginate(rows, list_request(call), order, offset=False)
    return list_page(rows[:DEEP], list_request(call), name="relevance", offset=False)


def _readable(call: Call) -> CustomObject:
    found = named_object(call)
    check_scope(call.actor, found, "read")
    return found


@OPERATIONS.operation(
    "SearchCustomObjectRecords",
    "GET",
    f"{RECORD_PATH}/search",
    summary="Search the records of a custom object by words.",
    query=SearchQuery,
)
def search_records(call: Call) -> dict[str, Any]:
    """Search records by words in their texts."""
    found = _readable(call)
    return counted_page(found, _page(matching(found, call.query.query or ""), call), call)


@OPERATIONS.operation(
    "FilteredSearchCustomObjectRecords",
    "POST",
    f"{RECORD_PATH}/search",
    summary="Search the records of a custom object by words and by their values.",
    query=SearchQuery,
    body=FilterBody,
    writes=False,
)
def filter_records(call: Call) -> dict[str, Any]:
    """Search records by words and a filter."""
    found = _readable(call)
    fields = active_fields(found)
    try:
        tree = read_filter(call.body.filter or {}, {field.key: field.type for field in fields})
    except FilterRefused as error:
        raise InvalidAttribute("filter", f"valid: {error}") from error
    rows = filtered(matching(found, call.query.query or ""), tree, fields)
    return counted_page(found, _page(rows, call), call)


@OPERATIONS.operation(
    "AutocompleteCustomObjectRecordSearch",
    "GET",
    f"{RECORD_PATH}/autocomplete",
    summary="Find the records of a custom object by the beginning of a word of their name.",
    query=NameQuery,
)
def autocomplete_records(call: Call) -> dict[str, Any]:
    """Find records by a part of their name, for a lookup field if one is named."""
    found = _readable(call)
    if call.query.field_id or call.query.source:
        _check_lookup(found, call)
    rows = matching(found, call.query.name or "", names_only=True)
    return counted_page(found, _page(rows, call), call)


def _check_lookup(found: CustomObject, call: Call) -> None:
    """Refuse a field that is no lookup of the object's records.

    Raises:
        MissingParameter: the field or what it belongs to is not named.
        RecordNotFound: there is no such lookup.
    """
    for name in ("field_id", "source"):
        if not getattr(call.query, name):
            raise MissingParameter(name)
    source: str = call.query.source
    key = source.removeprefix(OBJECT_TARGET)
    if key == source:
        raise RecordNotFound("lookup field", call.query.field_id)
    field = field_of(object_of_key(key), call.query.field_id)
    if field.relationship_target_type != target_of(found.key):
        raise RecordNotFound("lookup field", call.query.field_id)
