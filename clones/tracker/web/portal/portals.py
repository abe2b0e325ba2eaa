"""The help center and the portals in it: what customers can ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Q
from django.http import HttpResponse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import RequestType, RequestTypeGroup, ServiceDesk
from clones.tracker.queries.desks import (
    PortalRights,
    groups_of,
    shown_in_portal,
    visible_desks,
    visible_request_types,
)
from clones.tracker.web.access import Visitor, page_of_anybody
from clones.tracker.web.desk.access import portal_address
from clones.tracker.web.portal.access import HOME, desk_in, portal_page

FOUND: Final = 20


@dataclass(frozen=True, slots=True)
class Offer:
    """A request type as a portal shows it, and where its form is."""

    row: RequestType
    address: str


def offer_of(desk: ServiceDesk, row: RequestType, group: int | None = None) -> Offer:
    """Return a request type as a portal shows it, under a heading or by itself."""
    sightings.note(row, "list")
    rest = f"create/{row.id}" if group is None else f"group/{group}/create/{row.id}"
    return Offer(row, portal_address(desk, rest))


@page_of_anybody
def portals(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show the portals that somebody may use; words that they look for find request types."""
    text = request.GET.get("q", "").strip()
    desks = list(visible_desks(who.rights))
    for desk in desks:
        sightings.note(desk, "list")
    context = {
        "text": text,
        "desks": [(desk, portal_address(desk)) for desk in desks],
        "found": _matching(desks, text, who) if text else [],
        "home": HOME,
    }
    return portal_page(request, who, "portals", context, title="Help center")


def _matching(desks: Sequence[ServiceDesk], text: str, who: Visitor) -> list[tuple[str, Offer]]:
    found = []
    for desk in desks:
        rows = shown_in_portal(visible_request_types(who.rights, desk), desk)
        named = rows.filter(Q(name__icontains=text) | Q(description__icontains=text))
        found += [(desk.portal_name, offer_of(desk, row)) for row in named]
    return found[:FOUND]


@page_of_anybody
def portal(request: SandboxRequest, who: Visitor, desk: int) -> HttpResponse:
    """Show a portal: its headings, and what can be asked for under each."""
    return _portal(request, who, desk_in(who, desk), None)


@page_of_anybody
def group(request: SandboxRequest, who: Visitor, desk: int, group: int) -> HttpResponse:
    """Show what can be asked for under one heading of a portal."""
    found = desk_in(who, desk)
    chosen = groups_of(found).filter(id=group).first()
    if chosen is None:
        raise NotFound("The portal group does not exist.")
    return _portal(request, who, found, chosen)


def _portal(
    request: SandboxRequest, who: Visitor, desk: ServiceDesk, chosen: RequestTypeGroup | None
) -> HttpResponse:
    sightings.note(desk, "detail")
    rows = list(shown_in_portal(visible_request_types(who.rights, desk), desk))
    groups = list(groups_of(desk))
    text = request.GET.get("q", "").strip().casefold()
    if text:
        rows = [row for row in rows if text in f"{row.name} {row.description}".casefold()]
    sections = []
    for one in groups:
        offers = [
            offer_of(desk, row, one.id) for row in rows if str(one.id) in map(str, row.groups)
        ]
        if offers and (chosen is None or one.id == chosen.id):
            sections.append((one, offers))
    context = {
        "address": portal_address(desk),
        "groups": [
            (one, portal_address(desk, f"group/{one.id}"), chosen is not None and one == chosen)
            for one in groups
        ],
        "chosen": chosen,
        "sections": sections,
        "text": request.GET.get("q", "").strip(),
        "may_ask": PortalRights(who.user).may("CREATE_ISSUES", desk.project),
    }
    return portal_page(request, who, "portal", context, title=desk.portal_name, desk=desk)
