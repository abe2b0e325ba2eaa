"""Reads of side conversations: those of the tickets that somebody may see."""

from __future__ import annotations

from typing import Any

from django.db.models import F, QuerySet

from clones.helpdesk import queries
from clones.helpdesk.models import SideConversation, SideConversationEvent, Ticket, User


def threads_of(ticket: Ticket) -> QuerySet[SideConversation]:
    """Return a ticket's side conversations."""
    return SideConversation.objects.filter(ticket=ticket)


def thread(actor: User, ticket_id: int, key: str) -> SideConversation:
    """Return one side conversation of a ticket.

    Raises:
        RecordNotFound: there is none, or the actor may not see the ticket.
    """
    ticket = queries.ticket(actor, ticket_id)
    return queries.one(
        threads_of(ticket).select_related("ticket", "child"), "side conversation", key
    )


def events_of(threads: list[SideConversation]) -> QuerySet[SideConversationEvent]:
    """Return what happened in side conversations, oldest first."""
    rows = SideConversationEvent.objects.filter(side_conversation__in=threads)
    rows = rows.select_related("side_conversation").prefetch_related("files")
    return rows.order_by("side_conversation__created_at", "side_conversation_id", "position")


def changed_events() -> QuerySet[Any]:
    """Return the events of all side conversations with when they were written."""
    rows = SideConversationEvent.objects.filter(side_conversation__ticket__deleted_at=None)
    rows = rows.select_related("side_conversation").prefetch_related("files")
    return rows.annotate(changed=F("created_at"))
