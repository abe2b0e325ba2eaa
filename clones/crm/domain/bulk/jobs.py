"""Bulk jobs made, fed, closed, ended and forgotten by requests; their work is done by timers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from clones.core import clock
from clones.crm.domain.bulk.errors import BulkError, invalid_job, invalid_state, invalid_value
from clones.crm.domain.bulk.querying import question_of
from clones.crm.domain.bulk.running import call_off, set_off
from clones.crm.domain.new_ids import new_id
from clones.crm.domain.saving.lookups import finds_records
from clones.crm.errors import CrmError
from clones.crm.models import BulkBatch, BulkContent, BulkJob, BulkResult, rows_of
from clones.crm.queries.bulk import batches_of
from clones.crm.queries.schema import org_schema
from clones.crm.rules.bulk import words
from clones.crm.rules.record_ids import read_id, short_id
from clones.crm.rules.schema import SObject

_ADMIN: Final = "System Administrator"
_HARD_DELETE: Final = (
    "hardDelete operation requires special user profile permission, please contact your system"
    " administrator"
)
# Objects whose records go through jobs have these, by what the job does.
_ABILITIES: Final = {
    "insert": "createable",
    "update": "updateable",
    "upsert": "updateable",
    "delete": "deletable",
    "hardDelete": "deletable",
}


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked of a job that is to be made; empty texts are what nobody said."""

    kind: str
    user: str
    version: str
    operation: str
    object: str = ""
    external_id: str | None = None
    assignment_rule: str | None = None
    query: str = ""
    content: str = "CSV"
    delimiter: str = "COMMA"
    ending: str = "LF"
    concurrency: str = "Parallel"
    part: int | None = None


def make_ingest(order: Order) -> BulkJob:
    """Make a job that saves what is uploaded for it.

    Raises:
        CrmError: a property has a value that it does not know.
        BulkError: the object, or the field by which it upserts, is not there.
    """
    _check_choice(order.operation, words.INGEST, "operation")
    of = _object(order)
    if order.operation == "hardDelete":
        _check_hard_delete(order.user)
    if not of.whole.abilities[_ABILITIES[order.operation]]:
        raise BulkError(
            "InvalidEntity",
            f"Entity '{of.name}' is not supported by the Bulk API.",
            names_reason=order.kind == words.CLASSIC,
        )
    return _make(replace(order, object=of.name, external_id=_external_id(order, of)), words.OPEN)


def make_query(order: Order) -> BulkJob:
    """Make a job that runs a query, and have it run.

    Raises:
        CrmError: a property has a value that it does not know, or the query cannot be run.
    """
    _check_choice(order.operation, words.QUERIES, "operation")
    if not order.query:
        raise CrmError("A query string has to be specified", code="MALFORMED_QUERY")
    job = _make(order, words.UPLOADED, keeps=False)
    job.object = question_of(job, order.query).plan.object.name
    job.save(force_insert=True)
    batch = _add(job, words.QUEUED, order.query)
    set_off(batch.id)
    return job


def make_classic(order: Order) -> BulkJob:
    """Make a job of the older API: of either kind.

    Raises:
        CrmError: a property has a value that it does not know.
        BulkError: the object, or the field by which it upserts, is not there.
    """
    if order.operation not in words.QUERIES:
        return make_ingest(order)
    return _make(replace(order, object=_object(order).name), words.OPEN)


def upload(job: BulkJob, data: str) -> None:
    """Keep what a job is to save: all of it at once, and once.

    Raises:
        BulkError: the job is not open, or has something already.
    """
    if job.state != words.OPEN:
        raise invalid_state(f"Job {short_id(job.id)} is not in the Open state: {job.state}")
    if batches_of(job.id):
        raise CrmError(
            f"Found multipe contents for job: <{short_id(job.id)}>, please 'Close' / 'Abort' /"
            " 'Delete' the current Job then create a new Job and make sure you only do 'PUT' once"
            " on a given Job.",
            code="BULK_API_ERROR",
        )
    _add(job, words.QUEUED, data)


def complete_upload(job: BulkJob) -> None:
    """Have a job begin: all that it is to save is there.

    Raises:
        BulkError: it has begun, or was ended.
    """
    if job.state != words.OPEN:
        raise invalid_state(f"Closing already {_ended(job.state)} Job not allowed")
    batches = batches_of(job.id) or [_add(job, words.QUEUED, "")]
    _change(job, words.UPLOADED)
    for batch in batches:
        set_off(batch.id)


def close(job: BulkJob) -> None:
    """Let a job of the older API take no further batches.

    Raises:
        BulkError: it was closed or ended already.
    """
    _check_open(job)
    _change(job, words.CLOSED)


