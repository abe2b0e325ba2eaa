"""Which records refer to another by a lookup field."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.helpdesk.api.custom_object_records import page_of_records
from clones.helpdesk.api.operations import OPERATIONS, PagedQuery, list_request
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.domain.object_access import check_scope
from clones.helpdesk.queries.custom_objects import field_of, object_of_key
from clones.helpdesk.queries.lookup_targets import target_exists
from clones.helpdesk.queries.record_search import referring
from clones.helpdesk.rules.custom_objects import OBJECT_TARGET


@OPERATIONS.operation(
    "GetSourcesByTarget",
    "GET",
    "/{target_type}/{target_id}/relationship_fields/{field_id}/{source_type}",
    summary="List the records whose lookup field refers to a record.",
    query=PagedQuery,
)
def list_sources(call: Call) -> dict[str, Any]:
    """List records of a custom object: lookups are fields of these only."""
    target, key = call.path["target_type"], call.path["target_id"]
    source: str = call.path["source_type"]
    if not source.startswith(OBJECT_TARGET):
        raise RecordNotFound("lookup field", call.path["field_id"])
    found = object_of_key(source.removeprefix(OBJECT_TARGET))
    check_scope(call.actor, found, "read")
    field = field_of(found, call.path["field_id"])
    if field.relationship_target_type != target or not target_exists(target, key):
        raise RecordNotFound("lookup field", call.path["field_id"])
    page = paginate(referring(found, field, key), list_request(call), Order(("id",)))
    return page_of_records(found, page, call)
