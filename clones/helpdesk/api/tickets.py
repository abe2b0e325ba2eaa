"""Tickets: list, show, create, update, delete, restore."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from clones.core import clock
from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api import errors
from clones.helpdesk.api.idempotency import once_for_each_key
from clones.helpdesk.api.operations import (
    OPERATIONS,
    IdsQuery,
    SideloadQuery,
    SortedQuery,
    includes,
    list_request,
    listed,
    many_ids,
    show,
    via,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.context import when
from clones.helpdesk.api.presenters.tickets import present_audits, present_ticket, present_tickets
from clones.helpdesk.api.sideloads import ticket_sideloads
from clones.helpdesk.api.ticket_bodies import (
    TicketBody,
    changes_of,
    comment_of,
    first_comment_of,
    requester_of,
)
from clones.helpdesk.domain import tickets
from clones.helpdesk.models import Audit, Organization, Ticket, User
from clones.helpdesk.queries.by_keys import tickets_by_keys
from clones.helpdesk.queries.update_limits import update_pause

SORTS = {
    "created_at": "created_at",
    "updated_at": "updated_at",
    "id": "id",
    "subject": "subject",
    "status": "status",
    "priority": "priority",
    "requester": "requester__name",
    "requester.name": "requester__name",
    "assignee": "assignee__name",
    "assignee.name": "assignee__name",
    "group": "group__name",
}
BY_CURSOR = {"id": Order(("id",)), "updated_at": Order(("updated_at", "id"))}


class TicketPage(SortedQuery, SideloadQuery):
    """Order, paging and sideloads of a list of tickets."""

    sort: str | None = None


class TicketList(TicketPage):
    """Filter, order, paging and sideloads of a list of tickets."""

    external_id: str | None = None


class TicketIds(IdsQuery, SideloadQuery):
    """The ids of the tickets to show, and sideloads."""


def ticket_page(call: Call, rows: QuerySet[Ticket], *, shape: str | None = None) -> dict[str, Any]:
    """Return a page of tickets with their side-loads; `shape` is that of `paginate`."""
    wanted, said = list_request(call), call.query
    if wanted.by_cursor:
        name = (said.sort or "id").lstrip("-")
        order = BY_CURSOR.get(name, BY_CURSOR["id"])
    else:
        field = SORTS.get(said.sort_by or "", "id")
        sign = "-" if said.sort_order == "desc" else ""
        order = Order((f"{sign}{field}",) if field == "id" else (f"{sign}{field}", f"{sign}id"))
    page = paginate(rows, wanted, order, read=tickets_by_keys, shape=shape)
    bodies = present_tickets(page.rows, show(call))
    beside = ticket_sideloads(page.rows, bodies, includes(call), show(call))
    return listed("tickets", bodies, page, **beside)


def updated(call: Call, ticket: Ticket, audit: Audit) -> dict[str, Any]:
    """Return a ticket after a write, with the audit of it."""
    [shown] = present_audits([audit], show(call))
    return {"ticket": present_ticket(ticket, show(call, "detail")), "audit": shown}


@OPERATIONS.operation(
    "ListTickets", "GET", "/tickets", summary="List the tickets you may see.", query=TicketList
)
def list_tickets(call: Call) -> dict[str, Any]:
    """List tickets that are not deleted."""
    rows = queries.visible_tickets(call.actor)
    if call.query.external_id is not None:
        return ticket_page(call, rows.filter(external_id=call.query.external_id))
    return ticket_page(call, rows, shape="live" if queries.sees_all(call.actor) else None)


@OPERATIONS.operation("CountTickets", "GET", "/tickets/count", summary="Count the tickets.")
def count_tickets(call: Call) -> dict[str, Any]:
    """Count tickets that are not deleted."""
    return counted(queries.visible_tickets(call.actor).count())


def counted(value: int) -> dict[str, Any]:
    """Return a count as the vendor shows it."""
    return {"count": {"value": value, "refreshed_at": when(clock.now())}}


@OPERATIONS.operation(
    "TicketsShowMany",
    "GET",
    "/tickets/show_many",
    summary="Show up to 100 tickets by id.",
    query=TicketIds,
)
def show_many_tickets(call: Call) -> dict[str, Any]:
    """Show the tickets of some ids; unknown ones are left out."""
    found = list(queries.visible_tickets(call.actor).filter(id__in=many_ids(call)).order_by("id"))
    bodies = present_tickets(found, show(call))
    beside = ticket_sideloads(found, bodies, includes(call), show(call))
    around = {"next_page": None, "previous_page": None, "count": len(found)}
    return {"tickets": bodies, **beside, **around}


@OPERATIONS.operation(
    "ListRecentTickets",
    "GET",
    "/tickets/recent",
    summary="List the tickets you last worked on.",
    query=SideloadQuery,
)
def list_recent_tickets(call: Call) -> dict[str, Any]:
    """List the five tickets that the caller last updated."""
    recent: list[int] = []
    audits = Audit.objects.filter(author=call.actor).order_by("-id")
    for key in audits.values_list("ticket_id", flat=True)[:100]:
        if key not in recent:
            recent.append(key)
    found = queries.visible_tickets(call.actor).in_bulk(recent[:5])
    rows = [found[key] for key in recent[:5] if key in found]
    bodies = present_tickets(rows, show(call))
    beside = ticket_sideloads(rows, bodies, includes(call), show(call))
    around = {"next_page": None, "previous_page": None, "count": len(rows)}
    return {"tickets": bodies, **beside, **around}


@OPERATIONS.operation(
    "ShowTicket", "GET", "/tickets/{ticket_id:int}", summary="Show one ticket.", query=SideloadQuery
)
def show_ticket(call: Call) -> dict[str, Any]:
    """Show a ticket."""
    found = queries.ticket(call.actor, call.path["ticket_id"])
    bodies = [present_ticket(found, show(call, "detail"))]
    beside = ticket_sideloads([found], bodies, includes(call), show(call))
    return {"ticket": bodies[0], **beside}


@OPERATIONS.operation(
    "CreateTicket",
    "POST",
    "/tickets",
    summary="Create a ticket with its first comment.",
    body=TicketBody,
    status=201,
)
@once_for_each_key
def create_ticket(call: Call) -> Reply:
    """Create a ticket."""
    given = call.body.ticket
    audit = tickets.create_ticket(
        actor=call.actor,
        changes=changes_of(given),
        comment=first_comment_of(given),
        via=via(call),
        requester=requester_of(given),
    )
    body = updated(call, audit.ticket, audit)
    # The vendor has not stamped a ticket yet that it has only just created.
    body["ticket"]["generated_timestamp"] = 0
    return Reply(body, 201, {"Location": body["ticket"]["url"]})


@OPERATIONS.operation(
    "UpdateTicket",
    "PUT",
    "/tickets/{ticket_id:int}",
    summary="Change a ticket, comment on it, or both.",
    body=TicketBody,
)
def update_ticket(call: Call) -> dict[str, Any] | Reply:
    """Update a ticket, unless its actor has done so too often just now."""
    found = queries.ticket(call.actor, call.path["ticket_id"], whole=True)
    wait = update_pause(found, call.actor)
    if wait:
        status, body = errors.REFUSALS["rate_limited"]
        return Reply(body, status, {"Retry-After": str(wait)})
    given = call.body.ticket
    requester = requester_of(given)
    changes = changes_of(given)
    if requester is not None:
        changes["requester_id"] = requester.id
    audit = tickets.update_ticket(
        found, actor=call.actor, changes=changes, comment=comment_of(given), via=via(call)
    )
    return updated(call, found, audit)


@OPERATIONS.operation(
    "DeleteTicket",
    "DELETE",
    "/tickets/{ticket_id:int}",
    summary="Delete a ticket; it can be restored.",
    status=204,
)
def delete_ticket(call: Call) -> None:
    """Put a ticket among the deleted ones."""
    found = queries.ticket(call.actor, call.path["ticket_id"])
    tickets.delete_ticket(found, actor=call.actor)


def user_of(call: Call) -> User:
    """Return the user that a call's path names."""
    return queries.user(call.path["user_id"])


