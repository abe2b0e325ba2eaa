"""Records of custom objects: one at a time, and many as a job."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from clones.core import clock
from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.custom_objects import ALL, ONE, named_object
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    Query,
    Words,
    list_request,
    listed,
    show,
)
from clones.helpdesk.api.paging import Order, Page, paginate
from clones.helpdesk.api.presenters.context import when
from clones.helpdesk.api.presenters.custom_objects import present_record
from clones.helpdesk.api.presenters.measures import present_job
from clones.helpdesk.domain import custom_record_jobs, custom_records
from clones.helpdesk.domain.errors import InvalidAttribute, MissingParameter, TooManyValues
from clones.helpdesk.domain.object_access import check_scope
from clones.helpdesk.models import CustomObject, CustomObjectRecord
from clones.helpdesk.queries.custom_objects import active_fields, record, records_of
from clones.helpdesk.rules.custom_objects import RECORDS

RECORD_PATH = f"{ONE}/records"
ONE_RECORD = f"{RECORD_PATH}/{{record_id}}"
FILTERS = {"ids": "id", "external_ids": "external_id"}
SORTS = ("id", "updated_at")


class RecordWrite(Body):
    """The attributes of a custom object record that can be set."""

    name: str | None = Field(None, description="Left out where names are numbered.")
    external_id: str | None = None
    custom_object_fields: dict[str, Any] | None = Field(
        None, description="Values by their fields' keys; those not given stay."
    )


class RecordBody(Body):
    """A custom object record to create or update."""

    custom_object_record: RecordWrite


class RecordQuery(Query):
    """The custom object record meant: by external id, or by name where names are unique."""

    external_id: str | None = None
    name: str | None = None


class CursorQuery(Query):
    """Paging of a list that has pages by cursor only."""

    sort: str | None = None
    page_size: str | None = Field(None, alias="page[size]")
    page_after: str | None = Field(None, alias="page[after]")
    page_before: str | None = Field(None, alias="page[before]")


class RecordsQuery(CursorQuery):
    """Filters, order and paging of a list of custom object records."""

    ids: Words = Field([], alias="filter[ids]", description="Ids.")
    external_ids: Words = Field([], alias="filter[external_ids]")


class JobWrite(BaseModel):
    """A bulk change of custom object records: the action and the records."""

    action: str
    items: list[Any] = []


class JobBody(Body):
    """A bulk change of custom object records to queue as a job."""

    job: JobWrite


def sort_order(call: Call, allowed: tuple[str, ...]) -> Order | None:
    """Return the order that a call asks for, None where it asks for none.

    Raises:
        InvalidAttribute: it cannot be had.
    """
    given: str | None = call.query.sort
    if not given:
        return None
    column = given.removeprefix("-")
    if column not in allowed:
        raise InvalidAttribute("sort", f"one of {', '.join(allowed)}, with or without -")
    return Order((given,) if column == "id" else (given, "id"))


def _bodies(found: CustomObject, rows: list[CustomObjectRecord], call: Call) -> list[Any]:
    fields, how = active_fields(found), show(call)
    return [present_record(item, found, fields, how) for item in rows]


def page_of_records(found: CustomObject, page: Page, call: Call) -> dict[str, Any]:
    """Return the body of a page of an object's records."""
    return listed("custom_object_records", _bodies(found, page.rows, call), page)


def counted_page(found: CustomObject, page: Page, call: Call) -> dict[str, Any]:
    """Return the body of a page of an object's records, with how many it has."""
    return {**page_of_records(found, page, call), "count": len(page.rows)}


def _body(found: CustomObject, item: CustomObjectRecord, call: Call) -> dict[str, Any]:
    how = show(call, "detail")
    return {"custom_object_record": present_record(item, found, active_fields(found), how)}


def _changes(call: Call) -> dict[str, Any]:
    given: dict[str, Any] = call.body.custom_object_record.model_dump(exclude_unset=True)
    return {name: given[name] for name in custom_records.WRITTEN if name in given}


def _record(found: CustomObject, call: Call) -> CustomObjectRecord:
    item = record(found, call.path["record_id"])
    item.custom_object = found
    return item


def _named(call: Call) -> tuple[custom_records.Column, str]:
    """Return the column and value that a call names a record by.

    Raises:
        InvalidAttribute: it names one by both.
        MissingParameter: it names none.
    """
    if call.query.external_id and call.query.name:
        raise InvalidAttribute("name", "absent where external_id is given")
    if call.query.name:
        return "name", call.query.name
    if not call.query.external_id:
        raise MissingParameter("external_id")
    return "external_id", call.query.external_id


