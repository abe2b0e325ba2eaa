"""What happened in the last thirty days."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q, QuerySet
from pydantic import Field

from clones.billing.api.expansions import expand
from clones.billing.api.operations import read
from clones.billing.api.paging import page_of, within
from clones.billing.api.parameters import Boolean, Listing, Period, Text, Texts
from clones.billing.api.presenters.events import present_event
from clones.billing.api.presenters.shapes import Body
from clones.billing.errors import ConflictingParameters
from clones.billing.models import Event
from clones.billing.queries import get_object
from clones.core import clock
from clones.core.operations import Call

KEPT_FOR = timedelta(days=30)


class EventList(Listing):
    """Filters of a list of events."""

    type: Text | None = Field(None, description="only this type; `charge.*` takes all of a kind")
    types: Texts | None = Field(None, description="only these types")
    created: Period | None = None
    delivery_success: Boolean | None = None


def _kept() -> QuerySet[Event]:
    return Event.objects.filter(created__gt=clock.now() - KEPT_FOR)


@read(
    "GetEvents",
    "/events",
    summary="List what happened in the last thirty days, newest first.",
    query=EventList,
)
def list_events(call: Call) -> Body:
    """Answer with a page of events."""
    query: EventList = call.query
    if query.type is not None and query.types is not None:
        raise ConflictingParameters(("type", "types"))
    rows = within(_kept(), "created", query.created)
    wanted = query.types if query.type is None else [query.type]
    if wanted is not None:
        condition = Q()
        for type in wanted:
            kind, star, _ = type.partition("*")
            condition |= Q(type__startswith=kind) if star else Q(type=type)
        rows = rows.filter(condition)
    if query.delivery_success is False:
        rows = rows.none()
    body = page_of(rows, query, url="/v1/events", kind="event", present=present_event)
    return expand(body, query.expand, of="event", kind="list")


@read("GetEventsId", "/events/{id}", summary="Show one event of the last thirty days.")
def show_event(call: Call) -> Body:
    """Answer with an event."""
    event = get_object(_kept(), call.path["id"], kind="event")
    return expand(present_event(event, "detail"), call.query.expand, of="event", kind="detail")
