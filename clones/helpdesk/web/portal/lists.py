"""Lists of requests: one's own, those one is copied on, those of one's organizations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.paging import page_of
from clones.helpdesk.models import Organization, Ticket, User
from clones.helpdesk.queries import requests as queries
from clones.helpdesk.web.access import SignedIn, end_user_page
from clones.helpdesk.web.plain_pages import not_found
from clones.helpdesk.web.portal import frame
from clones.helpdesk.web.times import ShownTime, Times

FILTERS = {"": "Any", "open": "Open", "answered": "Awaiting your reply", "solved": "Solved"}
SORTS = {"created_at": "Created", "updated_at": "Last activity"}
DIRECTIONS = {"asc": "ascending", "desc": "descending"}
TITLES = {"my": "My requests", "ccd": "CC'd requests", "organization": "Organization requests"}
ADDRESSES = {
    "my": "helpdesk:requests",
    "ccd": "helpdesk:ccd_requests",
    "organization": "helpdesk:organization_requests",
}


@dataclass(frozen=True, slots=True)
class RequestRow:
    """A request in a list."""

    id: int
    url: str
    subject: str
    requester: str
    created: ShownTime
    updated: ShownTime
    status: frame.CustomerStatus


@dataclass(frozen=True, slots=True)
class Head:
    """A column that the list can be sorted by: the address that does, and the order it has."""

    label: str
    url: str
    order: str


@end_user_page
def my_requests(request: SandboxRequest, who: SignedIn) -> HttpResponse:
    """List the requests that somebody asked for."""
    return _listed(request, who, "my", queries.asked_by(who.user))


@end_user_page
def ccd_requests(request: SandboxRequest, who: SignedIn) -> HttpResponse:
    """List the requests that somebody is copied on."""
    return _listed(request, who, "ccd", queries.copied_requests(who.user))


@end_user_page
def organization_requests(request: SandboxRequest, who: SignedIn) -> HttpResponse:
    """List the requests of an organization that shares them: the one asked for, or the first."""
    shared = list(queries.shared_organizations(who.user))
    wanted = request.GET.get("organization_id", "")
    chosen = next((item for item in shared if str(item.id) == wanted or not wanted), None)
    if chosen is None:
        return not_found(request.path)
    rows = queries.organization_requests(who.user, chosen.id)
    return _listed(request, who, "organization", rows, shared=shared, chosen=chosen)


def _listed(
    request: SandboxRequest,
    who: SignedIn,
    tab: str,
    rows: QuerySet[Ticket],
    *,
    shared: list[Organization] | None = None,
    chosen: Organization | None = None,
) -> HttpResponse:
    text = request.GET.get("query", "").strip().replace("\0", "")
    status = request.GET.get("status", "")
    status = status if status in FILTERS else ""
    if text:
        rows = queries.matching(rows, text)
    if status:
        rows = rows.filter(status__in=queries.STATUSES[status])
    column, order = _order(request)
    sign = "-" if order == "desc" else ""
    rows = rows.select_related("requester", "custom_status")
    shown = page_of(request, rows.order_by(f"{sign}{column}", f"{sign}id"))
    times = Times(who.user)
    context = {
        "tab": tab,
        "tabs": _tabs(who.user, tab),
        "rows": [_row(ticket, who.user, times) for ticket in shown.rows],
        "page": shown,
        "query": text,
        "status": status,
        "filters": FILTERS,
        "organizations": shared if shared is not None and len(shared) > 1 else [],
        "chosen": chosen,
        "heads": {key: _head(request, key, column, order) for key in SORTS},
        "sort_by": column,
        "sort_order": order,
        "filtered": bool(text or status),
    }
    return frame.page(
        request,
        who,
        "helpdesk/portal/requests.html",
        context,
        title=TITLES[tab],
        crumbs=(frame.Crumb("Requests"),),
    )


def _tabs(user: User, tab: str) -> list[dict[str, Any]]:
    keys = [key for key in TITLES if key != "organization"]
    if queries.shared_organizations(user).exists():
        keys.append("organization")
    return [
        {"key": key, "label": TITLES[key], "url": reverse(ADDRESSES[key]), "current": key == tab}
        for key in keys
    ]


def _row(ticket: Ticket, reader: User, times: Times) -> RequestRow:
    sightings.note(ticket, "list")
    return RequestRow(
        id=ticket.id,
        url=reverse("helpdesk:request", args=[ticket.id]),
        subject=ticket.subject or frame.NO_SUBJECT,
        requester=ticket.requester.name,
        created=times.show(ticket.created_at),
        updated=times.show(ticket.updated_at),
        status=frame.customer_status(ticket, reader.locale),
    )


def _order(request: SandboxRequest) -> tuple[str, str]:
    """Return the column and direction asked for: what happened last comes first."""
    column = request.GET.get("sort_by", "")
    order = request.GET.get("sort_order", "")
    return (
        column if column in SORTS else "updated_at",
        order if order in ("asc", "desc") else "desc",
    )


def _head(request: SandboxRequest, key: str, column: str, order: str) -> Head:
    current = order if key == column else ""
    turned = "asc" if current == "desc" else "desc"
    kept = {name: value for name, value in request.GET.items() if name != "page"}
    query = urlencode({**kept, "sort_by": key, "sort_order": turned})
    return Head(SORTS[key], f"?{query}", DIRECTIONS.get(current, ""))
