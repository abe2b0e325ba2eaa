"""The work of bulk jobs: done by timers as soon as it is there, a stretch at a time.

A timer does the first stretch of a batch before anybody can ask how it goes. What is left waits for
a second of the sandbox's clock, or for whoever asks: a clock that stands must not keep a client
waiting for ever (docs/adr/0055).
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from clones.core import clock
from clones.core.journal import act
from clones.core.long_jobs import LongJobs
from clones.crm.domain.bulk.errors import BulkError
from clones.crm.domain.bulk.ingesting import ingest
from clones.crm.domain.bulk.querying import parts_of, run_query
from clones.crm.domain.new_ids import new_id
from clones.crm.errors import CrmError
from clones.crm.models import BulkBatch, BulkContent, BulkJob
from clones.crm.queries.access.viewing import user_mode
from clones.crm.queries.bulk import batches_of
from clones.crm.rules.bulk import words

_PAUSE: Final = timedelta(seconds=1)
_JOBS: LongJobs[Any, str] = LongJobs("crm.bulk", name="batch", longest=0)
_WAITING: Final = (words.QUEUED, words.IN_PROGRESS)


def set_off(batch: str) -> None:
    """Have a batch done as soon as the clock runs what is due."""
    _JOBS.set_off(batch)


def call_off(batch: str) -> None:
    """Let a batch, or what is left of it, not be done."""
    _JOBS.call_off(batch)


def go_on(batch: str) -> None:
    """Do the next stretch of a batch now, if one waits for the clock."""
    if _JOBS.call_off(batch):
        work(batch)


def is_waiting(job: str) -> str | None:
    """Return the first batch of a job that is not done, None if all are."""
    return next((one.id for one in batches_of(job) if one.state in _WAITING), None)


@_JOBS.runs
def work(key: str) -> None:
    """Do the next stretch of a batch within the rights of who made the job.

    What it is refused for as a whole is kept with it.
    """
    batch = BulkBatch.objects.get(id=key)
    job = BulkJob.objects.get(id=batch.job)
    content = BulkContent.objects.get(id=key)
    with act(actor=f"crm.user:{job.user}", label=f"bulk job {job.id}"):
        try:
            with user_mode(job.user):
                waits = _stretch(job, batch, content)
        except BulkError as error:
            _fail(job, batch, error.named)
            return
        except CrmError as error:
            message = f"Failed to process query: {error.code}: {error.message}"
            _fail(job, batch, f"InvalidBatch : {message}")
            return
        batch.updated_at = job.updated_at = clock.now()
        if waits:
            batch.state = words.IN_PROGRESS
            _JOBS.set_off(key, after=_PAUSE)
        elif batch.state != words.NOT_PROCESSED:
            batch.state = words.COMPLETED
        batch.save()
        if job.kind != words.CLASSIC:
            job.state = words.IN_PROGRESS if waits else words.COMPLETE
        job.save()


def _stretch(job: BulkJob, batch: BulkBatch, content: BulkContent) -> bool:
    """Do the next stretch of a batch, and tell whether there is another."""
    if job.operation not in words.QUERIES:
        done = ingest(job, batch, content)
        batch.processed += done.processed
        batch.failed += done.failed
        return done.waits
    if job.part is not None and batch.since is None and job.kind == words.CLASSIC:
        _split(job, batch, content)
    else:
        batch.processed = run_query(job, batch, content.data)
    return False


def _split(job: BulkJob, batch: BulkBatch, content: BulkContent) -> None:
    """Put a batch for each part of a query in the place of the one that was given."""
    bounds, now = parts_of(job, content.data), clock.now()
    for since, until in zip(bounds, [*bounds[1:], None], strict=True):
        part = BulkBatch(
            id=new_id(words.BATCH, BulkBatch),
            job=job.id,
            state=words.QUEUED,
            since=since,
            until=until,
            created_at=now,
            updated_at=now,
        )
        part.save(force_insert=True)
        BulkContent.objects.create(id=part.id, content=content.content, data=content.data)
        set_off(part.id)
    batch.state = words.NOT_PROCESSED


def _fail(job: BulkJob, batch: BulkBatch, message: str) -> None:
    now = clock.now()
    batch.state, batch.message, batch.updated_at = words.FAILED, message, now
    batch.save()
    if job.kind != words.CLASSIC:
        job.state, job.error, job.updated_at = words.FAILED, message, now
        job.save()
