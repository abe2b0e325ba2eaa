"""Which tickets of the helpdesk there are: for whoever writes on one of which nothing was asked."""

from __future__ import annotations

from clones.helpdesk.models import Ticket


def changeable_tickets() -> tuple[int, ...]:
    """Return the numbers of the bound sandbox's tickets that are not closed, in their order."""
    found = Ticket.objects.filter(deleted_at=None).exclude(status="closed")
    return tuple(found.order_by("id").values_list("id", flat=True))