def abort(job: BulkJob) -> None:
    """End a job: what is not done yet is left undone.

    Raises:
        BulkError: it is done, or was ended.
    """
    done = (words.COMPLETE, words.FAILED, words.ABORTED)
    if job.state in done or (job.kind == words.CLASSIC and job.state == words.CLOSED):
        raise invalid_state(f"Aborting already {_ended(job.state)} Job not allowed")
    for batch in batches_of(job.id):
        call_off(batch.id)
        if batch.state in (words.QUEUED, words.IN_PROGRESS):
            batch.state, batch.updated_at = words.NOT_PROCESSED, clock.now()
            batch.save()
    _change(job, words.ABORTED)


def delete_job(job: BulkJob) -> None:
    """Forget a job that is over, with its data and results.

    Raises:
        BulkError: it is open or at work.
    """
    if job.state in (words.OPEN, words.IN_PROGRESS):
        raise invalid_state(f"Deleting {job.state} Job not allowed")
    ids = [batch.id for batch in batches_of(job.id)]
    for id in ids:
        call_off(id)
    BulkResult.objects.filter(batch__in=ids).delete()
    BulkContent.objects.filter(id__in=ids).delete()
    BulkBatch.objects.filter(job=job.id).delete()
    job.delete()


def add_batch(
    job: BulkJob, data: str, *, rows: Sequence[Mapping[str, Any]] | None = None
) -> BulkBatch:
    """Add a batch to a job of the older API, and have it done.

    Raises:
        BulkError: the job takes none any more, or the batch is too large.
    """
    _check_open(job)
    if len(data) > words.LONGEST_BATCH:
        raise BulkError("ClientInputError", "Failed to read request. Exceeded max size limit")
    batch = _add(job, words.QUEUED, data, rows=rows)
    set_off(batch.id)
    return batch


def _make(order: Order, state: str, *, keeps: bool = True) -> BulkJob:
    now = clock.now()
    _check_choice(order.delimiter, tuple(words.DELIMITERS), "columnDelimiter")
    _check_choice(order.ending, tuple(words.LINE_ENDINGS), "lineEnding")
    rule = None if order.assignment_rule is None else read_id(order.assignment_rule)
    if order.assignment_rule is not None and rule is None:
        raise invalid_job(f"Invalid assignmentRuleId: {order.assignment_rule[:200]}")
    job = BulkJob(
        id=new_id(words.JOB, BulkJob),
        kind=order.kind,
        user=order.user,
        operation=order.operation,
        object=order.object,
        external_id=order.external_id,
        assignment_rule=rule,
        query=order.query or None,
        content=order.content,
        delimiter=order.delimiter,
        ending=order.ending,
        concurrency=order.concurrency,
        version=order.version,
        part=order.part,
        state=state,
        created_at=now,
        updated_at=now,
    )
    if keeps:
        job.save(force_insert=True)
    return job


def _add(
    job: BulkJob, state: str, data: str, *, rows: Sequence[Mapping[str, Any]] | None = None
) -> BulkBatch:
    now = clock.now()
    batch = BulkBatch(
        id=new_id(words.BATCH, BulkBatch), job=job.id, state=state, created_at=now, updated_at=now
    )
    batch.save(force_insert=True)
    text = data.replace("\0", "\ufffd")
    BulkContent.objects.create(id=batch.id, content=job.content, data=text, rows=rows)
    return batch


def _change(job: BulkJob, state: str) -> None:
    job.state, job.updated_at = state, clock.now()
    job.save()


def _check_choice(given: str, choices: tuple[str, ...], name: str) -> None:
    if given not in choices:
        raise invalid_value(given, name)


def _check_open(job: BulkJob) -> None:
    if job.state != words.OPEN:
        raise invalid_state(f"Job is not open: {job.state}")


def _ended(state: str) -> str:
    return "Completed" if state in (words.COMPLETE, words.FAILED) else state


def _object(order: Order) -> SObject:
    of = org_schema().find(order.object)
    if of is None:
        said = f"Unable to find object: {order.object[:200]}"
        raise BulkError("InvalidJob", said, names_reason=True)
    return of


def _external_id(order: Order, of: SObject) -> str | None:
    if order.operation != "upsert":
        return None
    if order.external_id is None:
        raise invalid_job(
            f"External ID was blank for {of.name}. An External ID must be specified for upsert."
        )
    field = of.field(order.external_id)
    if field is None or not (field.type == "id" or finds_records(field)):
        said = order.external_id[:200]
        raise invalid_job(
            f"Field name provided, {said} does not match an External ID for {of.name}"
        )
    return field.name


def _check_hard_delete(user: str) -> None:
    profile = rows_of("User").filter(Id=user).values_list("ProfileId", flat=True).first()
    if not rows_of("Profile").filter(Id=profile, Name=_ADMIN).exists():
        raise BulkError("FeatureNotEnabled", _HARD_DELETE)
