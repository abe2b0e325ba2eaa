"""Jobs that run a query (Bulk API 2.0)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from django.http import HttpResponse

from clones.core.digits import whole_number
from clones.core.operations import Call, Reply
from clones.core.operations.inputs import Query
from clones.crm.api.bodies import mapping
from clones.crm.api.operations import versioned
from clones.crm.api.presenters.bulk_jobs import (
    locator_of,
    place_of,
    present_job,
    present_made,
    row_of,
    shown_records,
    table,
)
from clones.crm.api.views.ingest_jobs import (
    JobsQuery,
    listed_jobs,
    order_of,
    own_job,
    shown_progress,
)
from clones.crm.domain.bulk.errors import invalid_state, invalid_value
from clones.crm.domain.bulk.jobs import abort, delete_job, make_query
from clones.crm.errors import CrmError
from clones.crm.models import BulkBatch, BulkJob
from clones.crm.queries.bulk import batches_of, columns_of_result
from clones.crm.rules.bulk import words
from clones.crm.rules.bulk.tables import quoted

_KINDS: Final = (words.QUERYING,)
# Places of pages that one answer names.
_PAGES: Final = 5


class JobResultsQuery(Query):
    """From where on results are shown, and how many."""

    locator: str | None = None
    maxRecords: str | None = None  # noqa: N815 - the vendor's name


@versioned("PostQueryJob", "POST", "/jobs/query", summary="Have a query run.", body=Any)
def make_job(call: Call) -> dict[str, Any]:
    """Answer with the job."""
    said = mapping(call.body, "QueryJobInfo")
    if not isinstance(said.get("query", ""), str):
        raise invalid_value(said["query"], "query")
    order = order_of(call, said, words.QUERYING)
    return present_made(make_query(replace(order, object="", query=said.get("query") or "")))


@versioned("GetQueryJob", "GET", "/jobs/query/{id}", summary="Show how far a query is.")
def show_job(call: Call) -> dict[str, Any]:
    """Answer with the job."""
    return shown_progress(call, own_job(call, kinds=_KINDS))


@versioned("PatchQueryJob", "PATCH", "/jobs/query/{id}", summary="End a query.", body=Any)
def change_job(call: Call) -> dict[str, Any]:
    """Answer with the job."""
    job, state = own_job(call, kinds=_KINDS), mapping(call.body, "QueryJobInfo").get("state")
    if state != words.ABORTED:
        raise invalid_value(state, "state")
    abort(job)
    return present_job(job)


@versioned("DeleteQueryJob", "DELETE", "/jobs/query/{id}", summary="Forget a query.", status=204)
def remove_job(call: Call) -> Reply:
    """Answer with nothing."""
    delete_job(own_job(call, kinds=_KINDS))
    return Reply(None, 204)


@versioned("GetQueryJobs", "GET", "/jobs/query", summary="List queries.", query=JobsQuery)
def list_jobs(call: Call) -> dict[str, Any]:
    """Answer with a page of the jobs that run queries."""
    return listed_jobs(call, "query")


@versioned(
    "GetQueryResults",
    "GET",
    "/jobs/query/{id}/results",
    summary="Show results of a query.",
    query=JobResultsQuery,
)
def show_results(call: Call) -> HttpResponse:
    """Answer with a page of its records, and in a header where the next one begins."""
    job = own_job(call, kinds=_KINDS)
    batch, start = _done(job), _start(call)
    most = _most(call.query.maxRecords)
    delimiter = words.DELIMITERS[job.delimiter]
    columns = columns_of_result(batch.id)
    rows = [
        row_of(one, columns, delimiter) for one in shown_records(batch.id, start=start, most=most)
    ]
    end = start + len(rows)
    head = quoted((".".join(one) for one in columns), delimiter=delimiter)
    return table(
        [head, *rows],
        job,
        Sforce_Locator=locator_of(end) if end < batch.processed else "null",
        Sforce_NumberOfRecords=str(len(rows)),
    )


@versioned(
    "GetQueryResultPages",
    "GET",
    "/jobs/query/{id}/resultPages",
    summary="Show where the pages of results begin.",
    query=JobResultsQuery,
)
def show_pages(call: Call) -> dict[str, Any]:
    """Answer with the addresses of some pages, and with that of the next ones."""
    job = own_job(call, kinds=_KINDS)
    batch, start = _done(job), _start(call)
    most = _most(call.query.maxRecords)
    places = range(start, max(batch.processed, 1), most)
    here, rest = f"/jobs/query/{job.id}", places[_PAGES:]
    found = [{"resultLink": f"{here}/results?locator={locator_of(one)}"} for one in places[:_PAGES]]
    next_url = f"{here}/resultPages?locator={locator_of(rest[0])}" if rest else None
    return {"resultPages": found, "nextRecordsUrl": next_url, "done": not rest}


def _done(job: BulkJob) -> BulkBatch:
    """Return the batch of a job that is done.

    Raises:
        BulkError: it is not.
    """
    if job.state != words.COMPLETE:
        raise invalid_state(f"Job is not completed: {job.state}")
    return batches_of(job.id)[0]


def _start(call: Call) -> int:
    locator = call.query.locator
    start = 0 if not locator else place_of(locator)
    if start is None:
        raise CrmError("invalid query locator", code="INVALID_QUERY_LOCATOR")
    return start


def _most(given: str | None) -> int:
    most = words.PAGE_SHOWN if given is None else whole_number(given, digits=9)
    if not most:
        raise invalid_value(given, "maxRecords")
    return most
