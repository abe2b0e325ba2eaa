"""What the columns of a table say of tickets: texts and moments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from django.db.models import Model

from clones.helpdesk.models import (
    Brand,
    Group,
    Organization,
    Ticket,
    TicketForm,
    TicketMetric,
    User,
)
from clones.helpdesk.queries.by_keys import metrics_of, names_of
from clones.helpdesk.web import labels

CUSTOM = "custom_fields_"
# Columns that name another record: by which column, and of which kind it is.
RELATED: dict[str, tuple[str, type[Model]]] = {
    "requester": ("requester_id", User),
    "assignee": ("assignee_id", User),
    "submitter": ("submitter_id", User),
    "group": ("group_id", Group),
    "organization": ("organization_id", Organization),
    "brand": ("brand_id", Brand),
    "ticket_form": ("ticket_form_id", TicketForm),
}
MOMENTS = {"created": "created_at", "updated": "updated_at", "due_date": "due_at"}
METRICS = {
    "updated_assignee": "assignee_updated_at",
    "updated_requester": "requester_updated_at",
    "assigned": "assigned_at",
    "solved": "solved_at",
}
_TEXTS: dict[str, Callable[[Ticket], str]] = {
    "nice_id": lambda ticket: f"#{ticket.id}",
    "subject": lambda ticket: ticket.subject or "No subject",
    "type": lambda ticket: labels.TYPE_LABELS.get(ticket.type or "", ""),
    "priority": lambda ticket: labels.PRIORITY_LABELS.get(ticket.priority or "", ""),
    "status": lambda ticket: labels.STATUS_LABELS[ticket.status],
    "satisfaction_score": lambda ticket: ticket.satisfaction_score.capitalize(),
    "description": lambda ticket: ticket.description[:120],
}


class TicketTexts:
    """What some columns say of some tickets, having read once what they refer to."""

    def __init__(self, tickets: Sequence[Ticket], columns: Collection[str]) -> None:
        wanted: dict[type[Model], list[int | None]] = {}
        for column in columns:
            if column in RELATED:
                attribute, model = RELATED[column]
                keys = (getattr(ticket, attribute) for ticket in tickets)
                wanted.setdefault(model, []).extend(keys)
        self._names = {model: names_of(model, keys) for model, keys in wanted.items()}
        self._metrics: dict[int, TicketMetric] = {}
        if any(column in METRICS for column in columns):
            self._metrics = metrics_of(ticket.id for ticket in tickets)

    def moment(self, ticket: Ticket, column: str) -> datetime | None:
        """Return the time that a column shows of a ticket, None if it shows none."""
        found: datetime | None = None
        if column in MOMENTS:
            found = getattr(ticket, MOMENTS[column])
        elif column in METRICS:
            found = getattr(self._metrics.get(ticket.id), METRICS[column], None)
        return found

    def text(self, ticket: Ticket, column: str) -> str:
        """Return what a column that shows no time says of a ticket, "" if it says nothing."""
        if column in RELATED:
            attribute, model = RELATED[column]
            return self._names[model].get(getattr(ticket, attribute), "")
        own = _TEXTS.get(column)
        if own is not None:
            return own(ticket)
        value = ticket.custom_fields.get(column.removeprefix(CUSTOM))
        return ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")
