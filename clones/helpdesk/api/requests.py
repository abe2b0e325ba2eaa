"""Requests: tickets as end users see and write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from django.db.models import QuerySet
from pydantic import Field

from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    PagedQuery,
    SideloadQuery,
    SortedQuery,
    Words,
    includes,
    list_request,
    listed,
    show,
    via,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.requests import present_request, present_request_comment
from clones.helpdesk.api.sideloads import ticket_sideloads, users_by_id
from clones.helpdesk.api.ticket_bodies import CommentWrite, FieldWrite, RequesterWrite
from clones.helpdesk.domain import tickets
from clones.helpdesk.domain.changes import moment
from clones.helpdesk.domain.errors import AccessDenied
from clones.helpdesk.domain.people import find_or_create_user
from clones.helpdesk.domain.requests import answer_request
from clones.helpdesk.domain.values import NewComment
from clones.helpdesk.models import Ticket
from clones.helpdesk.queries.requests import (
    copied_requests,
    matching,
    organization_requests,
    public_tickets,
    requests_of,
    shared_organizations,
)

OPEN = ("new", "open", "pending", "hold")


class RequestWrite(Body):
    """The attributes of a request that end users can set."""

    subject: str | None = None
    comment: CommentWrite | str | None = None
    priority: str | None = None
    type: str | None = None
    custom_fields: list[FieldWrite] | dict[str, Any] | None = None
    fields: list[FieldWrite] | dict[str, Any] | None = None
    ticket_form_id: int | None = None
    due_at: str | None = None
    requester: RequesterWrite | None = None
    recipient: str | None = None
    collaborators: list[Any] | None = None
    additional_collaborators: list[Any] | None = None
    email_ccs: list[dict[str, Any]] | None = None
    solved: bool | None = Field(None, description="True to say that it is solved.")
    via_followup_source_id: int | None = Field(
        None, description="The closed ticket that a new request takes up."
    )
    id: int | None = None


class RequestBody(Body):
    """A request to create or update."""

    request: RequestWrite


class RequestList(SortedQuery, SideloadQuery):
    """Filters, order and paging of a list of requests."""

    status: Words | None = None
    query: str | None = None


class RequestSearch(RequestList):
    """Filters, order and paging of a search of requests."""

    cc_id: bool | None = Field(None, description="True for those that you are copied on.")
    organization_id: int | None = Field(
        None, ge=0, lt=2**63, description="Those that this organization of yours shares."
    )


class SaidQuery(PagedQuery):
    """Filters and paging of a request's comments: since when, by whom."""

    since: str | None = None
    role: Literal["agent", "end_user"] | None = None


def _page(call: Call, rows: QuerySet[Ticket], *, cursor: bool = True) -> dict[str, Any]:
    column = {"created_at": "created_at", "updated_at": "updated_at"}.get(
        call.query.sort_by or "", "id"
    )
    sign = "-" if call.query.sort_order == "desc" else ""
    fields = (f"{sign}{column}",) if column == "id" else (f"{sign}{column}", f"{sign}id")
    page = paginate(rows, list_request(call), Order(fields), cursor=cursor)
    bodies = [present_request(item, call.actor, show(call)) for item in page.rows]
    return listed("requests", bodies, page, **_beside(call, page.rows))


def _beside(call: Call, rows: Sequence[Ticket]) -> dict[str, Any]:
    """Return the people, groups and organizations of requests, as far as they are asked for."""
    wanted, beside = includes(call), dict[str, Any]()
    if "users" in wanted:
        people = {key for item in rows for key in (item.requester_id, item.assignee_id)}
        people |= {key for item in rows for key in item.email_cc_ids}
        beside["users"] = users_by_id(people, show(call))
    return beside | ticket_sideloads(rows, [], wanted & {"groups", "organizations"}, show(call))


@OPERATIONS.operation(
    "ListRequests",
    "GET",
    "/requests",
    summary="List your own requests.",
    query=RequestList,
    access="end-user",
)
def list_requests(call: Call) -> dict[str, Any]:
    """List the caller's requests."""
    rows = requests_of(call.actor)
    if call.query.status is not None:
        rows = rows.filter(status__in=call.query.status)
    return _page(call, rows)