@OPERATIONS.operation(
    "ListCustomObjectRecords",
    "GET",
    RECORD_PATH,
    summary="List the records of a custom object.",
    query=RecordsQuery,
)
def list_records(call: Call) -> dict[str, Any]:
    """List records by cursor, oldest first."""
    found = named_object(call)
    check_scope(call.actor, found, "read")
    rows = records_of(found)
    for name, column in FILTERS.items():
        named: list[str] = getattr(call.query, name)
        if named:
            keys = [key for key in dict.fromkeys(named) if queries.can_be(key)]
            if len(keys) > custom_record_jobs.LIMIT:
                raise TooManyValues(custom_record_jobs.LIMIT)
            rows = rows.filter(**{f"{column}__in": keys})
    order = sort_order(call, SORTS) or Order(("id",))
    page = paginate(rows, list_request(call), order, offset=False)
    return page_of_records(found, page, call)


@OPERATIONS.operation(
    "CreateCustomObjectRecord",
    "POST",
    RECORD_PATH,
    summary="Create a record of a custom object.",
    body=RecordBody,
    status=201,
)
def create_record(call: Call) -> Reply:
    """Create a record."""
    found = named_object(call)
    made = custom_records.create_record(found, actor=call.actor, changes=_changes(call))
    body = _body(found, made, call)
    return Reply(body, 201, {"Location": body["custom_object_record"]["url"]})


@OPERATIONS.operation(
    "UpsertCustomObjectRecord",
    "PATCH",
    RECORD_PATH,
    summary="Change the record of an external id or a name, or create it.",
    query=RecordQuery,
    body=RecordBody,
)
def save_record(call: Call) -> dict[str, Any]:
    """Create or update a record."""
    found = named_object(call)
    column, value = _named(call)
    saved = custom_records.save_record(
        found, column, value, actor=call.actor, changes=_changes(call)
    )
    return _body(found, saved, call)


@OPERATIONS.operation(
    "DeleteCustomObjectRecordByExternalId",
    "DELETE",
    RECORD_PATH,
    summary="Delete the record of an external id or a name.",
    query=RecordQuery,
    status=204,
)
def delete_record_by(call: Call) -> None:
    """Delete a record that is not named by its id."""
    found = named_object(call)
    column, value = _named(call)
    custom_records.delete_record_by(found, column, value, actor=call.actor)


@OPERATIONS.operation(
    "ShowCustomObjectRecord", "GET", ONE_RECORD, summary="Show one record of a custom object."
)
def show_record(call: Call) -> dict[str, Any]:
    """Show a record."""
    found = named_object(call)
    check_scope(call.actor, found, "read")
    return _body(found, _record(found, call), call)


@OPERATIONS.operation(
    "UpdateCustomObjectRecord",
    "PATCH",
    ONE_RECORD,
    summary="Change a record of a custom object.",
    body=RecordBody,
)
def update_record(call: Call) -> dict[str, Any]:
    """Update a record."""
    found = named_object(call)
    item = _record(found, call)
    saved = custom_records.update_record(item, actor=call.actor, changes=_changes(call))
    return _body(found, saved, call)


@OPERATIONS.operation(
    "DeleteCustomObjectRecord",
    "DELETE",
    ONE_RECORD,
    summary="Delete a record of a custom object.",
    status=204,
)
def delete_record(call: Call) -> None:
    """Delete a record."""
    custom_records.delete_record(_record(named_object(call), call), actor=call.actor)


@OPERATIONS.operation(
    "CountCustomObjectRecords",
    "GET",
    f"{RECORD_PATH}/count",
    summary="Count the records of a custom object.",
)
def count_records(call: Call) -> dict[str, Any]:
    """Count records."""
    found = named_object(call)
    check_scope(call.actor, found, "read")
    value = records_of(found).count()
    return {"count": {"value": value, "refreshed_at": when(clock.now())}}


@OPERATIONS.operation(
    "CustomObjectRecordsLimit",
    "GET",
    f"{ALL}/limits/record_limit",
    summary="Show how many records of custom objects there are, and can be.",
)
def record_limit(call: Call) -> dict[str, Any]:
    """Show the number of records and its limit."""
    return {"count": CustomObjectRecord.objects.count(), "limit": RECORDS}


@OPERATIONS.operation(
    "CustomObjectRecordBulkJobs",
    "POST",
    f"{ONE}/jobs",
    summary="Create, update or delete up to 100 records as a job.",
    body=JobBody,
)
def start_job(call: Call) -> dict[str, Any]:
    """Queue a bulk change of records."""
    client = call.request.headers.get("User-Agent")
    job = custom_record_jobs.start_record_job(
        named_object(call),
        call.body.job.action,
        call.body.job.items,
        actor=call.actor,
        client=client[:255] if client else None,
    )
    return {"job_status": present_job(job, show(call, "detail"))}
