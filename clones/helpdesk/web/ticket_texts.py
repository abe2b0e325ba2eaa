"""What the columns of a table say of tickets: texts and moments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from functools import partial

from django.db.models import Model

from clones.helpdesk import models
from clones.helpdesk.models import Ticket, TicketMetric
from clones.helpdesk.queries.by_keys import metrics_of, names_of
from clones.helpdesk.rules.system_fields import SYSTEM_FIELDS, SystemField

CUSTOM = "custom_fields_"
# Columns that name another record: by which column, and of which kind it is.
RELATED: dict[str, tuple[str, type[Model]]] = {
    item.column.name: (item.name, getattr(models, item.refers_to))
    for item in SYSTEM_FIELDS
    if item.column is not None and item.refers_to
}
MOMENTS = {
    "created": "created_at",
    "updated": "updated_at",
    **{
        item.column.name: item.name
        for item in SYSTEM_FIELDS
        if item.column is not None and item.kind == "moment"
    },
}
METRICS = {
    "updated_assignee": "assignee_updated_at",
    "updated_requester": "requester_updated_at",
    "assigned": "assigned_at",
    "solved": "solved_at",
}


def text_of(item: SystemField, ticket: Ticket) -> str:
    """Return what a ticket's field says: a choice by its label, a text as it is."""
    value = str(getattr(ticket, item.name) or "")
    return item.choices.get(value, "") if item.choices else value


_TEXTS: dict[str, Callable[[Ticket], str]] = {
    **{
        item.column.name: partial(text_of, item)
        for item in SYSTEM_FIELDS
        if item.column is not None and item.kind in ("choice", "text")
    },
    "nice_id": lambda ticket: f"#{ticket.id}",
    "subject": lambda ticket: ticket.subject or "No subject",
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
