"""Tickets as rows of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.safestring import SafeString

from clones.core import sightings
from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.paging import keyed_page_of
from clones.helpdesk.models import Ticket, TicketField, User
from clones.helpdesk.queries import views
from clones.helpdesk.queries.by_keys import tickets_by_keys
from clones.helpdesk.web import row_parts
from clones.helpdesk.web.sla_badges import SlaBadge, sla_badges
from clones.helpdesk.web.ticket_texts import CUSTOM, TicketTexts
from clones.helpdesk.web.times import Times

SLA_COLUMN = "sla_next_breach_at"
MOST_COLUMNS = 15
DEFAULT_COLUMNS = ("nice_id", "subject", "requester", "created", "priority", "assignee")


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


def columns_named(names: Sequence[Any]) -> list[Column]:
    """Return columns by name, fifteen at most; unknown ones are left out."""
    keys = [str(name).removeprefix(CUSTOM) for name in names]
    numbers = [int(key) for key in keys if is_digits(key)]
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
    selectable: bool = False,
) -> list[SafeString]:
    """Return tickets as rows of HTML and note that they were shown.

    `viewers` are others who have them open; rows that are `selectable` have a checkbox.
    """
    badges: dict[int, SlaBadge] = {}
    if any(column.name == SLA_COLUMN for column in columns):
        badges = sla_badges([ticket.id for ticket in tickets], times)
    texts = TicketTexts(tickets, [column.name for column in columns])
    rows = []
    for ticket in tickets:
        sightings.note(ticket, "list")
        row = row_parts.RowParts(
            ticket.id,
            ", ".join(user.name for user in (viewers or {}).get(ticket.id, ())),
            selectable=selectable,
        )
        cells = []
        for column in columns:
            if column.name == SLA_COLUMN:
                cells.append(row.sla(column.test_id, badges.get(ticket.id)))
            elif (moment := texts.moment(ticket, column.name)) is not None:
                cells.append(row.time(column.test_id, times.show(moment)))
            else:
                text = texts.text(ticket, column.name) or "-"
                cells.append(row.text(column.test_id, column.name, text))
        rows.append(row.joined(ticket.status, cells))
    return rows


def ticket_page_context(
    request: SandboxRequest, tickets: QuerySet[Ticket], times: Times, columns: Sequence[str]
) -> dict[str, Any]:
    """Return a page of tickets, newest first, as the table of tickets takes it."""
    found = columns_named(columns)
    shown = keyed_page_of(request, tickets.order_by("-created_at", "-id"), tickets_by_keys)
    return {"page": shown, "columns": found, "rows": ticket_rows(shown.rows, times, found)}


def group_labels(tickets: Sequence[Ticket], name: str) -> list[str]:
    """Return the headings under which a view that groups by a column puts tickets."""
    column = views.column_name(name)
    texts = TicketTexts(tickets, [column])
    return [texts.text(ticket, column) or "-" for ticket in tickets]
