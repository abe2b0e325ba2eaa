"""Who has which ticket open, and what of its form they changed and have not sent."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from clones.core import clock
from clones.helpdesk.domain.drafts import draft_key
from clones.helpdesk.models import Audit, OpenTicket, Ticket, User

FORM_LIMIT = 65_536


def see_ticket(ticket: Ticket, *, actor: User) -> None:
    """Note that a ticket's page is in front of the actor."""
    _put(ticket, actor, {"seen_at": clock.now()})


def leave_ticket(ticket: Ticket, *, actor: User) -> None:
    """Note that the actor turned to something else; what they have not sent stays."""
    found = OpenTicket.objects.filter(id=draft_key(ticket, actor)).first()
    if found is not None and not found.form:
        found.delete()
    elif found is not None:
        _put(ticket, actor, {"seen_at": None})


def keep_form(ticket: Ticket, *, actor: User, form: dict[str, Any], stamp: datetime) -> None:
    """Keep what the actor changed in a ticket's form and have not sent; {} drops it.

    `stamp` is the ticket's `updated_at` as the actor saw it: what arrives after the actor updated
    the ticket comes too late, as with drafts. A form of an unusual size is not kept.
    """
    text = json.dumps(form)
    if len(text) > FORM_LIMIT or "\\u0000" in text:
        return
    if Audit.objects.filter(ticket=ticket, author=actor, created_at__gt=stamp).exists():
        return
    if form or OpenTicket.objects.filter(id=draft_key(ticket, actor)).exists():
        _put(ticket, actor, {"form": form, "stamp": stamp if form else None})


def drop_form(ticket: Ticket, *, actor: User) -> None:
    """Drop what the actor changed in a ticket's form and have not sent."""
    if OpenTicket.objects.filter(id=draft_key(ticket, actor)).exclude(form={}).exists():
        _put(ticket, actor, {"form": {}, "stamp": None})


def _put(ticket: Ticket, actor: User, values: dict[str, Any]) -> None:
    """Set values of the actor's row; one that holds them already is not written again."""
    key = draft_key(ticket, actor)
    found = OpenTicket.objects.filter(id=key).first()
    if found is None:
        OpenTicket.objects.create(id=key, user=actor, ticket=ticket, **values)
        return
    changed = [name for name, value in values.items() if getattr(found, name) != value]
    for name in changed:
        setattr(found, name, values[name])
    if changed:
        found.save(update_fields=changed)
