"""Jobs that save what is uploaded for them (Bulk API 2.0)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final, cast

from django.core.exceptions import SuspiciousOperation
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.utils.datastructures import MultiValueDictKeyError

from clones.core.operations import Call, Reply
from clones.core.operations.inputs import Query
from clones.core.strict_json import read_json
from clones.crm.api.bodies import mapping
from clones.crm.api.operations import root, version_of, versioned
from clones.crm.api.presenters.bulk_jobs import (
    LISTED,
    locator_of,
    place_of,
    present_job,
    present_listed,
    present_made,
    present_progress,
    table,
)
from clones.crm.domain.bulk.errors import invalid_state, invalid_value
from clones.crm.domain.bulk.jobs import (
    Order,
    abort,
    complete_upload,
    delete_job,
    make_ingest,
    upload,
)
from clones.crm.domain.bulk.running import go_on, is_waiting
from clones.crm.errors import CrmError, NotFound, UnreadableBody
from clones.crm.models import BulkBatch, BulkJob
from clones.crm.queries.bulk import (
    batches_of,
    content_of,
    find_job,
    jobs_of,
    outcomes_of,
)
from clones.crm.rules.bulk import words
from clones.crm.rules.bulk.tables import Line, UnreadableTable, quoted, read_table

_MULTIPART: Final = "multipart/form-data"


class JobsQuery(Query):
    """Which jobs are listed, and from where on."""

    jobType: str | None = None  # noqa: N815 - the vendor's name
    isPkChunkingEnabled: str | None = None  # noqa: N815 - the vendor's name
    concurrencyMode: str | None = None  # noqa: N815 - the vendor's name
    queryLocator: str | None = None  # noqa: N815 - the vendor's name


@versioned("PostIngestJob", "POST", "/jobs/ingest", summary="Make a job that saves.", raw_body=True)
def make_job(call: Call) -> dict[str, Any]:
    """Answer with the job; data may come beside its description, in a form of two parts."""
    if call.request.content_type != _MULTIPART:
        return present_made(_made(call, _described(call.body)))
    try:
        given, data = _part(call, "job"), _part(call, "content").decode()
    except (
        MultiPartParserError,
        MultiValueDictKeyError,
        UnicodeDecodeError,
        SuspiciousOperation,
    ) as error:
        raise CrmError(
            "Multipart request must have a part 'job' and a part 'content'", code="BULK_API_ERROR"
        ) from error
    job = _made(call, _described(given))
    upload(job, data)
    complete_upload(job)
    return present_made(job)


@versioned(
    "PutIngestBatches",
    "PUT",
    "/jobs/ingest/{id}/batches",
    summary="Upload what a job saves.",
    raw_body=True,
    status=201,
)
def put_data(call: Call) -> Reply:
    """Answer with nothing."""
    upload(own_job(call), call.body.decode(errors="replace"))
    return Reply(None, 201)


@versioned("PatchIngestJob", "PATCH", "/jobs/ingest/{id}", summary="Begin or end a job.", body=Any)
def change_job(call: Call) -> dict[str, Any]:
    """Answer with the job."""
    job, state = own_job(call), mapping(call.body, "JobInfo").get("state")
    if state == words.UPLOADED:
        complete_upload(job)
    elif state == words.ABORTED:
        abort(job)
    else:
        raise invalid_value(state, "state")
    return present_job(job)


@versioned("GetIngestJob", "GET", "/jobs/ingest/{id}", summary="Show how far a job is.")
def show_job(call: Call) -> dict[str, Any]:
    """Answer with the job; what waits for the clock goes on, since somebody waits for it."""
    return shown_progress(call, own_job(call))


@versioned("DeleteIngestJob", "DELETE", "/jobs/ingest/{id}", summary="Forget a job.", status=204)
def remove_job(call: Call) -> Reply:
    """Answer with nothing."""
    delete_job(own_job(call))
    return Reply(None, 204)


@versioned("GetIngestJobs", "GET", "/jobs/ingest", summary="List jobs.", query=JobsQuery)
def list_jobs(call: Call) -> dict[str, Any]:
    """Answer with a page of the jobs that save."""
    return listed_jobs(call, "ingest")


@versioned(
    "GetIngestSuccessfulResults",
    "GET",
    "/jobs/ingest/{id}/successfulResults",
    summary="Show the records that a job saved.",
)
def show_saved(call: Call) -> HttpResponse:
    """Answer with the rows of the upload that were saved, ids before them."""
    return _results(call, "sf__Created", saved=True)


@versioned(
    "GetIngestFailedResults",
    "GET",
    "/jobs/ingest/{id}/failedResults",
    summary="Show the records that a job did not save.",
)
def show_failed(call: Call) -> HttpResponse:
    """Answer with the rows of the upload that were refused, and why."""
    return _results(call, "sf__Error", saved=False)


def show_unprocessed(call: Call) -> HttpResponse:
    """Answer with the rows of the upload that nobody looked at."""
    job = own_job(call)
    batch = _batch(job)
    head, rows = _uploaded(job)
    lines = [row.text for place, row in enumerate(rows) if place >= batch.processed]
    return table([*([head.text] if head else []), *lines], job)


for _name in ("unprocessedrecords", "unprocessedRecords"):
    versioned(
        f"GetIngest{_name[0].upper()}{_name[1:]}",
        "GET",
        f"/jobs/ingest/{{id}}/{_name}",
        summary="Show the records that a job did not come to.",
    )(show_unprocessed)


def own_job(call: Call, *, kinds: tuple[str, ...] = (words.INGESTING,)) -> BulkJob:
    """Return the job of an address.

    Raises:
        NotFound: there is none of the user's that is of these kinds.
    """
    found = find_job(call.path["id"], user=call.actor.subject)
    if found is None or found.kind not in kinds:
        raise NotFound
    return found


def shown_progress(call: Call, job: BulkJob) -> dict[str, Any]:
    """Return a job with how far it is, and let it go on where it waits for the clock."""
    batches = batches_of(job.id)
    if job.state == words.IN_PROGRESS and (waiting := is_waiting(job.id)) is not None:
        call.request.led_to.append(partial(go_on, waiting))
    return present_progress(job, batches)


def listed_jobs(call: Call, place: str) -> dict[str, Any]:
    """Return a page of jobs, and where the next one is.

    Raises:
        CrmError: the place from which they are asked for is none.
    """
    asked = call.query
    start = 0 if asked.queryLocator is None else place_of(asked.queryLocator)
    if start is None:
        raise CrmError("invalid query locator", code="INVALID_QUERY_LOCATOR")
    found = jobs_of(call.actor.subject, asks=place == "query")
    if asked.jobType is not None:
        found = found.filter(kind=asked.jobType)
    if asked.concurrencyMode is not None:
        found = found.filter(concurrency__iexact=asked.concurrencyMode)
    if (asked.isPkChunkingEnabled or "").lower() == "true":
        found = found.filter(part__isnull=False)
    rows = list(found[start : start + LISTED + 1])
    more = len(rows) > LISTED
    next_url = f"{root(call)}/jobs/{place}?queryLocator={locator_of(start + LISTED)}"
    return {
        "done": not more,
        "nextRecordsUrl": next_url if more else None,
        "records": [present_listed(one) for one in rows[:LISTED]],
    }


def order_of(call: Call, said: dict[str, Any], kind: str) -> Order:
    """Return what a description asks of a job.

    Raises:
        CrmError: a property has a value that it does not know.
    """
    for name in ("contentType", "operation", "object", "externalIdFieldName", "assignmentRuleId"):
        if not isinstance(said.get(name, ""), str) and said[name] is not None:
            raise invalid_value(said[name], name)
    if said.get("contentType") not in (None, "CSV"):
        raise invalid_value(said["contentType"], "contentType")
    return Order(
        kind=kind,
        user=call.actor.subject,
        version=str(version_of(call)),
        operation=str(said.get("operation") or ""),
        object=str(said.get("object") or ""),
        external_id=said.get("externalIdFieldName"),
        assignment_rule=said.get("assignmentRuleId"),
        delimiter=str(said.get("columnDelimiter") or "COMMA"),
        ending=str(said.get("lineEnding") or "LF"),
    )


def _part(call: Call, name: str) -> bytes:
    """Return a part of a form, whether it has the name of a file or not.

    Raises:
        MultiValueDictKeyError: there is none.
    """
    found = call.request.POST.get(name)
    if found is not None:
        return str(found).encode()
    file = cast("UploadedFile[Any]", call.request.FILES[name])
    return bytes(file.read())


def _made(call: Call, said: dict[str, Any]) -> BulkJob:
    return make_ingest(order_of(call, said, words.INGESTING))


def _described(body: bytes) -> dict[str, Any]:
    try:
        return mapping(read_json(body or b"null"), "JobInfo")
    except ValueError as error:
        raise UnreadableBody(f"Unexpected character: {error}") from error


def _batch(job: BulkJob) -> BulkBatch:
    found = batches_of(job.id)
    if not found:
        raise invalid_state(f"Job has no data: {job.state}")
    return found[0]


def _uploaded(job: BulkJob) -> tuple[Line | None, Iterator[Line]]:
    """Return the head of what was uploaded, and its rows as far as they can be read."""
    content = content_of(_batch(job).id)
    text = "" if content is None else content.data
    lines = _readable(read_table(text, delimiter=words.DELIMITERS[job.delimiter]))
    return next(lines, None), lines


def _readable(lines: Iterator[Line]) -> Iterator[Line]:
    try:
        yield from lines
    except UnreadableTable:
        return


def _results(call: Call, column: str, *, saved: bool) -> HttpResponse:
    job = own_job(call)
    delimiter = words.DELIMITERS[job.delimiter]
    head, rows = _uploaded(job)
    found = [] if head is None else [f'"sf__Id"{delimiter}"{column}"{delimiter}{head.text}']
    for outcome, row in zip(outcomes_of(_batch(job).id), rows, strict=False):
        if (not outcome.errors) is saved:
            told = str(outcome.is_created).lower() if saved else outcome.text
            own = quoted((outcome.id or "", told), delimiter=delimiter)
            found.append(f"{own}{delimiter}{row.text}")
    return table(found, job)
