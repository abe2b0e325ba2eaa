"""Records by their ids: make, read, change, delete."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import ConfigDict

from clones.core import clock
from clones.core.operations import Call, Reply
from clones.core.operations.inputs import Query
from clones.core.strict_json import says_nul
from clones.crm.api.conditions import check_unchanged, has_conditions, shown_if
from clones.crm.api.operations import root, versioned
from clones.crm.api.presenters.rows import present_row
from clones.crm.api.views.describes import named_object
from clones.crm.api.views.files import sent_record
from clones.crm.api.views.recent import mark_seen, wants_mark
from clones.crm.domain.saving import create_record, delete_record, update_record
from clones.crm.errors import CrmError, UnreadableBody
from clones.crm.models import SObjectRow
from clones.crm.queries.formula_values import lay_formulas
from clones.crm.queries.formulas import Looker
from clones.crm.queries.records import find_record
from clones.crm.rules.schema import Field, SObject


class FieldsQuery(Query):
    """Which fields to show, separated by commas."""

    model_config = ConfigDict(extra="ignore")

    fields: str | None = None


def members(body: Any) -> dict[str, Any]:
    """Return the members of a body that is one JSON object.

    Raises:
        UnreadableBody: it is something else.
    """
    if not isinstance(body, dict):
        kind = "START_ARRAY" if isinstance(body, list) else "VALUE_STRING"
        raise UnreadableBody(f"Cannot deserialize instance of sobject from {kind}")
    return body


def plain_members(call: Call) -> dict[str, Any]:
    """Return the members of a body that is one JSON object, none of whose texts has a NUL.

    Raises:
        UnreadableBody: it is something else.
    """
    if says_nul(call.request.body):
        raise UnreadableBody("Illegal unquoted character ((CTRL-CHAR, code 0))")
    return members(call.body)


@versioned(
    "PostSObject",
    "POST",
    "/sobjects/{object}",
    summary="Make a record.",
    body=Any,
    raw_body=True,
    status=201,
)
def make_row(call: Call) -> Reply:
    """Answer with the id of the record."""
    of = named_object(call)
    row = create_record(of, members(sent_record(call.request)), actor=call.actor.subject)
    where = f"{root(call)}/sobjects/{of.name}/{row.pk}"
    return Reply({"id": row.pk, "success": True, "errors": []}, 201, {"Location": where})


@versioned(
    "GetSObjectRow", "GET", "/sobjects/{object}/{id}", summary="Show a record.", query=FieldsQuery
)
def show_row(call: Call) -> Reply:
    """Answer with all fields of the record, or those that were asked for."""
    of = named_object(call)
    row = find_record(of, call.path["id"])
    fields = wanted_fields(of, call.query.fields)
    if wants_mark(call):
        mark_seen(call, of.name, row.pk)
    return shown_if(call, row, lambda: shown_row(call, row, fields))


@versioned(
    "PatchSObjectRow",
    "PATCH",
    "/sobjects/{object}/{id}",
    summary="Change a record.",
    body=Any,
    status=204,
)
def change_row(call: Call) -> None:
    """Answer with nothing."""
    of = named_object(call)
    if has_conditions(call):
        check_unchanged(call, find_record(of, call.path["id"]))
    update_record(of, call.path["id"], members(call.body), actor=call.actor.subject)


@versioned(
    "DeleteSObjectRow", "DELETE", "/sobjects/{object}/{id}", summary="Delete a record.", status=204
)
def remove_row(call: Call) -> None:
    """Answer with nothing."""
    delete_record(named_object(call), call.path["id"], actor=call.actor.subject)


def shown_row(call: Call, row: SObjectRow, fields: Sequence[Field]) -> dict[str, Any]:
    """Return a record with some of its fields, formulas worked out for who asks."""
    lay_formulas([row], fields, Looker(call.actor.subject, clock.now()))
    return present_row(row, root(call), fields)


def wanted_fields(of: SObject, asked: str | None) -> tuple[Field, ...]:
    """Return the fields that a list names, the id always among them; all where nothing is asked.

    Raises:
        CrmError: one of them is none of the object's.
    """
    if not asked:
        return of.fields
    found = []
    for name in asked.split(","):
        field = of.field(name.strip())
        if field is None:
            raise CrmError(
                f"\n{name.strip()}\n^\nERROR at Row:1:Column:1\nNo such column '{name.strip()}' on"
                f" entity '{of.name}'. If you are attempting to use a custom field, be sure to"
                " append the '__c' after the custom field name. Please reference your WSDL or the"
                " describe call for the appropriate names.",
                code="INVALID_FIELD",
            )
        if field not in found:
            found.append(field)
    id = of.field("Id")
    return tuple(found) if id is None or id in found else (*found, id)
