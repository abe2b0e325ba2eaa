"""What was changed or deleted of an object within a span of time, for those who keep copies."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from clones.core import clock
from clones.core.operations import Call
from clones.core.operations.inputs import Query
from clones.crm.api.operations import versioned
from clones.crm.api.views.describes import named_object
from clones.crm.errors import CrmError
from clones.crm.models import rows_of
from clones.crm.queries.access.sharing import seen_rows
from clones.crm.rules.schema import SObject
from clones.crm.rules.shown_values import moment_text

KEPT: Final = timedelta(days=30)
MOST: Final = 600_000
_MOMENT: Final = re.compile(
    r"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?::\d{2}(?:\.\d{1,9})?)?(Z|[ +-]\d{2}:?\d{2})?", re.ASCII
)


class SpanQuery(Query):
    """Where the span begins and ends."""

    start: str | None = None
    end: str | None = None


@versioned(
    "GetUpdated",
    "GET",
    "/sobjects/{object}/updated",
    summary="List the records that were changed.",
    query=SpanQuery,
)
def list_updated(call: Call) -> dict[str, Any]:
    """Answer with the ids of records that were made or changed, none that were deleted."""
    of = named_object(call)
    rows, covered = _changed(call, of)
    if of.field("IsDeleted") is not None:
        rows = rows.filter(IsDeleted=False)
    ids = list(rows.order_by("Id").values_list("Id", flat=True)[:MOST])
    return {"ids": ids, "latestDateCovered": moment_text(covered)}


@versioned(
    "GetDeleted",
    "GET",
    "/sobjects/{object}/deleted",
    summary="List the records that were deleted.",
    query=SpanQuery,
)
def list_deleted(call: Call) -> dict[str, Any]:
    """Answer with the ids of records that lie in the recycle bin, and since when."""
    of = named_object(call)
    rows, covered = _changed(call, of)
    found: list[dict[str, str]] = []
    if of.field("IsDeleted") is not None:
        deleted = rows.filter(IsDeleted=True).order_by("SystemModstamp", "Id")
        found = [
            {"id": id, "deletedDate": moment_text(at)}
            for id, at in deleted.values_list("Id", "SystemModstamp")[:MOST]
        ]
    return {
        "deletedRecords": found,
        "earliestDateAvailable": moment_text(_minute(clock.now() - KEPT)),
        "latestDateCovered": moment_text(covered),
    }


def _changed(call: Call, of: SObject) -> tuple[Any, datetime]:
    """Return the rows that were touched within the span asked for, and where that ends.

    Raises:
        CrmError: the object's changes are not told, or it is no span that can be asked for.
    """
    if not of.abilities["replicateable"] or of.field("SystemModstamp") is None:
        raise CrmError(
            f"object type '{of.name}' is not replicable.", code="INVALID_TYPE_FOR_OPERATION"
        )
    start, end = _moment(call.query.start, "start"), _moment(call.query.end, "end")
    now = clock.now()
    if end - start < timedelta(minutes=1):
        raise CrmError(
            "The end date must be at least one minute after the start date",
            code="INVALID_REPLICATION_DATE",
        )
    if start < _minute(now - KEPT):
        raise CrmError(
            "startDate before org replication enabled date", code="INVALID_REPLICATION_DATE"
        )
    covered = min(end, _minute(now))
    rows = rows_of(of).filter(SystemModstamp__gte=start, SystemModstamp__lt=end)
    return seen_rows(of, rows), covered


def _moment(given: str | None, name: str) -> datetime:
    """Return a moment that a parameter names, to the minute; without a zone it is in UTC.

    A plus that the address did not escape reads as a blank.
    """
    found = _MOMENT.fullmatch((given or "").strip())
    zone = (found[2] or "Z").replace(" ", "+") if found else ""
    try:
        return datetime.fromisoformat(f"{found[1]}{zone}" if found else "").astimezone(UTC)
    except (ValueError, OverflowError):
        raise CrmError(
            f"Invalid value for the parameter {name}: {(given or '')[:100]}",
            code="INVALID_QUERY_VALUE" if given else "MISSING_ARGUMENT",
        ) from None


def _minute(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)
