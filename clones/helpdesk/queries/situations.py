"""What rules see of a ticket that nobody is changing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clones.helpdesk.models import Ticket
from clones.helpdesk.rules.conditions import Situation


def situation_at_rest(ticket: Ticket, values: Mapping[str, Any]) -> Situation:
    """Return what conditions can look at; `values` are the ticket's under audit names."""
    organization = ticket.organization
    return Situation(
        values=values,
        description=ticket.description,
        is_public=ticket.is_public,
        channel=ticket.via.get("channel", "api"),
        requester_fields=ticket.requester.user_fields,
        organization_fields=organization.organization_fields if organization else {},
    )
