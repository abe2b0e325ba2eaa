"""Record types by the tooling resources."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.crm.api.bodies import without_nul
from clones.crm.api.operations import root, versioned
from clones.crm.api.views.rows import members
from clones.crm.domain.record_types import define_record_type
from clones.crm.errors import NotFound, RecordError
from clones.crm.models import rows_of
from clones.crm.queries.record_type_metadata import record_type_metadata
from clones.crm.rules.record_ids import read_id


@versioned(
    "PostToolingRecordType",
    "POST",
    "/tooling/sobjects/RecordType",
    summary="Give an object a record type.",
    body=Any,
    status=201,
)
def make_record_type(call: Call) -> Reply:
    """Answer with the id of the record type."""
    body = members(call.body)
    name, metadata = str(body.get("FullName") or ""), without_nul(body.get("Metadata"))
    if not name or not isinstance(metadata, dict):
        raise RecordError(
            "REQUIRED_FIELD_MISSING", "Required fields are missing: [FullName, Metadata]", []
        )
    of, _, own = name.partition(".")
    if rows_of("RecordType").filter(SobjectType=of, DeveloperName__iexact=own).exists():
        raise RecordError(
            "DUPLICATE_DEVELOPER_NAME", f"There is already a RecordType named {name}.", []
        )
    made = define_record_type(name, metadata, actor=call.actor.subject)
    where = f"{root(call)}/tooling/sobjects/RecordType/{made.pk}"
    answer = {"id": made.pk, "success": True, "errors": [], "warnings": [], "infos": []}
    return Reply(answer, 201, {"Location": where})


@versioned(
    "GetToolingRecordType",
    "GET",
    "/tooling/sobjects/RecordType/{id}",
    summary="Show a record type as it is defined.",
)
def show_record_type_definition(call: Call) -> dict[str, Any]:
    """Answer with the record type and its metadata."""
    id = read_id(call.path["id"])
    for row, name, body in record_type_metadata():
        if row.pk == id:
            url = f"{root(call)}/tooling/sobjects/RecordType/{row.pk}"
            return {
                "attributes": {"type": "RecordType", "url": url},
                "Id": row.pk,
                "Name": row.Name,
                "SobjectType": row.SobjectType,
                "IsActive": row.IsActive,
                "FullName": name,
                "Metadata": {key: value for key, value in body.items() if key != "fullName"},
            }
    raise NotFound


@versioned(
    "PatchToolingRecordType",
    "PATCH",
    "/tooling/sobjects/RecordType/{id}",
    summary="Change a record type.",
    body=Any,
    status=204,
)
def change_record_type(call: Call) -> None:
    """Answer with nothing."""
    row = rows_of("RecordType").filter(Id=read_id(call.path["id"]) or "").first()
    if row is None:
        raise NotFound
    metadata = without_nul(members(call.body).get("Metadata"))
    if not isinstance(metadata, dict):
        raise RecordError("REQUIRED_FIELD_MISSING", "Required fields are missing: [Metadata]", [])
    name = f"{row.SobjectType}.{row.DeveloperName}"
    define_record_type(name, metadata, actor=call.actor.subject)
