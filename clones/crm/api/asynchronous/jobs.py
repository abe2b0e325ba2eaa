"""Jobs of the older bulk API: made, shown, closed and aborted."""

from __future__ import annotations

import re
from typing import Any, Final

from django.http import HttpResponse

from clones.core.digits import whole_number
from clones.core.operations import Call
from clones.core.strict_json import read_json
from clones.crm.api.asynchronous.answers import asks_json, job_answer
from clones.crm.api.asynchronous.operations import asynchronous, job_of
from clones.crm.api.soap.xml import UnreadableXml, read_xml
from clones.crm.domain.bulk.errors import BulkError
from clones.crm.domain.bulk.jobs import Order, abort, close, make_classic
from clones.crm.queries.bulk import batches_of
from clones.crm.rules.bulk import words

_CONTENTS: Final = ("CSV", "JSON", "XML")
# How jobs are done, and the numbers by which one client says so.
_MODES: Final = {"Parallel": "Parallel", "Serial": "Serial", "0": "Parallel", "1": "Serial"}
_SIZE: Final = re.compile(r"chunkSize\s*=\s*(\d{1,9})", re.IGNORECASE)


@asynchronous("PostAsyncJob", "POST", "/job", summary="Make a job of many batches.")
def make_job(call: Call) -> HttpResponse:
    """Answer with the job."""
    said = _said(call)
    content = said.get("contentType") or "XML"
    if content not in _CONTENTS:
        raise BulkError("InvalidJob", f"Unsupported content type: {content[:40]}")
    operation = said.get("operation") or ""
    if operation not in (*words.INGEST, *words.QUERIES):
        raise BulkError("InvalidJob", f"Unsupported operation: {operation[:40]}")
    mode = _MODES.get(said.get("concurrencyMode") or "Parallel")
    if mode is None:
        raise BulkError("InvalidJob", "Unsupported concurrency mode")
    order = Order(
        kind=words.CLASSIC,
        user=call.actor.subject,
        version=call.path["version"],
        operation=operation,
        object=said.get("object") or "",
        external_id=said.get("externalIdFieldName") or None,
        assignment_rule=said.get("assignmentRuleId") or None,
        content=content,
        concurrency=mode,
        part=_part(call) if operation in words.QUERIES else None,
    )
    return job_answer(call.request, make_classic(order), [], status=201)


@asynchronous("PostAsyncJobState", "POST", "/job/{id}", summary="Close or end a job.")
def change_job(call: Call) -> HttpResponse:
    """Answer with the job."""
    job, state = job_of(call), _said(call).get("state")
    if state == words.CLOSED:
        close(job)
    elif state == words.ABORTED:
        abort(job)
    else:
        raise BulkError("InvalidJobState", f"Unable to change a job to state: {str(state)[:40]}")
    return job_answer(call.request, job, batches_of(job.id))


@asynchronous("GetAsyncJob", "GET", "/job/{id}", summary="Show a job and its progress.")
def show_job(call: Call) -> HttpResponse:
    """Answer with the job."""
    job = job_of(call)
    return job_answer(call.request, job, batches_of(job.id))


def _said(call: Call) -> dict[str, str]:
    """Return what a body says of a job, by the names of the properties.

    Raises:
        BulkError: it cannot be read.
    """
    if asks_json(call.request):
        try:
            found: Any = read_json(call.body)
        except ValueError as error:
            raise BulkError("InvalidJob", f"Failed to parse JSON: {error}") from error
        if not isinstance(found, dict):
            raise BulkError("InvalidJob", "Failed to parse JSON: an object is expected")
        return {name: str(value) for name, value in found.items() if value is not None}
    try:
        root = read_xml(call.body.strip())
    except UnreadableXml as error:
        raise BulkError("InvalidXml", f"Failed to parse XML: {error}") from error
    if root.name != "jobInfo":
        raise BulkError("InvalidXml", f"Expected jobInfo, found {root.name[:40]}")
    return {one.name: one.text.strip() for one in root.children}


def _part(call: Call) -> int | None:
    """Return how many records the parts of a query have, None where it is not to be split.

    Raises:
        BulkError: they would have too many.
    """
    given = call.request.headers.get("Sforce-Enable-PKChunking", "")
    size = _SIZE.search(given)
    if not given or given.strip().upper().startswith("FALSE"):
        return None
    found = words.PART if size is None else whole_number(size[1], digits=9) or 0
    if not 1 <= found <= words.MOST_OF_PART:
        raise BulkError("InvalidJob", f"chunkSize must be between 1 and {words.MOST_OF_PART}")
    return found
