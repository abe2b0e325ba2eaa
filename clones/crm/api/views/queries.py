"""Queries: their records page by page, or what they would show."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, Final

from clones.core.digits import whole_number
from clones.core.operations import Call
from clones.core.operations.inputs import Query
from clones.crm.api.operations import root, version_of, versioned
from clones.crm.api.views.explaining import explained
from clones.crm.domain.recent import note_views
from clones.crm.errors import CrmError
from clones.crm.models import QueryCursor
from clones.crm.queries.soql.asking import Question, ask, cursor_of, keep_cursor
from clones.crm.queries.tooling import DefinitionQuestion, ask_definitions
from clones.crm.rules.record_ids import read_id
from clones.crm.rules.soql import columns_of

MOST, LEAST = 2000, 200
# What a query says for records to count as seen.
VIEWED: Final = frozenset({"VIEW", "REFERENCE"})
_BATCH: Final = re.compile(r"batchSize\s*=\s*(\d{1,6})", re.IGNORECASE)


class SoqlQuery(Query):
    """The query, whether its columns are asked for, or how it would be run."""

    q: str | None = None
    columns: str | None = None
    explain: str | None = None


@versioned("GetQuery", "GET", "/query", summary="Run a query.", query=SoqlQuery)
def run_query(call: Call) -> dict[str, Any]:
    """Answer with the first page of its records."""
    return _answer(call, with_deleted=False)


@versioned("GetQueryAll", "GET", "/queryAll", summary="Run a query, deleted too.", query=SoqlQuery)
def run_query_all(call: Call) -> dict[str, Any]:
    """Answer with the first page of its records, those in the recycle bin among them."""
    return _answer(call, with_deleted=True)


@versioned("GetQueryMore", "GET", "/query/{locator}", summary="Show a next page of a query.")
def run_query_more(call: Call) -> dict[str, Any]:
    """Answer with the page that a locator stands for."""
    key, _, place = call.path["locator"].partition("-")
    id, start = read_id(key), whole_number(place or "0", digits=9)
    found = QueryCursor.objects.filter(id=id or "", user=call.actor.subject).first()
    if found is None or start is None:
        raise CrmError("invalid query locator", code="INVALID_QUERY_LOCATOR")
    question = _asked(call, found.query, with_deleted=found.with_deleted)
    return _page(call, question, start=start, cursor=found)


def _answer(call: Call, *, with_deleted: bool) -> dict[str, Any]:
    if call.query.explain:
        return explained(call, call.query.explain)
    if not call.query.q:
        raise CrmError("A query string has to be specified", code="MALFORMED_QUERY")
    question = _asked(call, call.query.q, with_deleted=with_deleted)
    if (call.query.columns or "").lower() == "true":
        return columns_of(question.plan)
    return _page(call, question, start=0, cursor=None)


def answer_query(call: Call, text: str) -> dict[str, Any]:
    """Return the first page of the records of a query of ours."""
    question = _asked(call, text, with_deleted=False)
    return _page(call, question, start=0, cursor=None)


def _asked(call: Call, text: str, *, with_deleted: bool) -> Question | DefinitionQuestion:
    user, version = call.actor.subject, version_of(call)
    found = ask_definitions(text, user=user, version=version)
    if found is not None:
        return found
    return ask(text, user=user, version=version, with_deleted=with_deleted)


def _page(
    call: Call, question: Question | DefinitionQuestion, *, start: int, cursor: QueryCursor | None
) -> dict[str, Any]:
    size = min(_batch(call), question.plan.batch_limit)
    page = question.page(root(call), start=start, size=size)
    end = start + len(page.records)
    if VIEWED & set(question.plan.purposes) and isinstance(question, Question):
        ids = [one["attributes"]["url"].rpartition("/")[2] for one in page.records]
        of, user = question.plan.object.name, call.actor.subject
        call.request.led_to.append(partial(note_views, of, ids, user=user))
    answer: dict[str, Any] = {"totalSize": page.total, "done": True}
    if page.records and end < page.total:
        kept = cursor or cursor_of(question)
        if cursor is None:
            call.request.led_to.append(partial(keep_cursor, kept))
        answer |= {"done": False, "nextRecordsUrl": f"{root(call)}/query/{kept.id}-{end}"}
    return {**answer, "records": page.records}


def _batch(call: Call) -> int:
    found = _BATCH.search(call.request.headers.get("Sforce-Query-Options", ""))
    return MOST if found is None else min(max(int(found[1]), LEAST), MOST)
