"""Bulk jobs, their batches and results, as they are kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from clones.crm.models import BulkBatch, BulkContent, BulkJob, BulkResult
from clones.crm.rules.bulk.words import QUERIES
from clones.crm.rules.record_ids import read_id


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one record of an upload; each error has its code, message and fields."""

    id: str | None
    is_created: bool
    errors: list[dict[str, Any]]

    @property
    def text(self) -> str:
        """The errors as one text."""
        return "".join(
            f"{one['statusCode']}:{one['message']}:{','.join(one['fields'])}"
            f"{' ' if one['fields'] else ''}--"
            for one in self.errors
        )


def find_job(id: str, *, user: str) -> BulkJob | None:
    """Return a job of a user by its id, None if there is none."""
    return BulkJob.objects.filter(id=read_id(id) or "", user=user).first()


def jobs_of(user: str, *, asks: bool) -> QuerySet[BulkJob]:
    """Return the jobs of a user in their order: those that ask for records, or those that save."""
    found = BulkJob.objects.filter(user=user).order_by("id")
    return found.filter(operation__in=QUERIES) if asks else found.exclude(operation__in=QUERIES)


def batches_of(job: str) -> list[BulkBatch]:
    """Return the batches of a job in their order."""
    return list(BulkBatch.objects.filter(job=job).order_by("id"))


def find_batch(job: str, id: str) -> BulkBatch | None:
    """Return a batch of a job by its id, None if there is none."""
    return BulkBatch.objects.filter(job=job, id=read_id(id) or "").first()


def content_of(batch: str) -> BulkContent | None:
    """Return what was uploaded for a batch, None if nothing was."""
    return BulkContent.objects.filter(id=batch).first()


def outcomes_of(batch: str) -> Iterator[Outcome]:
    """Yield what became of each record of a batch, in the order of the upload."""
    for kept in BulkResult.objects.filter(batch=batch).order_by("first").iterator():
        for id, is_created, errors in kept.rows:
            yield Outcome(id, is_created, errors)


def columns_of_result(batch: str) -> list[list[str]]:
    """Return the columns of a query's results, each by the names of the path to it."""
    kept = BulkResult.objects.filter(batch=batch, first=0).values_list("columns", flat=True).first()
    return kept or []


def first_result(batch: str) -> str | None:
    """Return the id of the result of a query, None where it has none."""
    return (
        BulkResult.objects.filter(batch=batch, first=0).values_list("id", flat=True).first() or None
    )


def records_of_result(batch: str, *, start: int, most: int | None) -> Iterator[dict[str, Any]]:
    """Yield the records of a query from a place on, `most` of them or all."""
    end = None if most is None else start + most
    kept = BulkResult.objects.filter(batch=batch).order_by("first")
    for id, first, count in list(kept.values_list("id", "first", "count")):
        if first + count <= start or (end is not None and first >= end):
            continue
        rows: Sequence[Any] = BulkResult.objects.values_list("rows", flat=True).get(id=id)
        yield from rows[max(start - first, 0) : None if end is None else end - first]
