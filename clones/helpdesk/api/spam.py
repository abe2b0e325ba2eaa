"""Tickets that are spam."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.helpdesk.api.history import ticket_of
from clones.helpdesk.api.operations import OPERATIONS, IdsQuery, many_ids
from clones.helpdesk.api.ticket_bulk import start
from clones.helpdesk.domain import spam


@OPERATIONS.operation(
    "MarkTicketAsSpamAndSuspendRequester",
    "PUT",
    "/tickets/{ticket_id:int}/mark_as_spam",
    summary="Delete a ticket as spam and suspend its requester.",
)
def mark_as_spam(call: Call) -> dict[str, Any]:
    """Delete a ticket and suspend its requester."""
    spam.mark_as_spam(ticket_of(call), actor=call.actor)
    return {}


@OPERATIONS.operation(
    "MarkManyTicketsAsSpam",
    "PUT",
    "/tickets/mark_many_as_spam",
    summary="Delete up to 100 tickets as spam and suspend their requesters, as a job.",
    query=IdsQuery,
)
def mark_many_as_spam(call: Call) -> dict[str, Any]:
    """Queue the deletion of tickets as spam."""
    return start(call, spam.KIND, [{"id": key} for key in many_ids(call)])
