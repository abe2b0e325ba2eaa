"""Records by the UI resources: read with what pages show of them, made, changed, deleted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from clones.core.operations import Call, Reply
from clones.crm.api.operations import versioned
from clones.crm.api.ui.asked import (
    UiRecordQuery,
    ids_of,
    layout_types,
    modes,
    names,
    one_id,
    ui_object,
)
from clones.crm.api.ui.reading import FULL, UiReader, Wanted, wanted_of
from clones.crm.api.views.recent import mark_seen
from clones.crm.api.views.rows import members
from clones.crm.domain.saving import create_record, delete_record, update_record
from clones.crm.errors import CrmError, NotFound, RecordError, RecordErrors, UnreadableBody
from clones.crm.queries.records import find_record
from clones.crm.rules.schema import SObject

Made = TypeVar("Made")


@versioned(
    "GetUiRecord",
    "GET",
    "/ui-api/records/{id}",
    summary="Show a record as pages do.",
    query=UiRecordQuery,
)
def show_ui_record(call: Call) -> Reply:
    """Answer with the fields that were asked for, or those of layouts."""
    id, of = one_id(call.path["id"])
    body = _read_one(call, of, id, asked_of(call, of))
    if call.query.update_mru:
        mark_seen(call, of.name, id)
    return tagged_reply(call, body)


@versioned(
    "GetUiRecords",
    "GET",
    "/ui-api/records/batch/{ids}",
    summary="Show records as pages do.",
    query=UiRecordQuery,
)
def show_ui_records(call: Call) -> dict[str, Any]:
    """Answer with each record, or with why it cannot be shown."""
    given = ids_of(call.path["ids"])
    found = read_many(call, given)
    results = []
    for id, of in given:
        record = found.get(id)
        if record is not None:
            results.append({"result": record, "statusCode": 200})
            if call.query.update_mru and of is not None:
                mark_seen(call, of.name, id)
        else:
            missing = {"errorCode": NotFound.code, "message": str(NotFound())}
            results.append({"result": [missing], "statusCode": 404})
    return {"hasErrors": len(found) < len({id for id, _ in given}), "results": results}


@versioned(
    "PostUiRecord",
    "POST",
    "/ui-api/records",
    summary="Make a record as pages do.",
    body=Any,
    status=201,
)
def make_ui_record(call: Call) -> Reply:
    """Answer with the record, as its layout shows it."""
    body = members(call.body)
    name = body.get("apiName")
    if not isinstance(name, str) or not name:
        raise UnreadableBody("Cannot deserialize instance of apiName")
    of, said = ui_object(name), _fields(body)
    row = _saved("create", of, lambda: create_record(of, said, actor=call.actor.subject))
    id = str(row.pk)
    return Reply(_read_one(call, of, id, wanted_of(of, layout_types=(FULL,))), 201)


@versioned(
    "PatchUiRecord",
    "PATCH",
    "/ui-api/records/{id}",
    summary="Change a record as pages do.",
    body=Any,
)
def change_ui_record(call: Call) -> Reply:
    """Answer with the record, as its layout shows it."""
    id, of = one_id(call.path["id"])
    said = _fields(members(call.body))
    said = {name: value for name, value in said.items() if name.lower() != "id"}
    find_record(of, id)
    _saved("update", of, lambda: update_record(of, id, said, actor=call.actor.subject))
    return tagged_reply(call, _read_one(call, of, id, wanted_of(of, layout_types=(FULL,))))


@versioned(
    "DeleteUiRecord",
    "DELETE",
    "/ui-api/records/{id}",
    summary="Delete a record as pages do.",
    status=204,
)
def remove_ui_record(call: Call) -> None:
    """Answer with nothing."""
    id, of = one_id(call.path["id"])
    delete_record(of, id, actor=call.actor.subject)


def asked_of(call: Call, of: SObject) -> Wanted:
    """Return what a call wants to see of an object's records.

    Raises:
        CrmError: it names a field that is not there, or says nothing.
    """
    asked = call.query
    if not asked.fields and not asked.optional_fields and not asked.layout_types:
        raise CrmError(
            "Specify at least one of these parameters: fields, optionalFields, layoutTypes",
            code="MISSING_ARGUMENT",
        )
    fields = [one for one in names(asked.fields) if _is_of(of, one, call)]
    return wanted_of(
        of,
        fields=fields,
        optional=names(asked.optional_fields),
        layout_types=layout_types(asked.layout_types) if asked.layout_types else (),
        modes=modes(asked.modes),
    )


def _is_of(of: SObject, path: str, call: Call) -> bool:
    """Tell whether a field is of an object; in a batch some are of the other records' objects."""
    return "ids" not in call.path or path.partition(".")[0].lower() == of.name.lower()


def read_many(call: Call, given: list[tuple[str, SObject | None]]) -> dict[str, dict[str, Any]]:
    """Return records by their ids, those of an object by one query."""
    reader, found = UiReader(call), dict[str, dict[str, Any]]()
    kinds: dict[str, tuple[SObject, list[str]]] = {}
    for id, of in given:
        if of is not None:
            kinds.setdefault(of.name, (of, []))[1].append(id)
    for of, ids in kinds.values():
        found |= reader.read(asked_of(call, of), list(dict.fromkeys(ids)))
    return found


def tagged_reply(call: Call, body: dict[str, Any]) -> Reply:
    """Return an answer with its tag, or one without a body if the caller has it already."""
    tag = f'"{body["eTag"]}"'
    wanted = call.request.headers.get("If-None-Match", "")
    if tag in [one.strip() for one in wanted.split(",")]:
        return Reply(None, 304, {"ETag": tag})
    return Reply(body, 200, {"ETag": tag})


def _read_one(call: Call, of: SObject, id: str, wanted: Wanted) -> dict[str, Any]:
    found = UiReader(call).read(wanted, [id]).get(id)
    if found is None:
        find_record(of, id)  # says why
        raise NotFound
    return found


def _fields(body: dict[str, Any]) -> dict[str, Any]:
    found = body.get("fields")
    if not isinstance(found, dict):
        raise UnreadableBody("Cannot deserialize instance of fields")
    return found


def _saved(doing: str, of: SObject, save: Callable[[], Made]) -> Made:
    """Save a record; a refusal says which fields are to blame.

    Raises:
        CrmError: it is refused.
    """
    try:
        return save()
    except RecordError as error:
        raise record_error(doing, of, error) from error


def record_error(doing: str, of: SObject, error: RecordError) -> CrmError:
    """Return a refusal of a record as UI resources put it: under the fields that are to blame."""
    general: list[dict[str, Any]] = []
    by_field: dict[str, list[dict[str, Any]]] = {}
    for one in error.errors if isinstance(error, RecordErrors) else [error]:
        for name in one.fields or [""]:
            field = of.field(name)
            shown = {
                "constituentField": None,
                "duplicateRecordError": None,
                "errorCode": one.code,
                "field": None if field is None else field.name,
                "fieldLabel": None if field is None else field.label,
                "message": one.message,
            }
            if field is None:
                general.append(shown)
            else:
                by_field.setdefault(field.name, []).append(shown)
    return CrmError(
        f"An error occurred while trying to {doing} the record. Please try again.",
        code="INVALID_INPUT",
        status=error.status,
        extra={
            "enhancedErrorType": "RecordError",
            "output": {"errors": general, "fieldErrors": by_field},
        },
    )