@OPERATIONS.operation(
    "ListOpenRequests",
    "GET",
    "/requests/open",
    summary="List your own requests that are not solved.",
    query=RequestList,
    access="end-user",
)
def list_open_requests(call: Call) -> dict[str, Any]:
    """List the caller's open requests."""
    return _page(call, requests_of(call.actor).filter(status__in=OPEN))


@OPERATIONS.operation(
    "ListSolvedRequests",
    "GET",
    "/requests/solved",
    summary="List your own requests that are solved.",
    query=RequestList,
    access="end-user",
)
def list_solved_requests(call: Call) -> dict[str, Any]:
    """List the caller's solved requests."""
    return _page(call, requests_of(call.actor).filter(status__in=("solved", "closed")))


@OPERATIONS.operation(
    "ListCcdRequests",
    "GET",
    "/requests/ccd",
    summary="List the requests that you are copied on.",
    query=RequestList,
    access="end-user",
)
def list_ccd_requests(call: Call) -> dict[str, Any]:
    """List the requests that the caller is copied on."""
    return _page(call, copied_requests(call.actor))


@OPERATIONS.operation(
    "SearchRequests",
    "GET",
    "/requests/search",
    summary="Find your own requests by text.",
    query=RequestSearch,
    access="end-user",
)
def search_requests(call: Call) -> dict[str, Any]:
    """Find requests by subject or description: the caller's, or those they may read otherwise.

    `cc_id` takes those that they are copied on, `organization_id` those that one of their
    organizations shows to them.
    """
    query = call.query
    if query.organization_id is not None:
        rows = organization_requests(call.actor, query.organization_id)
    elif query.cc_id:
        rows = copied_requests(call.actor)
    else:
        rows = requests_of(call.actor)
    rows = matching(rows, query.query or "")
    if query.status is not None:
        rows = rows.filter(status__in=query.status)
    return _page(call, rows, cursor=False)


@OPERATIONS.operation(
    "ListUserRequests",
    "GET",
    "/users/{user_id:int}/requests",
    summary="List the requests that somebody has a part in.",
    query=RequestList,
    access="end-user",
)
def list_user_requests(call: Call) -> dict[str, Any]:
    """List a user's requests: end users see their own, agents those of tickets they may see."""
    if not call.actor.is_agent and call.path["user_id"] != call.actor.id:
        raise AccessDenied("end users see their own requests only")
    return _page(call, _seen(call, requests_of(queries.user(call.path["user_id"]))))


@OPERATIONS.operation(
    "ListOrganizationRequests",
    "GET",
    "/organizations/{organization_id:int}/requests",
    summary="List the requests of an organization.",
    query=RequestList,
    access="end-user",
)
def list_organization_requests(call: Call) -> dict[str, Any]:
    """List an organization's requests: end users see those that it shows to them."""
    found = queries.organization(call.path["organization_id"])
    if not call.actor.is_agent:
        if not shared_organizations(call.actor).filter(id=found.id).exists():
            raise AccessDenied("the organization does not show its requests")
        return _page(call, _seen(call, organization_requests(call.actor, found.id)))
    return _page(call, _seen(call, public_tickets().filter(organization=found)))


def _seen(call: Call, rows: QuerySet[Ticket]) -> QuerySet[Ticket]:
    """Return those of some requests that are asked for, and that an agent may see as tickets."""
    if call.actor.is_agent:
        rows = rows.filter(id__in=queries.visible_tickets(call.actor).values("id"))
    if call.query.status is not None:
        rows = rows.filter(status__in=call.query.status)
    return rows


def _request(call: Call) -> Ticket:
    return queries.one(queries.visible_tickets(call.actor), "request", call.path["request_id"])


@OPERATIONS.operation(
    "ShowRequest",
    "GET",
    "/requests/{request_id:int}",
    summary="Show one of your requests.",
    access="end-user",
    query=SideloadQuery,
)
def show_request(call: Call) -> dict[str, Any]:
    """Show a request."""
    found = _request(call)
    shown = present_request(found, call.actor, show(call, "detail"))
    return {"request": shown, **_beside(call, [found])}


