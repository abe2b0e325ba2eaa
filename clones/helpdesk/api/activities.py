"""The activity stream: an agent's news of the last thirty days."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from clones.core.operations import Call
from clones.helpdesk import queries
from clones.helpdesk.api.operations import OPERATIONS, PagedQuery, Query, list_request, listed, show
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.desks import present_activity
from clones.helpdesk.api.sideloads import users_by_id
from clones.helpdesk.api.tickets import counted
from clones.helpdesk.domain.changes import moment
from clones.helpdesk.models import Activity
from clones.helpdesk.queries.desks import activities_of

NEWEST = Order(("-created_at", "id"))


class ActivityQuery(Query):
    """Filter of activities: those since a time."""

    since: str | None = None


class ActivityList(PagedQuery, ActivityQuery):
    """Paging and filter of the list of an agent's activities."""


def _rows(call: Call) -> QuerySet[Activity]:
    return activities_of(call.actor, since=moment("since", call.query.since))


@OPERATIONS.operation(
    "ListActivities",
    "GET",
    "/activities",
    summary="List what others did to the caller's tickets in thirty days, newest first.",
    query=ActivityList,
)
def list_activities(call: Call) -> dict[str, Any]:
    """List an agent's news, with the people in it."""
    page = paginate(_rows(call), list_request(call), NEWEST)
    bodies = [present_activity(item, show(call)) for item in page.rows]
    actors = users_by_id((item.actor_id for item in page.rows), show(call))
    users = users_by_id((item.user_id for item in page.rows), show(call))
    return listed("activities", bodies, page, actors=actors, users=users)


@OPERATIONS.operation(
    "CountActivities",
    "GET",
    "/activities/count",
    summary="Count what others did to the caller's tickets in thirty days.",
    query=ActivityQuery,
)
def count_activities(call: Call) -> dict[str, Any]:
    """Count an agent's news."""
    return counted(_rows(call).count())


@OPERATIONS.operation(
    "ShowActivity",
    "GET",
    "/activities/{activity_id:int}",
    summary="Show one thing that somebody did to a ticket of the caller's.",
)
def show_activity(call: Call) -> dict[str, Any]:
    """Show one of an agent's news."""
    found = queries.one(activities_of(call.actor), "activity", call.path["activity_id"])
    return {"activity": present_activity(found, show(call, "detail"))}
