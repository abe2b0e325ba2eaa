"""Jobs of the newer bulk API, and tables that are answered."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from typing import Any, Final

from django.http import HttpResponse

from clones.core.digits import whole_number
from clones.core.sightings import note_key
from clones.crm.models import BulkBatch, BulkJob, model_of
from clones.crm.queries.bulk import records_of_result
from clones.crm.queries.schema import org_schema
from clones.crm.rules.bulk import words
from clones.crm.rules.bulk.tables import cell_of, quoted
from clones.crm.rules.shown_values import moment_text

_CSV: Final = "text/csv"
# How jobs are listed: a page at a time.
LISTED: Final = 1_000


def present_job(job: BulkJob) -> dict[str, Any]:
    """Return what every answer says of a job."""
    found: dict[str, Any] = {
        "id": job.id,
        "operation": job.operation,
        "object": job.object,
        "createdById": job.user,
        "createdDate": moment_text(job.created_at),
        "systemModstamp": moment_text(job.updated_at),
        "state": job.state,
    }
    if job.external_id is not None:
        found["externalIdFieldName"] = job.external_id
    if job.assignment_rule is not None:
        found["assignmentRuleId"] = job.assignment_rule
    return {
        **found,
        "concurrencyMode": job.concurrency,
        "contentType": job.content,
        "apiVersion": float(job.version),
    }


def present_listed(job: BulkJob) -> dict[str, Any]:
    """Return a job as one of a list."""
    found = {**present_job(job), "jobType": job.kind}
    return found if job.kind == words.CLASSIC else {**found, **_form(job)}


def present_made(job: BulkJob) -> dict[str, Any]:
    """Return a job as it is answered that was made just now."""
    found = present_job(job)
    if job.state == words.OPEN:
        found["contentUrl"] = content_url(job)
    return {**found, **_form(job)}


def present_progress(job: BulkJob, batches: Iterable[BulkBatch]) -> dict[str, Any]:
    """Return a job with how far it is."""
    rows = list(batches)
    found = {**present_job(job), "jobType": job.kind}
    if job.kind == words.INGESTING and job.state == words.OPEN:
        found["contentUrl"] = content_url(job)
    found |= _form(job)
    found["numberRecordsProcessed"] = sum(one.processed for one in rows)
    if job.kind != words.QUERYING:
        found["numberRecordsFailed"] = sum(one.failed for one in rows)
    found |= {"retries": 0, "totalProcessingTime": 0}
    if job.kind != words.QUERYING:
        found |= {"apiActiveProcessingTime": 0, "apexProcessingTime": 0}
    else:
        found["isPkChunkingSupported"] = True
    return found if job.error is None else {**found, "errorMessage": job.error}


def content_url(job: BulkJob) -> str:
    """Return where the data of a job is put, below the host."""
    return f"services/data/v{job.version}/jobs/ingest/{job.id}/batches"


def table(lines: Iterable[str], job: BulkJob, **headers: str) -> HttpResponse:
    """Return rows as an answer, each with the end that the lines of a job have."""
    ending = words.LINE_ENDINGS[job.ending]
    body = "".join(f"{line}{ending}" for line in lines)
    response = HttpResponse(body.encode(errors="replace"), content_type=_CSV)
    for name, value in headers.items():
        response[name.replace("_", "-")] = value
    response["Cache-Control"] = "no-cache,must-revalidate,max-age=0,no-store,private"
    return response


def shown_records(batch: str, *, start: int = 0, most: int | None = None) -> list[dict[str, Any]]:
    """Return results of a query, and note that somebody has seen the records."""
    found, schema = list(records_of_result(batch, start=start, most=most)), org_schema()
    for record in found:
        key = record["attributes"]["url"].rpartition("/")[2]
        of = schema.of_id(key)
        if of is not None:
            note_key(model_of(of)._meta.db_table, key, "list")
    return found


def row_of(record: dict[str, Any], columns: Iterable[list[str]], delimiter: str) -> str:
    """Return a record as a row of a table."""
    return quoted((cell_of(_written(_at(record, one))) for one in columns), delimiter=delimiter)


def locator_of(place: int) -> str:
    """Return what stands for a place among results."""
    return base64.b64encode(str(place).encode()).decode().rstrip("=")


def place_of(locator: str) -> int | None:
    """Return the place that a locator stands for, None where it stands for none."""
    try:
        text = base64.b64decode(locator + "=" * (-len(locator) % 4), validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        return None
    return whole_number(text, digits=9)


def _form(job: BulkJob) -> dict[str, Any]:
    return {"lineEnding": job.ending, "columnDelimiter": job.delimiter}


def _at(record: dict[str, Any] | None, path: list[str]) -> Any:
    for name in path:
        record = None if record is None else record.get(name)
    return record


def _written(value: Any) -> Any:
    """Return a value with moments in the form that tables have."""
    if isinstance(value, str) and value.endswith("+0000") and value[10:11] == "T":
        return f"{value[:-5]}Z"
    return value
