"""Many tickets at once as jobs, and the deleted ones."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.helpdesk import queries
from clones.helpdesk.api.operations import (
    MANY,
    OPERATIONS,
    IdsQuery,
    SortedQuery,
    list_request,
    listed,
    many_ids,
    show,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.context import when
from clones.helpdesk.api.presenters.measures import present_job
from clones.helpdesk.api.ticket_bodies import (
    TicketsBody,
    TicketWrite,
    changes_of,
    comment_of,
    first_comment_of,
    requester_of,
)
from clones.helpdesk.domain import bulk, tickets
from clones.helpdesk.domain.errors import MissingParameter, TooManyValues
from clones.helpdesk.models import Ticket


def start(call: Call, kind: str, items: list[dict[str, Any]]) -> dict[str, Any]:
    """Queue a bulk change and return the answer that names it."""
    client = call.request.headers.get("User-Agent")
    job = bulk.start_job(kind, items, actor=call.actor, client=client[:255] if client else None)
    return {"job_status": present_job(job, show(call, "detail"))}


def _given(call: Call) -> list[TicketWrite]:
    found: list[TicketWrite] | None = call.body.tickets
    if found is None:
        raise MissingParameter("tickets")
    if len(found) > MANY:
        raise TooManyValues(MANY)
    return found


@OPERATIONS.operation(
    "TicketsCreateMany",
    "POST",
    "/tickets/create_many",
    summary="Create up to 100 tickets as a job.",
    body=TicketsBody,
)
def create_many(call: Call) -> dict[str, Any]:
    """Queue the creation of tickets."""
    items = []
    for given in _given(call):
        requester = requester_of(given)
        items.append(
            {
                "changes": changes_of(given),
                "comment": bulk.comment_item(first_comment_of(given)),
                "requester": requester.id if requester else None,
            }
        )
    return start(call, "create_tickets", items)


@OPERATIONS.operation(
    "TicketsUpdateMany",
    "PUT",
    "/tickets/update_many",
    summary="Update up to 100 tickets as a job: each its own changes, or the same for `ids`.",
    query=IdsQuery,
    body=TicketsBody,
)
def update_many(call: Call) -> dict[str, Any]:
    """Queue the update of tickets."""
    if call.body.ticket is not None:
        item = _update_item(call.body.ticket)
        items = [{**item, "id": key} for key in many_ids(call)]
    else:
        items = [{**_update_item(given), "id": given.id} for given in _given(call)]
    return start(call, "update_tickets", items)


def _update_item(given: TicketWrite) -> dict[str, Any]:
    return {"changes": changes_of(given), "comment": bulk.comment_item(comment_of(given))}


@OPERATIONS.operation(
    "BulkDeleteTickets",
    "DELETE",
    "/tickets/destroy_many",
    summary="Delete up to 100 tickets as a job; they can be restored.",
    query=IdsQuery,
)
def destroy_many(call: Call) -> dict[str, Any]:
    """Queue the deletion of tickets."""
    return start(call, "delete_tickets", [{"id": key} for key in many_ids(call)])


@OPERATIONS.operation(
    "ListDeletedTickets",
    "GET",
    "/deleted_tickets",
    summary="List the tickets that can be restored.",
    query=SortedQuery,
)
def list_deleted(call: Call) -> dict[str, Any]:
    """List deleted tickets."""
    rows = Ticket.objects.filter(deleted_at__isnull=False).select_related("deleted_by")
    column = {"subject": "subject", "deleted_at": "deleted_at"}.get(call.query.sort_by or "", "id")
    sign = "-" if call.query.sort_order == "desc" else ""
    fields = (f"{sign}{column}",) if column == "id" else (f"{sign}{column}", f"{sign}id")
    page = paginate(rows, list_request(call), Order(fields))
    return listed("deleted_tickets", [_deleted(item, call) for item in page.rows], page)


def _deleted(ticket: Ticket, call: Call) -> dict[str, Any]:
    show(call).note(ticket)
    actor = ticket.deleted_by
    return {
        "id": ticket.id,
        "subject": ticket.subject,
        "description": ticket.description,
        "actor": {"id": actor.id, "name": actor.name} if actor else None,
        "deleted_at": when(ticket.deleted_at),
        "previous_state": ticket.status,
    }


def _found(call: Call) -> Ticket:
    rows = Ticket.objects.filter(deleted_at__isnull=False)
    return queries.one(rows, "deleted ticket", call.path["ticket_id"])


@OPERATIONS.operation(
    "RestoreDeletedTicket",
    "PUT",
    "/deleted_tickets/{ticket_id:int}/restore",
    summary="Take back a deleted ticket.",
)
def restore(call: Call) -> dict[str, Any]:
    """Restore a ticket."""
    tickets.restore_ticket(_found(call), actor=call.actor)
    return {}


@OPERATIONS.operation(
    "BulkRestoreDeletedTickets",
    "PUT",
    "/deleted_tickets/restore_many",
    summary="Take back up to 100 deleted tickets.",
    query=IdsQuery,
)
def restore_many(call: Call) -> dict[str, Any]:
    """Restore tickets; ids that are not among the deleted ones are left alone."""
    rows = Ticket.objects.filter(id__in=many_ids(call), deleted_at__isnull=False)
    for ticket in rows.order_by("id"):
        tickets.restore_ticket(ticket, actor=call.actor)
    return {}


@OPERATIONS.operation(
    "DeleteTicketPermanently",
    "DELETE",
    "/deleted_tickets/{ticket_id:int}",
    summary="Erase a deleted ticket for good, as a job.",
    access="admin",
)
def erase(call: Call) -> dict[str, Any]:
    """Queue the erasure of a ticket."""
    return start(call, "erase_tickets", [{"id": _found(call).id}])


@OPERATIONS.operation(
    "BulkPermanentlyDeleteTickets",
    "DELETE",
    "/deleted_tickets/destroy_many",
    summary="Erase up to 100 deleted tickets for good, as a job.",
    query=IdsQuery,
    access="admin",
)
def erase_many(call: Call) -> dict[str, Any]:
    """Queue the erasure of tickets."""
    return start(call, "erase_tickets", [{"id": key} for key in many_ids(call)])
