"""The audits of all tickets, the newest first: in pages by `page[...]`, or by the older cursor."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from clones.core.operations import Call
from clones.helpdesk import queries
from clones.helpdesk.api.operations import (
    OPERATIONS,
    PagedSideloadQuery,
    includes,
    list_request,
    listed,
    show,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.tickets import present_audits
from clones.helpdesk.api.sideloads import audit_sideloads
from clones.helpdesk.api.time_cursors import (
    Place,
    read_cursor_of_either,
    write_cursor,
    write_cursor_back,
)
from clones.helpdesk.models import Audit

MOST = 1000
NEWEST = Order(("-created_at", "-id"))


class AuditStreamQuery(PagedSideloadQuery):
    """Cursor and limit of the list of all tickets' audits."""

    cursor: str | None = None
    limit: str | None = None


@OPERATIONS.operation(
    "ListTicketAudits",
    "GET",
    "/ticket_audits",
    summary="List the updates of all tickets, newest first.",
    query=AuditStreamQuery,
)
def list_all_audits(call: Call) -> dict[str, Any]:
    """List the audits of every ticket that the caller may see.

    Without `page[...]` the page says by cursors and addresses where older and newer audits are.
    """
    seen = queries.visible_tickets(call.actor).values("id")
    rows = Audit.objects.filter(ticket_id__in=seen)
    if list_request(call).by_cursor:
        page = paginate(rows, list_request(call), NEWEST, offset=False)
        bodies = present_audits(page.rows, show(call))
        return listed("audits", bodies, page, **_beside(call, page.rows))
    found, more = _part(rows, call)
    return {
        "audits": present_audits(found, show(call)),
        **_beside(call, found),
        **_around(call, found, more=more),
    }


def _beside(call: Call, rows: list[Audit]) -> dict[str, Any]:
    return audit_sideloads(rows, includes(call), show(call))


def _part(rows: QuerySet[Audit], call: Call) -> tuple[list[Audit], bool]:
    """Return the audits of a page, newest first, and whether there are older ones."""
    limit = min(MOST, max(1, list_request(call).number("limit", MOST)))
    if not call.query.cursor:
        found = list(rows.order_by(*NEWEST.fields)[: limit + 1])
        return found[:limit], len(found) > limit
    place, back = read_cursor_of_either(call.query.cursor)
    if back:
        found = list(rows.filter(_beyond(place, "lt")).order_by(*NEWEST.fields)[: limit + 1])
        return found[:limit], len(found) > limit
    newer = rows.filter(_beyond(place, "gt"))
    found = list(newer.order_by(*NEWEST.reversed().fields)[:limit])
    return found[::-1], bool(found)


def _beyond(place: Place, side: str) -> Q:
    moment, key = place
    return Q(**{f"created_at__{side}": moment}) | Q(created_at=moment, **{f"id__{side}": key})


def _around(call: Call, rows: list[Audit], *, more: bool) -> dict[str, Any]:
    """Return where older and newer audits are; newer ones may come yet, and their place stays."""
    newer = write_cursor(rows[0].created_at, rows[0].pk) if rows else call.query.cursor
    older = write_cursor_back(rows[-1].created_at, rows[-1].pk) if rows and more else None
    link = list_request(call).link
    return {
        "before_url": link(cursor=older) if older else None,
        "after_url": link(cursor=newer) if newer else None,
        "before_cursor": older,
        "after_cursor": newer,
    }
