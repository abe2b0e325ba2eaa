"""Keeping what agents have written and not sent."""

from __future__ import annotations

from datetime import datetime

from clones.core import clock
from clones.helpdesk.domain.values import BODY_LIMIT
from clones.helpdesk.models import Audit, Draft, Ticket, User


def draft_key(ticket: Ticket, actor: User) -> str:
    """Return the key of an agent's draft on a ticket."""
    return f"{actor.id}:{ticket.id}"


def save_draft(
    ticket: Ticket, *, actor: User, body: str, html: str, public: bool, stamp: datetime
) -> Draft | None:
    """Keep what the actor has written on a ticket; an empty text drops it.

    `stamp` is the ticket's `updated_at` as the actor saw it. A draft that arrives after the actor
    updated the ticket comes too late and is not kept: it would bring back what was sent.
    """
    if Audit.objects.filter(ticket=ticket, author=actor, created_at__gt=stamp).exists():
        return None
    if not body.strip() and not html.strip():
        discard_draft(ticket, actor=actor)
        return None
    key = draft_key(ticket, actor)
    values = {
        "user": actor,
        "ticket": ticket,
        "body": body[:BODY_LIMIT].replace("\0", ""),
        "html": html[:BODY_LIMIT].replace("\0", ""),
        "public": public,
        "stamp": stamp,
        "saved_at": clock.now(),
    }
    draft, _ = Draft.objects.update_or_create(id=key, defaults=values)
    return draft


def discard_draft(ticket: Ticket, *, actor: User) -> None:
    """Drop what the actor has written on a ticket."""
    Draft.objects.filter(id=draft_key(ticket, actor)).delete()
