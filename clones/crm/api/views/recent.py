"""What the caller saw last."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from pydantic import Field

from clones.core.operations import Call
from clones.core.operations.inputs import Query
from clones.crm.api.operations import root, versioned
from clones.crm.domain.recent import note_view
from clones.crm.models import rows_of
from clones.crm.queries.recent import seen_records
from clones.crm.queries.schema import org_schema

_MRU = "updatemru=true"


class RecentQuery(Query):
    """How many of the records are wanted."""

    limit: Annotated[int, Field(ge=1, le=200)] = 200


@versioned(
    "GetRecent", "GET", "/recent", summary="List what the caller saw last.", query=RecentQuery
)
def show_recent(call: Call) -> list[dict[str, Any]]:
    """Answer with the records, the last one first."""
    return recent_rows(call, of=None, most=call.query.limit)


def recent_rows(call: Call, *, of: str | None, most: int) -> list[dict[str, Any]]:
    """Return the names of records that the caller saw, the last one first; `of` names an object."""
    schema = org_schema()
    seen = seen_records(call.actor.subject, of=of, most=most)
    kinds: dict[str, list[str]] = {}
    for id in seen:
        kinds.setdefault(id[:3], []).append(id)
    names: dict[str, dict[str, Any]] = {}
    for prefix, ids in kinds.items():
        kind = schema.of_id(prefix)
        if kind is None:
            continue
        rows = rows_of(kind).filter(Id__in=ids)
        if kind.field("IsDeleted") is not None:
            rows = rows.filter(IsDeleted=False)
        name = "Id" if kind.name_field is None else kind.name_field.name
        for id, shown in rows.values_list("Id", name):
            attributes = {"type": kind.name, "url": f"{root(call)}/sobjects/{kind.name}/{id}"}
            names[id] = {"attributes": attributes, "Id": id, name: shown}
    return [names[id] for id in seen if id in names]


def mark_seen(call: Call, of: str, record: str) -> None:
    """Remember, once the call is answered, that the caller saw a record (by id) of an object."""
    call.request.led_to.append(partial(note_view, of, record, user=call.actor.subject))


def wants_mark(call: Call) -> bool:
    """Tell whether a call says that what it shows counts as seen."""
    given = call.request.headers.get("Sforce-MRU", "")
    return _MRU in given.replace(" ", "").lower()
