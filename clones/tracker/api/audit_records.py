"""The record of what admins did."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from pydantic import Field

from clones.core.operations import Call
from clones.tracker.api.operations import Query, operation, show
from clones.tracker.api.paging import number_of
from clones.tracker.api.presenters.context import Show
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import AuditRecord
from clones.tracker.queries.audit_records import with_words

Json = dict[str, Any]
MOST: Final = 1000


class RecordsQuery(Query):
    """Text, times and paging of the site's audit records."""

    offset: str | None = None
    limit: str | None = Field(None, description="1000 unless said")
    filter: str | None = None
    since: str | None = Field(None, alias="from")
    until: str | None = Field(None, alias="to")


@operation(
    "getAuditRecords",
    "GET",
    "/rest/api/3/auditing/record",
    summary="List what admins did, the latest first.",
    query=RecordsQuery,
    access="admin",
)
def list_records(call: Call) -> Json:
    """List records: each word of the filter is in one of their parts."""
    asked = call.query
    offset = number_of(call, "offset", 0)
    limit = min(number_of(call, "limit", MOST), MOST)
    rows = AuditRecord.objects.select_related("author").order_by("-created", "-id")
    rows = with_words(rows, asked.filter or "")
    since, until = _moment(asked.since, "from"), _moment(asked.until, "to")
    if since is not None:
        rows = rows.filter(created__gte=since)
    if until is not None:
        rows = rows.filter(created__lte=until)
    return {
        "offset": offset,
        "limit": limit,
        # The length of the whole record, whatever is looked for in it: so sites count.
        "total": AuditRecord.objects.count(),
        "records": [_record(row, show(call)) for row in rows[offset : offset + limit]],
    }


def _moment(text: str | None, name: str) -> datetime | None:
    """Return a moment that a parameter names; without a zone it is UTC."""
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text.replace(" ", "+"))
    except ValueError as error:
        raise Invalid(f"The parameter '{name}' is not a valid date: {text}") from error
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _record(row: AuditRecord, show: Show) -> Json:
    found: Json = {"id": row.id, "summary": row.summary}
    if row.author is not None:
        found["authorKey"] = row.author.account_id
        found["authorAccountId"] = row.author.account_id
    found |= {
        "created": show.when(row.created),
        "category": row.category,
        "eventSource": "",
        "changedValues": row.changed_values,
        "associatedItems": row.associated_items,
    }
    if row.description:
        found["description"] = row.description
    if row.object_item:
        found["objectItem"] = row.object_item
    return found
