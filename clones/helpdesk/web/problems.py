"""Problems and their incidents, as the ticket page links them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clones.core import sightings
from clones.core.digits import is_digits
from clones.helpdesk import queries
from clones.helpdesk.models import Ticket, User
from clones.helpdesk.web import labels
from clones.helpdesk.web.form_values import Values

MOST = 50


@dataclass(frozen=True, slots=True)
class Incident:
    """A ticket that waits for a problem."""

    id: int
    subject: str
    requester: str
    badge: labels.Badge


def problem_named(values: Values, reader: User) -> Ticket | None:
    """Return the problem that a form's incident is linked to, if its reader may see it."""
    text = str(values.get("problem_id") or "")
    if not is_digits(text, 11):
        return None
    found = queries.visible_tickets(reader).filter(id=int(text), type="problem").first()
    if found is not None:
        sightings.note(found, "list")
    return found


def incidents_of(ticket: Ticket, reader: User) -> dict[str, Any]:
    """Return a problem's incidents, newest first, and how many there are."""
    if ticket.type != "problem":
        return {"incidents": None}
    rows = queries.visible_tickets(reader).filter(problem=ticket).select_related("requester")
    found = list(rows.order_by("-id")[:MOST])
    for incident in found:
        sightings.note(incident, "list")
    incidents = [
        Incident(
            item.id,
            item.subject or "No subject",
            item.requester.name,
            labels.status_badge(item.status),
        )
        for item in found
    ]
    return {"incidents": incidents, "incident_count": rows.count()}
