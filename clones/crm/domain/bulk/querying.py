"""Queries of bulk jobs: refused where the vendor's are, and run into rows of results."""

from __future__ import annotations

from typing import Any

from clones.crm.domain.bulk.errors import BulkError
from clones.crm.domain.new_ids import new_id
from clones.crm.errors import CrmError
from clones.crm.models import BulkBatch, BulkJob, BulkResult
from clones.crm.queries.soql.asking import Question, ask
from clones.crm.queries.soql.parts import bounds_of, part_of
from clones.crm.rules.bulk.words import CLASSIC, MOST_QUERIED, PAGE_KEPT, QUERYING, RESULT
from clones.crm.rules.soql.plan import ChildColumn, FieldColumn, PlanColumn, TypeOfColumn


def question_of(job: BulkJob, text: str) -> Question:
    """Return the query of a job, read for its user.

    Raises:
        BulkError: it asks for what bulk queries do not have.
        CrmError: it is no query, or names what is not there.
    """
    question = ask(
        text,
        user=job.user,
        version=float(job.version),
        with_deleted=job.operation == "queryAll",
    )
    plan = question.plan
    if job.kind == CLASSIC and plan.object.name != job.object:
        raise CrmError(
            f"The root entity of the requested query ({plan.object.name}) does not match the entity"
            f" of the requested Bulk API Job ({job.object})",
            code="INVALID_TYPE_FOR_OPERATION",
        )
    if any(isinstance(one, ChildColumn) for one in plan.columns):
        _check_children(job)
    if plan.groups is not None or plan.counts_rows:
        raise _unknown(job, "Aggregate queries are not supported in Bulk Query")
    if plan.offset:
        raise _unknown(job, "OFFSET is not supported in Bulk Query")
    if any(isinstance(one, TypeOfColumn) for one in plan.columns):
        raise _unknown(job, "TYPEOF is not supported in Bulk Query")
    if any(_is_compound(one) for one in plan.columns):
        raise _unknown(job, "Selecting compound data not supported in Bulk Query")
    return question


def run_query(job: BulkJob, batch: BulkBatch, text: str) -> int:
    """Keep the records of a batch's query, and return how many they are.

    Raises:
        BulkError: it asks for what bulk queries do not have, or finds more than they take.
        CrmError: it is no query, or names what is not there.
    """
    question = question_of(job, text)
    root = f"/services/data/v{job.version}"
    columns = [list(one.keys) for one in question.plan.columns if not isinstance(one, ChildColumn)]
    done = 0
    while True:
        if batch.since is None:
            page = question.page(root, start=done, size=PAGE_KEPT).records
        else:
            page = part_of(
                question, root, since=batch.since, until=batch.until, start=done, size=PAGE_KEPT
            )
        if page or not done:
            _keep(batch, done, columns, page)
        done += len(page)
        if len(page) < PAGE_KEPT:
            return done
        if done >= MOST_QUERIED:
            raise BulkError("ExceededQuota", f"A query has at most {MOST_QUERIED} records")


def parts_of(job: BulkJob, text: str) -> list[str]:
    """Return the ids at which the parts of a query begin that is split by its keys.

    Raises:
        CrmError: it cannot be run.
    """
    return bounds_of(question_of(job, text), job.part or MOST_QUERIED)


def _keep(batch: BulkBatch, first: int, columns: list[list[str]], page: list[Any]) -> None:
    BulkResult.objects.create(
        id=new_id(RESULT, BulkResult),
        batch=batch.id,
        first=first,
        count=len(page),
        columns=columns if first == 0 else None,
        rows=page,
    )


def _check_children(job: BulkJob) -> None:
    if job.kind == QUERYING:
        raise CrmError(
            "Aggregate Relationships not supported in Bulk V2 Query with CSV content type",
            code="API_ERROR",
        )
    if job.content == "CSV":
        raise BulkError(
            "FeatureNotEnabled",
            "Aggregate Relationships not supported in Bulk Query with CSV content type",
        )


def _unknown(job: BulkJob, message: str) -> CrmError:
    code = "API_ERROR" if job.kind == QUERYING else "FUNCTIONALITY_NOT_ENABLED"
    return CrmError(message, code=code)


def _is_compound(column: PlanColumn) -> bool:
    return isinstance(column, FieldColumn) and column.chain.type in ("address", "location")
