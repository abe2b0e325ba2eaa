"""Lists of records: make, change, delete, upsert and read up to 200 at a time.

A record that is refused leaves the others alone, unless all or none are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from clones.core import clock
from clones.core.operations import Call
from clones.core.operations.inputs import Query
from clones.crm.api.bodies import flag, given_records, items, text, unreadable
from clones.crm.api.operations import root, versioned
from clones.crm.api.presenters.rows import present_row
from clones.crm.api.presenters.saved import present_saved
from clones.crm.api.subrequests import wants_all_or_none
from clones.crm.api.views.describes import named_object
from clones.crm.api.views.rows import wanted_fields
from clones.crm.domain.saving.lookups import key_field
from clones.crm.domain.saving.many import (
    Saved,
    check_number,
    create_many,
    delete_many,
    update_many,
    upsert_many,
)
from clones.crm.errors import CrmError, RecordError
from clones.crm.queries.formula_values import lay_formulas
from clones.crm.queries.formulas import Looker
from clones.crm.queries.records import find_records
from clones.crm.queries.schema import org_schema
from clones.crm.rules.record_ids import read_id

# Records that one request may read; those whose ids stand in its address are held by its length.
MOST_READ: Final = 2000


class DeleteQuery(Query):
    """The ids, separated by commas."""

    ids: str | None = None
    allOrNone: str | None = None  # noqa: N815 - the vendor's name


class ReadQuery(Query):
    """The ids and the fields to show, each separated by commas."""

    ids: str | None = None
    fields: str | None = None


@versioned(
    "PostSObjectCollection", "POST", "/composite/sobjects", summary="Make records.", body=Any
)
def make_rows(call: Call) -> list[dict[str, Any]]:
    """Answer with what became of each record, in their order."""
    records = given_records(call.body, org_schema())
    saved = create_many(records, actor=call.actor.subject, all_or_none=_all_or_none(call))
    return _presented(saved)


@versioned(
    "PatchSObjectCollection", "PATCH", "/composite/sobjects", summary="Change records.", body=Any
)
def change_rows(call: Call) -> list[dict[str, Any]]:
    """Answer with what became of each record, in their order."""
    records = given_records(call.body, org_schema())
    saved = update_many(records, actor=call.actor.subject, all_or_none=_all_or_none(call))
    return _presented(saved)


@versioned(
    "DeleteSObjectCollection",
    "DELETE",
    "/composite/sobjects",
    summary="Delete records.",
    query=DeleteQuery,
)
def remove_rows(call: Call) -> list[dict[str, Any]]:
    """Answer with what became of each record, in the order of the ids."""
    ids = _listed(call.query.ids, "ids")
    check_number(ids)
    wanted = wants_all_or_none(call.request) or flag(call.query.allOrNone, "allOrNone")
    return _presented(delete_many(ids, actor=call.actor.subject, all_or_none=wanted))


@versioned(
    "PatchSObjectCollectionByKey",
    "PATCH",
    "/composite/sobjects/{object}/{field}",
    summary="Change records that have a value of a field, make those that are not there.",
    body=Any,
)
def upsert_rows(call: Call) -> list[dict[str, Any]]:
    """Answer with what became of each record, in their order."""
    of = named_object(call)
    field = key_field(of, call.path["field"])
    records = given_records(call.body, of.schema)
    for one in records:
        if one.of is not of:
            raise CrmError(
                f"The type of a record is {one.of.name}, where {of.name} is expected",
                code="INVALID_TYPE",
            )
    saved = upsert_many(records, field, actor=call.actor.subject, all_or_none=_all_or_none(call))
    return [present_saved(one, tells_created=True) for one in saved]


@versioned(
    "GetSObjectCollection",
    "GET",
    "/composite/sobjects/{object}",
    summary="Show records by their ids.",
    query=ReadQuery,
)
def show_rows(call: Call) -> list[dict[str, Any] | None]:
    """Answer with a record for each id, null where there is none."""
    fields = ",".join(_listed(call.query.fields, "fields"))
    return _shown(call, _listed(call.query.ids, "ids"), fields)


@versioned(
    "PostSObjectCollectionRead",
    "POST",
    "/composite/sobjects/{object}",
    summary="Show records by their ids, which a body has.",
    body=Any,
)
def read_rows(call: Call) -> list[dict[str, Any] | None]:
    """Answer with a record for each id, null where there is none."""
    ids = [text(one, "ids") for one in items(call.body, "ids", "sobject collection")]
    names = [text(one, "fields") for one in items(call.body, "fields", "sobject collection")]
    return _shown(call, ids, ",".join(names))


def _all_or_none(call: Call) -> bool:
    return wants_all_or_none(call.request) or flag(call.body.get("allOrNone"), "allOrNone")


def _presented(saved: Sequence[Saved]) -> list[dict[str, Any]]:
    return [present_saved(one) for one in saved]


def _listed(given: str | None, name: str) -> list[str]:
    found = [one.strip() for one in (given or "").split(",") if one.strip()]
    if not found:
        raise unreadable(name, given)
    return found


def _shown(call: Call, ids: Sequence[str], names: str) -> list[dict[str, Any] | None]:
    of = named_object(call)
    if len(ids) > MOST_READ:
        raise CrmError(
            f"record limit reached. cannot submit more than {MOST_READ} records into this call",
            code="EXCEEDED_ID_LIMIT",
        )
    fields = wanted_fields(of, names)
    whole = []
    for id in ids:
        found = read_id(id)
        if found is None or found[:3] != of.prefix:
            raise RecordError("MALFORMED_ID", f"malformed id {id}")
        whole.append(found)
    there = find_records(of, whole)
    lay_formulas(there.values(), fields, Looker(call.actor.subject, clock.now()))
    return [present_row(there[id], root(call), fields) if id in there else None for id in whole]
