"""What every page of the portal stands in: the brand, who is signed in, notices, headers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse

from clones.core import clock
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.models import CustomStatus, Ticket
from clones.helpdesk.queries.dynamic_content import translated
from clones.helpdesk.queries.portal import default_brand
from clones.helpdesk.rules.locales import DEFAULT
from clones.helpdesk.web import labels, shell
from clones.helpdesk.web.access import SignedIn
from clones.helpdesk.web.plain_pages import secured

NO_SUBJECT = "No subject"
# The colours of statuses, by what end users know of them.
MARKS = {"pending": "answered", "solved": "solved", "closed": "solved"}


@dataclass(frozen=True, slots=True)
class CustomerStatus:
    """A status as end users see it: its colour, its name, and what it means."""

    key: str
    label: str
    title: str


@dataclass(frozen=True, slots=True)
class Crumb:
    """A step on the way from the portal's first page; the page itself has no address."""

    label: str
    url: str = ""


def page(
    request: SandboxRequest,
    who: SignedIn | None,
    template: str,
    context: dict[str, Any],
    *,
    title: str,
    crumbs: tuple[Crumb, ...] = (),
    status: int = 200,
) -> HttpResponse:
    """Return a page of the portal."""
    brand = default_brand()
    frame = {
        "brand": brand.name if brand is not None else "Help center",
        "title": title,
        "crumbs": crumbs,
        "user": who.user if who is not None else None,
        "user_initials": labels.initials(who.user.name) if who is not None else "",
        "user_hue": labels.hue(who.user.id) if who is not None else 0,
        "token": who.token if who is not None else "",
        "notice": shell.notice_of(request),
        "here": request.get_full_path() if request.method == "GET" else reverse("helpdesk:portal"),
        "now": clock.now().isoformat(),
    }
    html = render_to_string(template, {**frame, **context})
    response = secured(HttpResponse(html, status=status))
    shell.forget_notice(response, request)
    return response


def customer_status(ticket: Ticket, locale: str = DEFAULT.code) -> CustomerStatus:
    """Return a ticket's status in the words for end users; `custom_status` comes with it."""
    key = MARKS.get(ticket.status, "open")
    found: CustomStatus | None = ticket.custom_status
    if found is None:
        return CustomerStatus(key, labels.CUSTOMER_STATUSES[ticket.status], "")
    label = translated(found.end_user_label or found.agent_label, locale)
    return CustomerStatus(key, label, translated(found.end_user_description or "", locale))
