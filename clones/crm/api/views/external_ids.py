"""Records by a value of their own, and what lies behind a relationship of a record.

Both stand at `/sobjects/{object}/{key}/{name}`: `key` is a field and `name` its value, or `key` is
an id and `name` a relationship.
"""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.crm.api.bodies import flag
from clones.crm.api.operations import root, version_of, versioned
from clones.crm.api.views.describes import named_object
from clones.crm.api.views.files import show_bytes
from clones.crm.api.views.relationships import change_related, remove_related, show_related
from clones.crm.api.views.rows import FieldsQuery, members, shown_row, wanted_fields
from clones.crm.domain.saving import delete_record
from clones.crm.domain.saving.external_ids import upsert_record
from clones.crm.domain.saving.lookups import SeveralMatch, ids_with, key_field
from clones.crm.errors import CrmError, NotFound, RecordError
from clones.crm.queries.records import find_record
from clones.crm.rules.record_ids import read_id
from clones.crm.rules.schema import Field, SObject

# From this version on an upsert that changed a record says so in a body.
_SAYS_CREATED = 46.0


class UpsertQuery(FieldsQuery):
    """Whether no record is to be made where none has the value."""

    updateOnly: str | None = None  # noqa: N815 - the vendor's name


@versioned(
    "GetSObjectRowByKey",
    "GET",
    "/sobjects/{object}/{key}/{name}",
    summary="Show the record that has a value, what a relationship leads to, or a file.",
    query=FieldsQuery,
)
def show_row_by_key(call: Call) -> Any:
    """Answer with the record; with the addresses of all that have the value, if several do."""
    of, key, name = _asked(call)
    if _is_relationship(of, key):
        held = of.field(name)
        if held is not None and held.type == "base64":
            return show_bytes(find_record(of, key), held)
        return show_related(call, of, key, name)
    field = key_field(of, key)
    try:
        id = _only(of, field, name)
    except SeveralMatch as error:
        return _choice(call, of, error)
    return shown_row(call, find_record(of, id), wanted_fields(of, call.query.fields))


@versioned(
    "PatchSObjectRowByKey",
    "PATCH",
    "/sobjects/{object}/{key}/{name}",
    summary="Change the record that has a value, or make it; or change a parent.",
    query=UpsertQuery,
    body=Any,
)
def upsert_row_by_key(call: Call) -> Reply:
    """Answer with the id of the record, and whether it was made."""
    of, key, name = _asked(call)
    said = members(call.body)
    if _is_relationship(of, key):
        return change_related(call, of, key, name)
    field = key_field(of, key)
    if any(one.lower() == field.name.lower() for one in said):
        raise RecordError(
            "INVALID_FIELD", f"The {field.name} field should not be specified in the sobject data."
        )
    try:
        row, is_created = upsert_record(
            of,
            field,
            name,
            said,
            actor=call.actor.subject,
            only_update=flag(call.query.updateOnly, "updateOnly"),
        )
    except SeveralMatch as error:
        return _choice(call, of, error)
    body: dict[str, Any] = {"id": row.pk, "success": True, "errors": []}
    if version_of(call) < _SAYS_CREATED:
        return Reply(body, 201, _location(call, of, row.pk)) if is_created else Reply(None, 204)
    body["created"] = is_created
    if not is_created:
        return Reply(body, 200)
    return Reply(body, 201, _location(call, of, row.pk))


@versioned(
    "DeleteSObjectRowByKey",
    "DELETE",
    "/sobjects/{object}/{key}/{name}",
    summary="Delete the record that has a value, or a parent.",
    status=204,
)
def remove_row_by_key(call: Call) -> Reply:
    """Answer with nothing."""
    of, key, name = _asked(call)
    if _is_relationship(of, key):
        return remove_related(call, of, key, name)
    try:
        delete_record(of, _only(of, key_field(of, key), name), actor=call.actor.subject)
    except SeveralMatch as error:
        return _choice(call, of, error)
    return Reply(None, 204)


@versioned(
    "PostSObjectRowById",
    "POST",
    "/sobjects/{object}/{key}",
    summary="Make a record, where upserts go by the id and none is said.",
    body=Any,
    status=201,
)
def make_row_by_id(call: Call) -> Reply:
    """Answer with the id of the record."""
    of = named_object(call)
    field = of.field(call.path["key"])
    if field is None or field.type != "id":
        raise CrmError(
            "HTTP Method 'POST' not allowed. Allowed are HEAD,GET,PATCH,DELETE",
            code="METHOD_NOT_ALLOWED",
            status=405,
        )
    row, _ = upsert_record(of, field, None, members(call.body), actor=call.actor.subject)
    body: dict[str, Any] = {"id": row.pk, "success": True, "errors": []}
    if version_of(call) >= _SAYS_CREATED:
        body["created"] = True
    return Reply(body, 201, _location(call, of, row.pk))


def _asked(call: Call) -> tuple[SObject, str, str]:
    return named_object(call), call.path["key"], call.path["name"]


def _is_relationship(of: SObject, key: str) -> bool:
    return of.field(key) is None and read_id(key) is not None


def _only(of: SObject, field: Field, value: str) -> str:
    """Return the id of the one record that has a value.

    Raises:
        NotFound: there is none.
        SeveralMatch: several have it.
    """
    found = [value] if field.type == "id" else ids_with(of, field, value)
    if not found:
        raise NotFound
    if len(found) > 1:
        raise SeveralMatch(field, found)
    return found[0]


def _choice(call: Call, of: SObject, error: SeveralMatch) -> Reply:
    return Reply([f"{root(call)}/sobjects/{of.name}/{id}" for id in error.ids], 300)


def _location(call: Call, of: SObject, id: str) -> dict[str, str]:
    return {"Location": f"{root(call)}/sobjects/{of.name}/{id}"}
