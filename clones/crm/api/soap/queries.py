"""Calls that read: queries page by page, and descriptions of objects."""

from __future__ import annotations

from typing import Any, Final

from clones.core import clock
from clones.core.digits import whole_number
from clones.crm.api.presenters.describes import present_global, present_object
from clones.crm.api.soap.asked import SoapCall, answers
from clones.crm.api.soap.values import object_named, result_xml
from clones.crm.api.soap.xml import described, tag
from clones.crm.domain.saving.many import check_number
from clones.crm.errors import CrmError
from clones.crm.models import QueryCursor
from clones.crm.queries.soql.asking import Question, ask, cursor_of, keep_cursor
from clones.crm.rules.record_ids import read_id

LEAST, USUAL, MOST = 200, 500, 2000
MOST_DESCRIBED: Final = 100


@answers("query")
def query(asked: SoapCall) -> str:
    """Run a query."""
    return _first(asked, with_deleted=False)


@answers("queryAll")
def query_all(asked: SoapCall) -> str:
    """Run a query, records in the recycle bin among its records."""
    return _first(asked, with_deleted=True)


@answers("queryMore")
def query_more(asked: SoapCall) -> str:
    """Show a next page of a query."""
    key, _, place = asked.said.said("queryLocator").partition("-")
    start = whole_number(place or "0", digits=9)
    found = QueryCursor.objects.filter(id=read_id(key) or "", user=asked.user).first()
    if found is None or start is None:
        raise CrmError("invalid query locator", code="INVALID_QUERY_LOCATOR")
    question = ask(
        found.query,
        user=found.user,
        version=float(asked.version),
        with_deleted=found.with_deleted,
    )
    return _page(asked, question, start, found)


@answers("describeGlobal")
def describe_global(asked: SoapCall) -> str:
    """List the objects."""
    objects = "".join(
        described("sobjects", _without_addresses(present_global(of, asked.root)))
        for of in asked.schema
    )
    head = tag("encoding", "UTF-8") + tag("maxBatchSize", 200)
    return f"<result>{head}{objects}</result>"


@answers("describeSObject", "describeSObjects")
def describe_objects(asked: SoapCall) -> str:
    """Describe objects by their names."""
    names = [one.text.strip() for one in asked.said.all("sObjectType")]
    check_number(names, MOST_DESCRIBED)
    found = [object_named(asked.schema, name) for name in names]
    site = asked.call.request.build_absolute_uri("/").rstrip("/")
    return "".join(
        described("result", _without_addresses(present_object(of, asked.root, site)))
        for of in found
    )


@answers("getServerTimestamp")
def server_time(asked: SoapCall) -> str:
    """Tell what time it is."""
    now = clock.now()
    text = f"{now:%Y-%m-%dT%H:%M:%S}.{now.microsecond // 1000:03d}Z"
    return f"<result>{tag('timestamp', text)}</result>"


def _first(asked: SoapCall, *, with_deleted: bool) -> str:
    text = asked.said.said("queryString")
    if not text:
        raise CrmError("A query string has to be specified", code="MALFORMED_QUERY")
    question = ask(text, user=asked.user, version=float(asked.version), with_deleted=with_deleted)
    return _page(asked, question, 0, None)


def _page(asked: SoapCall, question: Question, start: int, cursor: QueryCursor | None) -> str:
    said = whole_number(asked.envelope.header("QueryOptions", "batchSize"), digits=6)
    wanted = USUAL if said is None else min(max(said, LEAST), MOST)
    size = min(wanted, question.plan.batch_limit)
    page = question.page(asked.root, start=start, size=size)
    end, locator = start + len(page.records), None
    if page.records and end < page.total:
        kept = cursor or cursor_of(question)
        keep_cursor(kept)
        locator = f"{kept.id}-{end}"
    found = {"done": locator is None, "totalSize": page.total, "records": page.records}
    return result_xml("result", found, asked.schema, locator)


def _without_addresses(found: dict[str, Any]) -> dict[str, Any]:
    return {
        name: [_without_addresses(one) for one in value] if name == "recordTypeInfos" else value
        for name, value in found.items()
        if name not in ("urls", "sobjectDescribeOption")
    }
