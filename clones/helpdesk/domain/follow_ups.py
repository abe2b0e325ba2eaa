"""Tickets that take up closed ones."""

from __future__ import annotations

from typing import Any, Final

from clones.helpdesk.models import Ticket
from clones.helpdesk.rules.tags import add_tags

FOLLOW_UP: Final = "follow_up"


def followed(source: Ticket) -> dict[str, Any]:
    """Return what the `via` of a follow-up says of the ticket that it takes up."""
    origin = {
        "ticket_id": source.id,
        "subject": source.subject,
        "channel": source.via.get("channel"),
    }
    return {"from": origin, "to": {}, "rel": FOLLOW_UP}


def take_up(ticket: Ticket, key: int | None) -> None:
    """Make a new ticket, in memory, the follow-up of one; what is not closed is passed over."""
    if key is None or not ticket._state.adding:
        return
    source = Ticket.objects.filter(id=key, status="closed", deleted_at=None).first()
    if source is None:
        return
    ticket.via_followup_source_id = key
    if ticket.via.get("source", {}).get("rel") != FOLLOW_UP:
        ticket.via = {**ticket.via, "source": followed(source)}
    ticket.tags = add_tags(ticket.tags, source.tags)
    ticket.custom_fields = {**source.custom_fields, **ticket.custom_fields}
