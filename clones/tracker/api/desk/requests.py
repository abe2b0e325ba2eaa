"""Requests: asking, finding, showing; their statuses and transitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.db.models import Q, QuerySet
from pydantic import Field

from clones.core.digits import whole_number
from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.desk.parts import REQUEST, Json, PageQuery, request_in
from clones.tracker.api.operations import Body, Query, actor, operation, show
from clones.tracker.api.paging import desk_page, each
from clones.tracker.api.presenters.desk.requests import present_history, present_requests
from clones.tracker.domain import requests
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.richtext import read_rich_text
from clones.tracker.models import Issue, Organization, User
from clones.tracker.queries import requests as reading
from clones.tracker.queries.desks import find_desk, find_request_type
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.desk.wording import title_words

Condition = Callable[[User], Q]
DEFAULT_OWNERSHIP: Final = ["OWNED_REQUESTS", "PARTICIPATED_REQUESTS", "ALL_ORGANIZATIONS"]
OWNERSHIPS: Final[dict[str, Condition]] = {
    "OWNED_REQUESTS": reading.owned,
    "PARTICIPATED_REQUESTS": reading.participated,
    "ALL_ORGANIZATIONS": reading.of_organizations,
}
STATUSES: Final = {
    "ALL_REQUESTS": Q(),
    "OPEN_REQUESTS": Q(resolution=None),
    "CLOSED_REQUESTS": Q(resolution__isnull=False),
}


class RequestsQuery(PageQuery):
    """Filters, paging and expansions of customers' requests."""

    searchTerm: str | None = None
    requestOwnership: CommaList[str] = []
    requestStatus: str | None = None
    approvalStatus: str | None = None
    organizationId: str | None = None
    serviceDeskId: str | None = None
    requestTypeId: str | None = None
    expand: CommaList[str] = []


class RequestQuery(Query):
    """The expansions of a request."""

    expand: CommaList[str] = []


class RequestBody(Body):
    """A request to create: service desk, request type, field values, participants."""

    serviceDeskId: str | int
    requestTypeId: str | int
    requestFieldValues: dict[str, Any] = Field({})
    requestParticipants: list[str] | None = None
    raiseOnBehalfOf: str | None = None
    isAdfRequest: bool = False
    channel: str | None = None


class CommentText(Body):
    """The comment that goes with a transition of a request."""

    body: str | None = None


class TransitionBody(Body):
    """A transition of a request to take, and a comment."""

    id: str | int
    additionalComment: CommentText | None = None


@operation(
    "desk.getCustomerRequests",
    "GET",
    "/rest/servicedeskapi/request",
    summary="List the caller's requests, the one that changed last first.",
    query=RequestsQuery,
)
def list_requests(call: Call) -> Json:
    """List requests."""
    rights, query = actor(call), call.query
    rows = reading.visible_requests(rights).filter(_ownership(call, rights))
    rows = rows.filter(_status(query.requestStatus))
    for word in title_words(query.searchTerm or ""):
        rows = rows.filter(summary__icontains=word)
    rows = _of_desk(call, rights, rows)
    expand = query.expand
    return desk_page(
        call,
        rows.order_by("-updated", "-id"),
        lambda found: present_requests(found, show(call), expand),
    )


@operation(
    "desk.createCustomerRequest",
    "POST",
    "/rest/servicedeskapi/request",
    summary="Ask a service desk.",
    body=RequestBody,
    status=201,
)
def create_request(call: Call) -> Json:
    """Make a request."""
    rights, body = actor(call), call.body
    desk = find_desk(rights, str(body.serviceDeskId))
    request_type = find_request_type(rights, desk, str(body.requestTypeId))
    request_type.desk = desk
    made = requests.create_request(
        request_type,
        body.requestFieldValues,
        actor=rights,
        on_behalf_of=body.raiseOnBehalfOf,
        participants=body.requestParticipants or (),
        version="3" if body.isAdfRequest else "2",
    )
    return _shown(call, reading.all_requests().get(id=made.id))


@operation(
    "desk.getCustomerRequestByIdOrKey",
    "GET",
    REQUEST,
    summary="Show a request.",
    query=RequestQuery,
)
def show_request(call: Call) -> Json:
    """Show a request."""
    return _shown(call, request_in(call), call.query.expand)


