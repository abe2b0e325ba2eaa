"""Tags that tickets have from people: their requester's, and their organization's.

A ticket takes them when it is made. Later they follow another requester or organization of the
ticket, never what becomes of the profiles: support.zendesk.com, article 4408881573658.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clones.helpdesk.models import Organization, Ticket, User
from clones.helpdesk.rules.tags import add_tags


def inherit_tags(ticket: Ticket) -> None:
    """Put the tags of a new ticket's requester and organization on it, in memory."""
    ticket.tags = add_tags(ticket.tags, _tags_of(ticket.requester, ticket.organization))


def exchange_tags(ticket: Ticket, before: Mapping[str, Any]) -> None:
    """Take off whom a ticket was from, put on whom it is from now, in memory.

    `before` holds the ids of requester and organization as they were. Of another requester both
    are exchanged; of another organization only its own tags, so the requester's stay.
    """
    same_person = ticket.requester_id == before["requester_id"]
    same_place = ticket.organization_id == before["organization_id"]
    if same_person and same_place:
        return
    left = None if same_person else User.objects.filter(id=before["requester_id"]).first()
    place = None if same_place else Organization.objects.filter(id=before["organization_id"])
    gone = set(_tags_of(left, place.first() if place is not None else None))
    come = _tags_of(ticket.requester, ticket.organization)
    ticket.tags = sorted((set(ticket.tags) - gone) | set(come))


def _tags_of(person: User | None, place: Organization | None) -> list[str]:
    return [*(person.tags if person else []), *(place.tags if place else [])]