@OPERATIONS.operation(
    "ListComments",
    "GET",
    "/requests/{request_id:int}/comments",
    summary="List what was said in public on a request.",
    access="end-user",
    query=SaidQuery,
)
def list_request_comments(call: Call) -> dict[str, Any]:
    """List the public comments of a request, with their authors."""
    rows = queries.comments_of(_request(call), call.actor).filter(public=True)
    since = moment("since", call.query.since)
    if since is not None:
        rows = rows.filter(created_at__gte=since)
    if call.query.role is not None:
        ours = ("agent", "admin") if call.query.role == "agent" else ("end-user",)
        rows = rows.filter(author__role__in=ours)
    page = paginate(rows, list_request(call), Order(("created_at", "id")))
    bodies = [present_request_comment(item, show(call, "detail")) for item in page.rows]
    people = users_by_id({item.author_id for item in page.rows}, show(call))
    brief = [
        {"id": user["id"], "name": user["name"], "photo": None, "agent": user["role"] != "end-user"}
        for user in people
    ]
    return listed("comments", bodies, page, users=brief)


@OPERATIONS.operation(
    "ShowComment",
    "GET",
    "/requests/{request_id:int}/comments/{comment_id:int}",
    summary="Show one public comment of a request.",
    access="end-user",
)
def show_request_comment(call: Call) -> dict[str, Any]:
    """Show a public comment of a request."""
    rows = queries.comments_of(_request(call), call.actor).filter(public=True)
    found = queries.one(rows, "comment", call.path["comment_id"])
    return {"comment": present_request_comment(found, show(call, "detail"))}


def _comment(body: RequestWrite) -> NewComment | None:
    given = body.comment
    if given is None:
        return None
    if isinstance(given, str):
        return NewComment(given)
    return NewComment(given.text, given.html_body, public=True, uploads=given.tokens)


def _changes(body: RequestWrite, names: tuple[str, ...]) -> dict[str, Any]:
    found = {
        name: getattr(body, name)
        for name in names
        if name in body.model_fields_set and getattr(body, name) is not None
    }
    custom = body.custom_fields if body.custom_fields is not None else body.fields
    if custom is not None:
        found["custom_fields"] = (
            {str(item.id): item.value for item in custom} if isinstance(custom, list) else custom
        )
    return found


@OPERATIONS.operation(
    "CreateRequest",
    "POST",
    "/requests",
    summary="Ask for help.",
    body=RequestBody,
    access="end-user",
    status=201,
)
def create_request(call: Call) -> Reply:
    """Create a request as its requester."""
    given = call.body.request
    requester = None
    if call.actor.is_agent and given.requester is not None and given.requester.email:
        requester = find_or_create_user(email=given.requester.email, name=given.requester.name)
    names = (
        "subject",
        "priority",
        "type",
        "ticket_form_id",
        "due_at",
        "recipient",
        "collaborators",
        "email_ccs",
        "via_followup_source_id",
    )
    audit = tickets.create_ticket(
        actor=requester or call.actor,
        changes=_changes(given, names),
        comment=_comment(given) or NewComment(None),
        via=via(call),
    )
    body = present_request(audit.ticket, call.actor, show(call, "detail"))
    return Reply({"request": body}, 201, {"Location": body["url"]})


@OPERATIONS.operation(
    "UpdateRequest",
    "PUT",
    "/requests/{request_id:int}",
    summary="Comment on your request, or say that it is solved.",
    body=RequestBody,
    access="end-user",
)
def update_request(call: Call) -> dict[str, Any]:
    """Comment on a request or mark it solved.

    A comment on a closed request makes a follow-up, as a mail would.
    """
    given = call.body.request
    audit = answer_request(
        _request(call),
        actor=call.actor,
        comment=_comment(given),
        changes=_changes(given, ("additional_collaborators", "email_ccs")),
        solved=bool(given.solved),
        via=via(call),
    )
    shown = Ticket.objects.get(id=audit.ticket_id)
    return {"request": present_request(shown, call.actor, show(call, "detail"))}