@operation(
    "desk.getCustomerRequestStatus",
    "GET",
    f"{REQUEST}/status",
    summary="List the statuses that a request was in, the present one first.",
    query=PageQuery,
)
def list_statuses(call: Call) -> Json:
    """List a request's statuses."""
    issue = request_in(call)
    passed = reading.status_histories([issue])[issue.id]
    names = reading.portal_names([issue])
    return desk_page(call, passed, lambda rows: present_history(issue, rows, names, show(call)))


@operation(
    "desk.getCustomerTransitions",
    "GET",
    f"{REQUEST}/transition",
    summary="List the transitions that a portal offers for a request.",
    query=PageQuery,
)
def list_transitions(call: Call) -> Json:
    """List the transitions that customers can take."""
    issue = request_in(call)
    moves = requests.customer_transitions([issue], actor(call))[issue.id]
    return desk_page(
        call, moves, each(lambda one: {"id": str(one.number), "name": one.name}), limit=100
    )


@operation(
    "desk.performCustomerTransition",
    "POST",
    f"{REQUEST}/transition",
    summary="Move a request on, as its portal offers.",
    body=TransitionBody,
    status=204,
)
def perform_transition(call: Call) -> None:
    """Take a request through a transition."""
    said = call.body.additionalComment
    text = None if said is None else said.body
    requests.transition_request(
        request_in(call),
        str(call.body.id),
        actor=actor(call),
        comment=read_rich_text(text, "2", "comment"),
    )


def _shown(call: Call, issue: Issue, expand: list[str] | None = None) -> Json:
    view = show(call)
    found = present_requests([issue], view, expand or ())[0]
    view.note(issue, "detail")
    return found


def _ownership(call: Call, rights: Rights) -> Q:
    """Return the condition that a request is the caller's in one of the ways asked for."""
    query, user = call.query, rights.user
    words = [word.upper() for word in query.requestOwnership] or DEFAULT_OWNERSHIP
    if query.organizationId is not None and "ORGANIZATION" not in words:
        raise Invalid(
            "'organizationId' can only be used with requestOwnership=ORGANIZATION.",
            i18n_key="sd.request.list.error.organization",
        )
    if query.approvalStatus is not None and "APPROVER" not in words:
        raise Invalid(
            "'approvalStatus' can only be used with requestOwnership=APPROVER.",
            i18n_key="sd.request.list.error.approval",
        )
    found = Q(pk__in=[])
    for word in words:
        if user is None:
            break
        if word == "ALL_REQUESTS":
            return Q()
        if word == "ORGANIZATION":
            found |= reading.of_organizations(user, _organization(query.organizationId, user))
        elif word == "APPROVER":
            found |= reading.to_approve(user, pending=_pending(query.approvalStatus))
        elif word in OWNERSHIPS:
            found |= OWNERSHIPS[word](user)
        else:
            raise _wrong("requestOwnership", word)
    return found


def _organization(text: str | None, user: User) -> int:
    if text is None:
        raise Invalid(
            "'organizationId' is required with requestOwnership=ORGANIZATION.",
            i18n_key="sd.request.list.error.organization.missing",
        )
    number = whole_number(text) or 0
    if not Organization.objects.filter(id=number, members__user=user).exists():
        raise Invalid(
            "The organization does not exist or you are not a member of it.",
            i18n_key="sd.request.list.error.organization.not.member",
        )
    return number


def _pending(text: str | None) -> bool | None:
    if text is None:
        return None
    known = {"MY_PENDING_APPROVAL": True, "MY_HISTORY_APPROVAL": False}
    if text.upper() not in known:
        raise _wrong("approvalStatus", text)
    return known[text.upper()]


def _status(text: str | None) -> Q:
    word = (text or "ALL_REQUESTS").upper()
    if word not in STATUSES:
        raise _wrong("requestStatus", word)
    return STATUSES[word]


def _wrong(name: str, value: str) -> Invalid:
    return Invalid(
        f"The value '{value}' is not valid for the parameter '{name}'.",
        i18n_key="sd.error.parameter.value",
    )


def _of_desk(call: Call, rights: Rights, rows: QuerySet[Issue]) -> QuerySet[Issue]:
    query = call.query
    if query.serviceDeskId is None:
        if query.requestTypeId is not None:
            raise Invalid(
                "'serviceDeskId' is required when 'requestTypeId' is given.",
                i18n_key="sd.request.list.error.service.desk.missing",
            )
        return rows
    desk = find_desk(rights, query.serviceDeskId)
    rows = rows.filter(project=desk.project_id)
    if query.requestTypeId is None:
        return rows
    found = find_request_type(rights, desk, query.requestTypeId)
    return rows.filter(request__request_type=found)
