"""Batches of the older bulk API: added, shown, what was sent for them and what became of it."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from django.http import HttpResponse

from clones.core.operations import Call
from clones.crm.api.asynchronous.answers import (
    CSV,
    JSON,
    XML,
    answer,
    batch_answer,
    batches_answer,
    json_answer,
    xml_document,
)
from clones.crm.api.asynchronous.operations import asynchronous, batch_of, job_of
from clones.crm.api.asynchronous.records import (
    json_record,
    read_records,
    saved_csv,
    saved_json,
    saved_xml,
    xml_records,
)
from clones.crm.api.presenters.bulk_jobs import row_of, shown_records
from clones.crm.api.soap.xml import tag
from clones.crm.domain.bulk.errors import BulkError
from clones.crm.domain.bulk.jobs import add_batch
from clones.crm.domain.bulk.running import go_on
from clones.crm.models import BulkBatch, BulkJob
from clones.crm.queries.bulk import (
    batches_of,
    columns_of_result,
    content_of,
    first_result,
    outcomes_of,
)
from clones.crm.rules.bulk import words
from clones.crm.rules.bulk.tables import quoted
from clones.crm.rules.record_ids import read_id

_KINDS: Final = {"CSV": CSV, "JSON": JSON, "XML": XML}
_NONE: Final = "Records not found for this query"
_XSI: Final = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'


@asynchronous("PostAsyncBatch", "POST", "/job/{id}/batch", summary="Add a batch to a job.")
def add(call: Call) -> HttpResponse:
    """Answer with the batch, which is done as soon as the answer is on its way."""
    job = job_of(call)
    if (call.request.content_type or "").startswith("zip/"):
        raise BulkError("InvalidBatch", "Batches with binary attachments are not supported")
    data = call.body.decode(errors="replace")
    rows = None
    if job.content == "XML" and job.operation not in words.QUERIES:
        rows = read_records(call.body)
    return batch_answer(call.request, job, add_batch(job, data, rows=rows), status=201)


@asynchronous("GetAsyncBatches", "GET", "/job/{id}/batch", summary="List the batches of a job.")
def list_batches(call: Call) -> HttpResponse:
    """Answer with the batches in their order."""
    job = job_of(call)
    batches = batches_of(job.id)
    for one in batches:
        _let_go_on(call, one)
    return batches_answer(call.request, job, batches)


@asynchronous("GetAsyncBatch", "GET", "/job/{id}/batch/{batch}", summary="Show a batch.")
def show_batch(call: Call) -> HttpResponse:
    """Answer with the batch and how far it is."""
    job = job_of(call)
    batch = batch_of(call, job)
    _let_go_on(call, batch)
    return batch_answer(call.request, job, batch)


@asynchronous(
    "GetAsyncBatchRequest",
    "GET",
    "/job/{id}/batch/{batch}/request",
    summary="Show what was sent for a batch.",
)
def show_request(call: Call) -> HttpResponse:
    """Answer with the data as it came."""
    job = job_of(call)
    content = content_of(batch_of(call, job).id)
    return answer("" if content is None else content.data, _KINDS[job.content])


@asynchronous(
    "GetAsyncBatchResult",
    "GET",
    "/job/{id}/batch/{batch}/result",
    summary="Show what became of a batch.",
)
def show_result(call: Call) -> HttpResponse:
    """Answer with what became of each record, or with the ids of a query's results."""
    job = job_of(call)
    batch = _done(batch_of(call, job))
    if job.operation in words.QUERIES:
        id = first_result(batch.id)
        ids = [] if id is None else [id]
        if job.content == "JSON":
            return json_answer(call.request, ids)
        inner = "".join(tag("result", one) for one in ids)
        return answer(xml_document("result-list", inner), XML)
    outcomes = outcomes_of(batch.id)
    if job.content == "JSON":
        return json_answer(call.request, [saved_json(one) for one in outcomes])
    if job.content == "XML":
        inner = "".join(map(saved_xml, outcomes))
        return answer(xml_document("results", inner, more=_XSI), XML)
    head = quoted(("Id", "Success", "Created", "Error"))
    return answer("".join(f"{one}\n" for one in (head, *map(saved_csv, outcomes))), CSV)


@asynchronous(
    "GetAsyncQueryResult",
    "GET",
    "/job/{id}/batch/{batch}/result/{result}",
    summary="Show a result of a query.",
)
def show_query_result(call: Call) -> HttpResponse:
    """Answer with the records that a query found."""
    job = job_of(call)
    batch = _done(batch_of(call, job))
    wanted = read_id(call.path["result"])
    if wanted is None or wanted != first_result(batch.id):
        raise BulkError("InvalidBatch", f"Invalid result id: {call.path['result'][:40]}")
    return _query_result(call, job, batch)


def _query_result(call: Call, job: BulkJob, batch: BulkBatch) -> HttpResponse:
    records: list[dict[str, Any]] = shown_records(batch.id)
    if job.content == "JSON":
        return json_answer(call.request, [json_record(one) for one in records])
    if job.content == "XML":
        inner = xml_records(records)
        return answer(xml_document("queryResult", inner, more=_XSI), XML)
    if not records:
        return answer(f"{_NONE}\n", CSV)
    columns = columns_of_result(batch.id)
    head = quoted(".".join(one) for one in columns)
    rows = (row_of(one, columns, ",") for one in records)
    return answer("".join(f"{line}\n" for line in (head, *rows)), CSV)


def _done(batch: BulkBatch) -> BulkBatch:
    if batch.state not in (words.COMPLETED, words.FAILED, words.NOT_PROCESSED):
        raise BulkError("InvalidBatch", f"Batch not completed: {batch.state}")
    return batch


def _let_go_on(call: Call, batch: BulkBatch) -> None:
    """Have the next stretch of a batch done after the answer, since somebody waits for it."""
    if batch.state == words.IN_PROGRESS:
        call.request.led_to.append(partial(go_on, batch.id))