@OPERATIONS.operation(
    "ListUserRequestedTickets",
    "GET",
    "/users/{user_id:int}/tickets/requested",
    summary="List the tickets that a user requested.",
    query=TicketList,
)
def list_requested(call: Call) -> dict[str, Any]:
    """List a user's requested tickets."""
    return ticket_page(call, queries.visible_tickets(call.actor).filter(requester=user_of(call)))


@OPERATIONS.operation(
    "ListUserAssignedTickets",
    "GET",
    "/users/{user_id:int}/tickets/assigned",
    summary="List the tickets assigned to an agent.",
    query=TicketList,
)
def list_assigned(call: Call) -> dict[str, Any]:
    """List an agent's assigned tickets."""
    return ticket_page(call, queries.visible_tickets(call.actor).filter(assignee=user_of(call)))


@OPERATIONS.operation(
    "ListUserCcdTickets",
    "GET",
    "/users/{user_id:int}/tickets/ccd",
    summary="List the tickets that a user is copied on.",
    query=TicketList,
)
def list_ccd(call: Call) -> dict[str, Any]:
    """List the tickets that a user is copied on."""
    copied = queries.copied_to(user_of(call))
    return ticket_page(call, queries.visible_tickets(call.actor).filter(copied))


@OPERATIONS.operation(
    "ListOrganizationTickets",
    "GET",
    "/organizations/{organization_id:int}/tickets",
    summary="List the tickets of an organization.",
    query=TicketList,
)
def list_of_organization(call: Call) -> dict[str, Any]:
    """List an organization's tickets."""
    found: Organization = queries.organization(call.path["organization_id"])
    return ticket_page(call, queries.visible_tickets(call.actor).filter(organization=found))
