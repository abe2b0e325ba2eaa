"""What every page of the desk stands in: navigation, open tickets, notices, headers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

from django.http import HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import reverse

from clones.core import clock
from clones.core.digits import is_digits
from clones.core.server import server
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.vendors import clone_named
from clones.helpdesk import queries
from clones.helpdesk.domain.object_access import has_listed_objects
from clones.helpdesk.models import Ticket
from clones.helpdesk.queries.desks import may_see_reports
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.labels import hue, initials, status_badge
from clones.helpdesk.web.plain_pages import secured
from clones.helpdesk.web.times import Times

TABS_COOKIE = "_helpdesk_tabs"
NOTICE_COOKIE = "_helpdesk_notice"
TAB_LIMIT = 8
NOTICES = {
    "updated": "Ticket #{} has been updated",
    "created": "Ticket #{} has been created",
    "unchanged": "Ticket #{} has not been changed",
    "deleted": "{} ticket(s) deleted",
    "edited": "{} ticket(s) updated",
    "organization_created": "Organization has been created",
    "organization_deleted": "Organization has been deleted",
    "organization_kept": "Organization has not been changed",
    "organization_merging": "The organizations are being merged",
    "organization_saved": "Organization has been updated",
    "recovered": "{} ticket(s) recovered",
    "recovered_one": "Suspended ticket recovered as ticket #{}",
    "suspended_deleted": "{} suspended ticket(s) deleted",
    "user_created": "User has been created",
    "user_deleted": "User has been deleted",
    "user_erased": "User has been permanently deleted",
    "user_kept": "User has not been changed",
    "user_merged": "Users have been merged",
    "user_saved": "User has been updated",
    "record_created": "{} has been created",
    "saved": "{} has been saved",
    "removed": "{} has been deleted",
    "rules": "{} have been updated",
    "requested": "Your request was successfully submitted",
    "answered": "Your comment was successfully submitted",
    "solved": "Your request has been marked as solved",
    "rated": "Thank you for your feedback",
    "profile": "Your profile has been updated",
    "password": "Your password has been changed",
    "spam": "{} ticket(s) marked as spam",
    "merging": "Merging into ticket #{}",
    "played": "No more tickets to play in this view",
    "exported": "The export will be sent to {}",
}


@dataclass(frozen=True, slots=True)
class NavItem:
    """An entry of the rail at the left."""

    key: str
    label: str
    icon: str
    url: str
    test_id: str


def navigation(agent: Agent) -> list[NavItem]:
    """Return the rail's entries: those that lead the agent somewhere."""
    entries = [
        NavItem("home", "Home", "home-stroke", reverse("helpdesk:home"), "home_icon"),
        NavItem("views", "Views", "list-bullet-stroke", reverse("helpdesk:filters"), "views_icon"),
        NavItem(
            "customers",
            "Customers",
            "user-group-stroke",
            reverse("helpdesk:customers"),
            "customers_icon",
        ),
        NavItem(
            "organizations",
            "Organizations",
            "building-stroke",
            reverse("helpdesk:organizations"),
            "organizations_icon",
        ),
    ]
    if has_listed_objects(agent.user):
        objects = reverse("helpdesk:objects")
        entries.append(
            NavItem("objects", "Custom objects", "puzzle-piece-stroke", objects, "objects_icon")
        )
    if may_see_reports(agent.user):
        reporting = reverse("helpdesk:reporting")
        entries.append(
            NavItem("reporting", "Reporting", "bar-chart-stroke", reporting, "reporting_icon")
        )
    if agent.user.role == "admin":
        entries.append(
            NavItem("admin", "Admin Center", "gear-stroke", reverse("helpdesk:admin"), "admin_icon")
        )
    return entries


