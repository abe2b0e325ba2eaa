"""Tickets that are spam: gone, and their requester suspended."""

from __future__ import annotations

from clones.core import clock
from clones.helpdesk import queries
from clones.helpdesk.domain import bulk, tickets
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid
from clones.helpdesk.models import JobStatus, Ticket, User

KIND = "spam_tickets"


def mark_as_spam(ticket: Ticket, *, actor: User) -> None:
    """Put a ticket among the deleted ones and suspend its requester.

    Raises:
        AccessDenied: the actor does not work at the desk.
        RecordInvalid: the ticket is closed, or its requester works at the desk.
    """
    if not actor.is_agent:
        raise AccessDenied("only agents mark tickets as spam")
    requester = ticket.requester
    if ticket.status == "closed":
        raise RecordInvalid.of("status", "Status: closed prevents ticket update")
    if requester.is_agent:
        raise RecordInvalid.of("requester", "Requester: is an agent", "InvalidValue")
    tickets.delete_ticket(ticket, actor=actor)
    if not requester.suspended:
        requester.suspended = True
        requester.updated_at = clock.now()
        requester.save(update_fields=["suspended", "updated_at"])


@bulk.does(KIND, "Bulk Mark Ticket As Spam")
def _work(index: int, item: bulk.Item, job: JobStatus) -> bulk.Item:
    mark_as_spam(queries.ticket(job.requested_by, item["id"]), actor=job.requested_by)
    return bulk.updated(index, item["id"])
