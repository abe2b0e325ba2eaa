"""Uploads saved: a stretch of records at a time, in chunks that are saved together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from clones.core.strict_json import read_json
from clones.crm.domain.bulk.columns import check_names, check_types, columns_of_head, said_of
from clones.crm.domain.bulk.errors import BulkError
from clones.crm.domain.new_ids import new_id
from clones.crm.domain.recycle_bin import purge_record
from clones.crm.domain.saving.lookups import key_field
from clones.crm.domain.saving.many import (
    Given,
    Saved,
    change_one,
    known_id,
    make_one,
    save_each,
    upserting,
)
from clones.crm.domain.saving.pipeline import delete_record
from clones.crm.errors import CrmError, NotFound, RecordError
from clones.crm.models import BulkBatch, BulkContent, BulkJob, BulkResult
from clones.crm.queries.schema import org_schema
from clones.crm.rules.bulk.tables import UnreadableTable, read_table, same_width
from clones.crm.rules.bulk.words import (
    CHUNK,
    CLASSIC,
    DELIMITERS,
    LINE_ENDINGS,
    MOST_OF_BATCH,
    RESULT,
    STRETCH,
)
from clones.crm.rules.schema import SObject

Save = Callable[[Given], Saved]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of work: how many records were looked at, how many refused, whether more wait."""

    processed: int
    failed: int
    waits: bool


def ingest(job: BulkJob, batch: BulkBatch, content: BulkContent) -> Stretch:
    """Save the next records of a batch, and keep what became of each.

    Raises:
        BulkError: the upload as a whole cannot be read; nothing of it was saved.
    """
    of = org_schema().find(job.object)
    if of is None:
        raise BulkError("InvalidEntity", f"Entity '{job.object}' is not supported by the Bulk API.")
    if batch.processed == 0:
        _check_whole(job, of, content)
    rows = islice(_records(job, of, content), batch.processed, None)
    failed = done = 0
    while done < STRETCH and (chunk := list(islice(rows, CHUNK))):
        saved = save_each(chunk, _saver(job, of, chunk), known=known_id)
        failed += sum(one.error is not None for one in saved)
        BulkResult.objects.create(
            id=new_id(RESULT, BulkResult),
            batch=batch.id,
            first=batch.processed + done,
            count=len(chunk),
            rows=[[one.id, one.is_created, _errors(one.error)] for one in saved],
        )
        done += len(chunk)
    return Stretch(done, failed, next(rows, None) is not None)


def _check_whole(job: BulkJob, of: SObject, content: BulkContent) -> None:
    """Read an upload to its end, so that none is saved in part that cannot be read."""
    count = sum(1 for _ in _records(job, of, content))
    if job.kind == CLASSIC and not count:
        raise BulkError("InvalidBatch", "Records not found")
    if job.kind == CLASSIC and count > MOST_OF_BATCH:
        raise BulkError("InvalidBatch", f"Records limit exceeded: {count} > {MOST_OF_BATCH}")


def _records(job: BulkJob, of: SObject, content: BulkContent) -> Iterator[Given]:
    """Yield the records of an upload.

    Raises:
        BulkError: it cannot be read, or names a field that is not there.
    """
    if content.content == "CSV":
        yield from _of_table(job, of, content.data)
    else:
        given = content.rows
        if given is None:
            try:
                given = read_json(content.data.encode())
            except ValueError as error:
                raise BulkError("InvalidBatch", f"Failed to parse JSON: {error}") from None
        if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
            raise BulkError("InvalidBatch", "Failed to parse JSON: an array of records is expected")
        for record in given:
            check_names(of, record)
            yield Given(of, record)


def _of_table(job: BulkJob, of: SObject, text: str) -> Iterator[Given]:
    ending = None if job.kind == CLASSIC else LINE_ENDINGS[job.ending]
    lines = read_table(text, delimiter=DELIMITERS[job.delimiter], ending=ending)
    try:
        head = next(lines, None)
        if head is None:
            return
        columns = columns_of_head(of, head.cells)
        for line in lines:
            yield Given(of, said_of(columns, same_width(line, head.cells)))
    except UnreadableTable as error:
        reason = "ClientInputError" if "LineEnding" in str(error) else "InvalidBatch"
        raise BulkError(reason, str(error)) from None


def _saver(job: BulkJob, of: SObject, chunk: Sequence[Given]) -> Save:
    """Return what saves each record of a chunk."""
    saves: dict[str, Save] = {
        "insert": partial(make_one, actor=job.user),
        "update": partial(change_one, actor=job.user),
        "delete": partial(_remove, actor=job.user, for_good=False),
        "hardDelete": partial(_remove, actor=job.user, for_good=True),
    }
    save = saves.get(job.operation)
    if save is None:
        save = upserting(chunk, key_field(of, job.external_id or "Id"), actor=job.user)

    def checked(one: Given) -> Saved:
        check_types(of, one.said)
        return save(one)

    return checked


def _remove(one: Given, *, actor: str, for_good: bool) -> Saved:
    id = known_id(one)
    if id is None:
        said = one.value("Id")
        if said is None:
            raise RecordError("MISSING_ARGUMENT", "Id not specified in a delete call", ["Id"])
        raise RecordError("MALFORMED_ID", f"malformed id {str(said)[:200]}", ["Id"])
    if id[:3] != one.of.prefix:
        raise NotFound
    delete_record(one.of, id, actor=actor)
    if for_good and one.of.field("IsDeleted") is not None:
        purge_record(one.of, id)
    return Saved(id)


def _errors(error: CrmError | None) -> list[dict[str, Any]]:
    if error is None:
        return []
    return [
        {
            "statusCode": one.code,
            "message": one.message.replace("\0", "\ufffd"),
            "fields": one.fields if isinstance(one, RecordError) else [],
        }
        for one in getattr(error, "errors", [error])
    ]
