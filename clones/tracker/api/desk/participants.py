"""Who takes part in a request, and who wants to be told of it."""

from __future__ import annotations

from clones.core.operations import Call
from clones.tracker.api.desk.parts import (
    REQUEST,
    Json,
    PageQuery,
    PeopleBody,
    people_in,
    request_in,
)
from clones.tracker.api.operations import actor, operation, show
from clones.tracker.api.paging import desk_page, each
from clones.tracker.api.presenters.desk.basics import present_person
from clones.tracker.domain import participants
from clones.tracker.models import Issue, User

PATH = f"{REQUEST}/participant"
NOTIFICATION = f"{REQUEST}/notification"


@operation(
    "desk.getRequestParticipants",
    "GET",
    PATH,
    summary="List who takes part in a request.",
    query=PageQuery,
)
def list_participants(call: Call) -> Json:
    """List participants."""
    return _page(call, request_in(call))


@operation(
    "desk.addRequestParticipants",
    "POST",
    PATH,
    summary="Let people take part in a request.",
    query=PageQuery,
    body=PeopleBody,
)
def add_participants(call: Call) -> Json:
    """Add participants and list them all."""
    issue = request_in(call)
    participants.add_participants(issue, people_in(call.body), actor=actor(call))
    return _page(call, issue)


@operation(
    "desk.removeRequestParticipants",
    "DELETE",
    PATH,
    summary="Take people off a request.",
    query=PageQuery,
    body=PeopleBody,
)
def remove_participants(call: Call) -> Json:
    """Remove participants and list those who stay."""
    issue = request_in(call)
    participants.remove_participants(issue, people_in(call.body), actor=actor(call))
    return _page(call, issue)


@operation(
    "desk.getSubscriptionStatus",
    "GET",
    NOTIFICATION,
    summary="Tell whether the caller is told of a request.",
)
def show_subscription(call: Call) -> Json:
    """Show whether the caller is told."""
    issue, user = request_in(call), actor(call).user
    return {"subscribed": user is not None and participants.is_subscribed(issue, user)}


@operation(
    "desk.subscribe",
    "PUT",
    NOTIFICATION,
    summary="Let the caller be told of a request.",
    status=204,
)
def subscribe(call: Call) -> None:
    """Subscribe the caller."""
    participants.subscribe_user(request_in(call), actor=actor(call), subscribed=True)


@operation(
    "desk.unsubscribe",
    "DELETE",
    NOTIFICATION,
    summary="Stop telling the caller of a request.",
    status=204,
)
def unsubscribe(call: Call) -> None:
    """Unsubscribe the caller."""
    participants.subscribe_user(request_in(call), actor=actor(call), subscribed=False)


def _page(call: Call, issue: Issue) -> Json:
    rows = User.objects.filter(participates__issue=issue).order_by("participates__id")
    return desk_page(call, rows, each(present_person, show(call)))
