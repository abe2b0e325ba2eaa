"""Which work logs changed or went since a time, and work logs by their ids."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.db.models import QuerySet
from pydantic import Field

from clones.core import clock
from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.core.operations.paging import location_of
from clones.tracker.api.operations import Body, Query, actor, operation, show
from clones.tracker.api.presenters.worklogs import present_worklogs
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.properties import values_of
from clones.tracker.models import DeletedWorklog
from clones.tracker.queries.worklogs import visible_worklogs

Json = dict[str, Any]
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND: Final = timedelta(milliseconds=1)
PAGE: Final = 1000
# What changed within the last minute is not told yet.
DELAY: Final = timedelta(minutes=1)


class SinceQuery(Query):
    """The time since which worklogs changed, in milliseconds since 1970."""

    since: int = Field(0, ge=0, le=10**14)
    expand: CommaList[str] = Field([], description="properties")


class WorklogIds(Body):
    """The ids of the worklogs to show."""

    ids: list[int]


class ExpandQuery(Query):
    """The expansions of worklogs."""

    expand: CommaList[str] = Field([], description="properties")


@operation(
    "getIdsOfWorklogsModifiedSince",
    "GET",
    "/rest/api/3/worklog/updated",
    summary="List the ids of work logs that were made or changed since a time.",
    query=SinceQuery,
)
def list_updated(call: Call) -> Json:
    """List changed work logs, the first changed first."""
    page = _page(call, visible_worklogs(actor(call)).values_list("id", "updated"), "updated")
    if "properties" in call.query.expand:
        ids = [str(entry["worklogId"]) for entry in page["values"]]
        kept = values_of("worklog", ids)
        for entry in page["values"]:
            pairs = kept.get(str(entry["worklogId"]), {})
            entry["properties"] = [{"key": key, "value": value} for key, value in pairs.items()]
    return page


@operation(
    "getIdsOfWorklogsDeletedSince",
    "GET",
    "/rest/api/3/worklog/deleted",
    summary="List the ids of work logs that were deleted since a time.",
    query=SinceQuery,
)
def list_deleted(call: Call) -> Json:
    """List deleted work logs, the first deleted first."""
    return _page(call, DeletedWorklog.objects.values_list("id", "at"), "at")


@operation(
    "getWorklogsForIds",
    "POST",
    "/rest/api/3/worklog/list",
    summary="List work logs by their ids, up to a thousand.",
    query=ExpandQuery,
    body=WorklogIds,
    writes=False,
)
def list_worklogs_by_ids(call: Call) -> list[Json]:
    """List those of the work logs that the caller sees."""
    ids = sorted({id for id in call.body.ids if 0 < id < 2**63})
    if not call.body.ids or len(ids) > PAGE:
        raise Invalid(f"The number of worklog IDs must be between 1 and {PAGE}.")
    rows = list(visible_worklogs(actor(call)).filter(id__in=ids))
    properties = "properties" in call.query.expand
    return present_worklogs(rows, show(call), properties=properties)


def _page(call: Call, rows: QuerySet[Any, tuple[int, datetime]], column: str) -> Json:
    """Return a page (P7) of changes after `since`.

    Changes of one millisecond are never on two pages: the next page begins after it.
    """
    since = call.query.since
    newest = clock.now() - DELAY
    rows = rows.filter(
        **{f"{column}__gte": EPOCH + (since + 1) * MILLISECOND, f"{column}__lte": newest}
    ).order_by(column, "id")
    found: Sequence[tuple[int, datetime]] = list(rows[: PAGE + 1])
    last = len(found) <= PAGE
    if not last:
        end = EPOCH + (_milliseconds(found[PAGE - 1][1]) + 1) * MILLISECOND
        found = list(rows.filter(**{f"{column}__lt": end}))
        last = not rows.filter(**{f"{column}__gte": end}).exists()
    values = [
        {"worklogId": id, "updatedTime": _milliseconds(moment), "properties": []}
        for id, moment in found
    ]
    until = values[-1]["updatedTime"] if values else since
    address = location_of(call.request)
    page: Json = {
        "values": values,
        "since": since,
        "until": until,
        "self": f"{address}?since={since}",
        "lastPage": last,
    }
    if not last:
        page["nextPage"] = f"{address}?since={until}"
    return page


def _milliseconds(moment: datetime) -> int:
    return (moment - EPOCH) // MILLISECOND
