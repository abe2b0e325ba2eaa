"""What the organization may use, and how many records it has."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.core.operations.inputs import Query
from clones.core.requestcounts import requests_today
from clones.crm.api.operations import versioned
from clones.crm.models import rows_of
from clones.crm.queries.schema import org_schema
from clones.crm.rules.limits import limits
from clones.crm.rules.schema import SObject


class CountQuery(Query):
    """The objects to count, separated by commas; all that have records if none is named."""

    sObjects: str | None = None  # noqa: N815 - the vendor's name


@versioned("GetLimits", "GET", "/limits", summary="Show what may be used.")
def show_limits(call: Call) -> dict[str, Any]:
    """Answer with the most of each resource and what is left of it."""
    return limits(requests_today(call.request))


@versioned(
    "GetRecordCount",
    "GET",
    "/limits/recordCount",
    summary="Count the records of objects.",
    query=CountQuery,
)
def count_records(call: Call) -> dict[str, Any]:
    """Answer with the count of each object; names of nothing are left out."""
    named, schema = call.query.sObjects, org_schema()
    if named is None:
        counted = [(of, _count(of)) for of in schema]
        counted = [(of, count) for of, count in counted if count]
    else:
        found = [schema.find(one.strip()) for one in named.split(",")]
        wanted = list(dict.fromkeys(of for of in found if of is not None))
        counted = [(of, _count(of)) for of in wanted]
    return {"sObjects": [{"count": count, "name": of.name} for of, count in counted]}


def _count(of: SObject) -> int:
    rows = rows_of(of)
    if of.field("IsDeleted") is not None:
        rows = rows.filter(IsDeleted=False)
    return int(rows.count())
