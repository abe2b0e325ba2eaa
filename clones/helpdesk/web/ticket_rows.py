"""Tickets as rows of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.models import Ticket, TicketField, User
from clones.helpdesk.queries import views
from clones.helpdesk.web import labels
from clones.helpdesk.web.paging import joined_page_of
from clones.helpdesk.web.sla_badges import SlaBadge, sla_badges
from clones.helpdesk.web.times import ShownTime, Times

CUSTOM = "custom_fields_"
SLA_COLUMN = "sla_next_breach_at"
MOST_COLUMNS = 15
RELATED = ("requester", "assignee", "group", "organization", "brand", "ticket_form", "submitter")
DEFAULT_COLUMNS = ("nice_id", "subject", "requester", "created", "priority", "assignee")
METRICS = {
    "updated_assignee": "assignee_updated_at",
    "updated_requester": "requester_updated_at",
    "assigned": "assigned_at",
    "solved": "solved_at",
}
NEEDED = (*RELATED, "metric")


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name in views, its heading, and whether rows can be sorted by it."""

    name: str
    title: str
    sortable: bool

    @property
    def test_id(self) -> str:
        """The name of its cells."""
        known = {"subject": "ticket-table-cells-subject", "nice_id": "generic-table-cells-id"}
        return known.get(self.name, f"generic-table-cells-{self.name}")


@dataclass(frozen=True, slots=True)
class Cell:
    """What one cell shows: text, a time, or how far off a breach is."""

    column: Column
    text: str = ""
    time: ShownTime | None = None
    sla: SlaBadge | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A ticket in a table; `viewers` are those who have it before them, in words."""

    id: int
    subject: str
    badge: labels.Badge
    cells: tuple[Cell, ...]
    viewers: str = ""


def columns_named(names: Sequence[Any]) -> list[Column]:
    """Return columns by name, fifteen at most; unknown ones are left out."""
    keys = [str(name).removeprefix(CUSTOM) for name in names]
    numbers = [int(key) for key in keys if key.isascii() and key.isdigit() and len(key) < 19]
    fields = {
        str(field.id): field for field in TicketField.objects.filter(id__in=numbers, active=True)
    }
    found = []
    for name in dict.fromkeys(views.column_name(str(name)) for name in names):
        known = views.describe_column(name, fields)
        if known is not None:
            # The subject has its own link to sort by here, as every heading has.
            sortable = bool(known["sortable"]) and name in views.COLUMNS
            found.append(Column(name, str(known["title"]), sortable))
    return found[:MOST_COLUMNS]


def ticket_rows(
    tickets: Sequence[Ticket],
    times: Times,
    columns: Sequence[Column],
    *,
    viewers: Mapping[int, Sequence[User]] | None = None,
) -> list[Row]:
    """Return tickets as rows and note that they were shown.

    What `NEEDED` names should have been fetched with them; `viewers` are others who have them open.
    """
    rows = []
    badges: dict[int, SlaBadge] = {}
    if any(column.name == SLA_COLUMN for column in columns):
        badges = sla_badges([ticket.id for ticket in tickets], times)
    for ticket in tickets:
        sightings.note(ticket, "list")
        rows.append(
            Row(
                ticket.id,
                ticket.subject or "No subject",
                labels.status_badge(ticket.status),
                tuple(
                    Cell(column, sla=badges.get(ticket.id))
                    if column.name == SLA_COLUMN
                    else _cell(ticket, column, times)
                    for column in columns
                ),
                ", ".join(user.name for user in (viewers or {}).get(ticket.id, ())),
            )
        )
    return rows


def ticket_page_context(
    request: SandboxRequest, tickets: QuerySet[Ticket], times: Times, columns: Sequence[str]
) -> dict[str, Any]:
    """Return a page of tickets, newest first, as the table of tickets takes it."""
    found = columns_named(columns)
    shown = joined_page_of(request, tickets.order_by("-created_at", "-id"), NEEDED)
    return {"page": shown, "columns": found, "rows": ticket_rows(shown.rows, times, found)}


def group_label(ticket: Ticket, name: str) -> str:
    """Return the heading under which a view that groups by a column puts a ticket."""
    value = _text(ticket, views.column_name(name))
    return value or "-"


def _cell(ticket: Ticket, column: Column, times: Times) -> Cell:
    moment = _moment(ticket, column.name)
    if moment is not None:
        return Cell(column, time=times.show(moment))
    return Cell(column, _text(ticket, column.name) or "-")


def _moment(ticket: Ticket, name: str) -> datetime | None:
    moments: dict[str, datetime | None] = {
        "created": ticket.created_at,
        "updated": ticket.updated_at,
        "due_date": ticket.due_at,
    }
    if name in METRICS:
        found: datetime | None = getattr(getattr(ticket, "metric", None), METRICS[name], None)
        return found
    return moments.get(name)


def _text(ticket: Ticket, name: str) -> str:
    if name in RELATED:
        related = getattr(ticket, name)
        return str(related.name) if related is not None else ""
    texts = {
        "nice_id": f"#{ticket.id}",
        "subject": ticket.subject or "No subject",
        "type": labels.TYPE_LABELS.get(ticket.type or "", ""),
        "priority": labels.PRIORITY_LABELS.get(ticket.priority or "", ""),
        "status": labels.STATUS_LABELS[ticket.status],
        "satisfaction_score": ticket.satisfaction_score.capitalize(),
        "description": ticket.description[:120],
    }
    if name in texts:
        return texts[name]
    value = ticket.custom_fields.get(name.removeprefix(CUSTOM))
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")
