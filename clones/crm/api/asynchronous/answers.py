"""Answers of the older bulk API: jobs, batches and errors, in XML or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from pydantic_core import to_json

from clones.core.strict_json import read_json
from clones.core.vendors import RefusalReason, VendorFault
from clones.crm.api.printing import printed
from clones.crm.api.soap.xml import described
from clones.crm.domain.bulk.errors import BulkError
from clones.crm.errors import CrmError
from clones.crm.models import BulkBatch, BulkJob
from clones.crm.rules.bulk import words
from clones.crm.rules.shown_values import moment_text

ASYNC: Final = "/services/async/"
XML, JSON, CSV = "application/xml", "application/json", "text/csv"
NAMESPACE: Final = "http://www.force.com/2009/06/asyncapi/dataload"
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>'
_REFUSED: Final[dict[RefusalReason, tuple[int, str, str]]] = {
    "unauthenticated": (400, "InvalidSessionId", "Invalid session id"),
    "unknown_sandbox": (400, "InvalidSessionId", "Invalid session id"),
    "unknown_path": (404, "InvalidUrl", "Invalid URL"),
    "wrong_method": (405, "MethodNotAllowed", "HTTP Method '{method}' not allowed."),
    "unavailable": (503, "ServerUnavailable", "We are experiencing technical difficulties."),
    "too_large": (400, "ClientInputError", "Failed to read request. Exceeded max size limit"),
    "rate_limited": (400, "ExceededQuota", "TotalRequests Limit exceeded."),
    "failed": (500, "Unknown", "An unexpected error occurred."),
}
Members = Mapping[str, Any]


def asks_json(request: HttpRequest) -> bool:
    """Tell whether a request is made in JSON, by what its body is said to be."""
    return (request.content_type or "").lower() == JSON


def answer(body: str | bytes, kind: str, *, status: int = 200) -> HttpResponse:
    """Return an answer of a kind, which clients compare as a whole: nothing stands behind it."""
    content = body.encode(errors="replace") if isinstance(body, str) else body
    response = HttpResponse(content, status=status, content_type=kind)
    response["Cache-Control"] = "no-cache,must-revalidate,max-age=0,no-store,private"
    return response


def json_answer(request: HttpRequest, value: Any, *, status: int = 200) -> HttpResponse:
    """Return an answer in JSON, over several lines where that is asked for."""
    body = to_json(value)
    if request.headers.get("X-PrettyPrint") == "1":
        body = printed(read_json(body)).encode()
    return answer(body, JSON, status=status)


def xml_document(name: str, inner: str, *, more: str = "") -> str:
    """Return a document of the API's namespace."""
    return f'{_HEAD}<{name} xmlns="{NAMESPACE}"{more}>{inner}</{name}>'


def job_answer(
    request: HttpRequest, job: BulkJob, batches: Sequence[BulkBatch], *, status: int = 200
) -> HttpResponse:
    """Return a job in the form that its request has, or its data where that says none."""
    members = _job(job, batches)
    if asks_json(request) or (request.content_type != XML and job.content == "JSON"):
        nothing = {"assignmentRuleId": None, "externalIdFieldName": None, "fastPathEnabled": False}
        found = {**nothing, **members, "apiVersion": float(job.version)}
        found |= {name: _json_moment(members[name]) for name in ("createdDate", "systemModstamp")}
        return json_answer(request, dict(sorted(found.items())), status=status)
    shown = {**members, **{name: _moment(members[name]) for name in _MOMENTS}}
    return answer(xml_document("jobInfo", _xml(shown)), XML, status=status)


def batch_answer(
    request: HttpRequest, job: BulkJob, batch: BulkBatch, *, status: int = 200
) -> HttpResponse:
    """Return a batch in the form of its job's data: tables are told of in XML."""
    if job.content == "JSON":
        return json_answer(request, _json_batch(batch), status=status)
    return answer(xml_document("batchInfo", _xml_batch(batch)), XML, status=status)