def page(
    request: SandboxRequest,
    agent: Agent,
    template: str,
    context: dict[str, Any],
    *,
    title: str,
    active: str = "",
    status: int = 200,
    ticket: Ticket | None = None,
    frames: str = "'none'",
) -> HttpResponse:
    """Return a page in the desk's frame.

    `active` names the rail's entry it belongs to; `ticket` is the one it shows, which joins the
    open tickets in the header.
    """
    opened = open_tickets(request)
    if ticket is not None and ticket.id not in opened:
        opened = [*opened, ticket.id][-TAB_LIMIT:]
    shell = {
        "agent": agent.user,
        "agent_initials": initials(agent.user.name),
        "agent_hue": hue(agent.user.id),
        "token": agent.token,
        "title": title,
        "active": active,
        "navigation": navigation(agent),
        "tabs": _tabs(agent, opened),
        "tab": ticket.id if ticket is not None else None,
        "notice": notice_of(request),
        "query": request.GET.get("q", "") if active == "search" else "",
        "times": Times(agent.user),
        "now": clock.now().isoformat(),
    }
    html = render_to_string(template, {**shell, **context})
    response = secured(HttpResponse(html, status=status), frames)
    _remember(response, request, opened)
    forget_notice(response, request)
    return response


def open_tickets(request: SandboxRequest) -> list[int]:
    """Return the tickets whose tabs this browser has open, oldest first."""
    texts = request.COOKIES.get(TABS_COOKIE, "").split(".")
    return [int(text) for text in texts if is_digits(text, 11)]


def close_tab(request: SandboxRequest, response: HttpResponse, key: int) -> list[int]:
    """Take a ticket's tab out and return those that stay open."""
    return close_tabs(request, response, [key])


def close_tabs(request: SandboxRequest, response: HttpResponse, keys: Sequence[int]) -> list[int]:
    """Take tickets' tabs out and return those that stay open."""
    left = [other for other in open_tickets(request) if other not in keys]
    _remember(response, request, left, always=True)
    return left


def go(address: str, notice: str = "", about: object = "") -> HttpResponse:
    """Lead on to a page, with a notice that it shows once."""
    response = secured(HttpResponseRedirect(address))
    if notice:
        # A cookie rather than a row: a notice is no state of the desk.
        response.set_cookie(
            NOTICE_COOKIE, f"{notice}.{quote(str(about)[:80])}", httponly=True, samesite="Lax"
        )
    return response


def from_dialog(request: SandboxRequest, response: HttpResponse) -> HttpResponse:
    """Let a redirect move the whole page where a script sent the form, from a dialog."""
    if request.headers.get("HX-Request"):
        response.status_code = 204
        response["HX-Redirect"] = response["Location"]
        del response["Location"]
    return response


def app_origin(request: SandboxRequest, clone: str) -> str | None:
    """Return the origin of another clone's pages as this browser reaches them, or None."""
    if clone_named(clone) is None:
        return None
    host, _, port = request.get_host().partition(":")
    if host.startswith("helpdesk."):
        name = f"{clone}.{host.removeprefix('helpdesk.')}"
        return f"{request.scheme}://{name}:{port}" if port else f"{request.scheme}://{name}"
    published = server().registry.origins(request.sandbox.id).get(clone)
    return None if published is None else f"{request.scheme}://{host}:{published}"


def _tabs(agent: Agent, keys: list[int]) -> list[dict[str, Any]]:
    found = queries.visible_tickets(agent.user).in_bulk(keys) if keys else {}
    return [
        {
            "id": key,
            "subject": found[key].subject or "No subject",
            "badge": status_badge(found[key].status),
        }
        for key in keys
        if key in found
    ]


def notice_of(request: SandboxRequest) -> str:
    """Return the notice that the page before left for this one, "" if there is none."""
    kind, _, about = request.COOKIES.get(NOTICE_COOKIE, "").partition(".")
    return NOTICES[kind].format(unquote(about)[:80]) if kind in NOTICES else ""


def forget_notice(response: HttpResponse, request: SandboxRequest) -> None:
    """Take the notice away once a page has shown it."""
    if NOTICE_COOKIE in request.COOKIES and response.status_code < 300:
        response.delete_cookie(NOTICE_COOKIE, samesite="Lax")


def _remember(
    response: HttpResponse, request: SandboxRequest, keys: list[int], *, always: bool = False
) -> None:
    if always or keys != open_tickets(request):
        value = ".".join(map(str, keys))
        response.set_cookie(TABS_COOKIE, value, httponly=True, samesite="Lax")