def batches_answer(
    request: HttpRequest, job: BulkJob, batches: Iterable[BulkBatch]
) -> HttpResponse:
    """Return the batches of a job in the form of its data."""
    if job.content == "JSON":
        return json_answer(request, {"batchInfo": [_json_batch(one) for one in batches]})
    inner = "".join(f"<batchInfo>{_xml_batch(one)}</batchInfo>" for one in batches)
    return answer(xml_document("batchInfoList", inner), XML)


def refused_request(request: HttpRequest, reason: RefusalReason) -> HttpResponse | None:
    """Return the answer to what never reached an operation, None where it is of another API."""
    if not request.path.startswith(ASYNC):
        return None
    status, code, message = _REFUSED[reason]
    return _error(request, code, message.format(method=request.method), status)


def error_answer(request: HttpRequest, error: CrmError) -> HttpResponse:
    """Return the answer to what is refused."""
    if isinstance(error, BulkError):
        return _error(request, error.reason, error.plain, error.status)
    code = "InvalidJob" if error.code == "API_ERROR" else "ClientInputError"
    return _error(request, code, error.message, error.status)


def _error(request: HttpRequest, code: str, message: str, status: int) -> HttpResponse:
    members = {"exceptionCode": code, "exceptionMessage": message}
    found = (
        json_answer(request, members, status=status)
        if asks_json(request)
        else answer(xml_document("error", _xml(members)), XML, status=status)
    )
    if status < 500:
        return found
    return VendorFault(found.content, status=status, content_type=found["Content-Type"])


_MOMENTS: Final = ("createdDate", "systemModstamp")


def _job(job: BulkJob, batches: Sequence[BulkBatch]) -> dict[str, Any]:
    states = [one.state for one in batches]
    found: dict[str, Any] = {
        "id": job.id,
        "operation": job.operation,
        "object": job.object,
        "createdById": job.user,
        "createdDate": job.created_at,
        "systemModstamp": job.updated_at,
        "state": job.state,
    }
    if job.external_id is not None:
        found["externalIdFieldName"] = job.external_id
    found |= {"concurrencyMode": job.concurrency, "contentType": job.content}
    if job.assignment_rule is not None:
        found["assignmentRuleId"] = job.assignment_rule
    return {
        **found,
        "numberBatchesQueued": states.count(words.QUEUED),
        "numberBatchesInProgress": states.count(words.IN_PROGRESS),
        "numberBatchesCompleted": states.count(words.COMPLETED),
        "numberBatchesFailed": states.count(words.FAILED),
        "numberBatchesTotal": len(states),
        "numberRecordsProcessed": sum(one.processed for one in batches),
        "numberRetries": 0,
        "apiVersion": job.version,
        "numberRecordsFailed": sum(one.failed for one in batches),
        "totalProcessingTime": 0,
        "apiActiveProcessingTime": 0,
        "apexProcessingTime": 0,
    }


def _batch(batch: BulkBatch) -> dict[str, Any]:
    return {
        "id": batch.id,
        "jobId": batch.job,
        "state": batch.state,
        "stateMessage": batch.message,
        "createdDate": batch.created_at,
        "systemModstamp": batch.updated_at,
        "numberRecordsProcessed": batch.processed,
        "numberRecordsFailed": batch.failed,
        "totalProcessingTime": 0,
        "apiActiveProcessingTime": 0,
        "apexProcessingTime": 0,
    }


def _json_batch(batch: BulkBatch) -> dict[str, Any]:
    found = _batch(batch)
    found |= {name: _json_moment(found[name]) for name in _MOMENTS}
    return dict(sorted(found.items()))


def _xml_batch(batch: BulkBatch) -> str:
    found = _batch(batch)
    return _xml({**found, **{name: _moment(found[name]) for name in _MOMENTS}})


def _xml(members: Members) -> str:
    return "".join(described(name, value) for name, value in members.items())


def _moment(moment: datetime) -> str:
    return moment_text(moment).replace("+0000", "Z")


def _json_moment(moment: datetime) -> str:
    return moment_text(moment)
