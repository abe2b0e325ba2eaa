"""What the settings of a desk say of its customers: portal, permissions, notices, ratings."""

from __future__ import annotations

from typing import Final

from django.db.models import Avg, Count
from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text, posted_texts
from clones.tracker.domain import desk_settings
from clones.tracker.models import Request, ServiceDesk
from clones.tracker.rules.desk.notices import NOTICES, is_told
from clones.tracker.web.access import Visitor
from clones.tracker.web.desk.access import desk_address, portal_address
from clones.tracker.web.desk.settings.access import at, page_of_desk_settings, settle, shown
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.settings.access import done
from clones.tracker.web.settings.forms import FormPage, Input, chosen

PORTAL: Final = "portal-settings"
ACCESS: Final = "customer-permissions"
NOTIFICATIONS: Final = "customer-notifications"
SATISFACTION: Final = "satisfaction-settings"


@page_of_desk_settings
def portal_settings(request: SandboxRequest, who: Visitor, desk: ServiceDesk) -> HttpResponse:
    """Show what the portal says of itself, or take other words."""
    inputs = [
        Input("name", "Portal name", value=desk.portal_name, required=True),
        Input(
            "description",
            "Introduction text",
            shape="area",
            value=desk.portal_description,
        ),
        Input(
            "announcement",
            "Announcement",
            shape="area",
            value=desk.announcement,
            hint="Shown at the top of the portal while there is one.",
        ),
    ]
    sheet = FormPage(
        "Portal settings",
        at(desk, PORTAL),
        portal_address(desk),
        inputs,
        said=f"Customers find the portal at {portal_address(desk)}.",
    )
    return settle(
        request,
        who,
        desk,
        sheet,
        lambda sent: desk_settings.change_portal(
            desk,
            actor=who.rights,
            name=sent.text("name"),
            description=sent.text("description"),
            announcement=sent.text("announcement"),
        ),
        current=PORTAL,
        flag="Portal settings saved",
    )


@page_of_desk_settings
def customer_permissions(request: SandboxRequest, who: Visitor, desk: ServiceDesk) -> HttpResponse:
    """Show who can raise requests, or take another choice."""
    inputs = [
        Input(
            "access",
            "Who can raise requests",
            shape="radio",
            choices=chosen(desk_settings.ACCESS.items(), [desk.access]),
        )
    ]
    sheet = FormPage(
        "Customer permissions", at(desk, ACCESS), desk_address(desk, "customers"), inputs
    )
    return settle(
        request,
        who,
        desk,
        sheet,
        lambda sent: desk_settings.set_access(desk, sent.text("access"), actor=who.rights),
        current=ACCESS,
        flag="Customer permissions saved",
    )


@page_of_desk_settings
def customer_notifications(
    request: SandboxRequest, who: Visitor, desk: ServiceDesk
) -> HttpResponse:
    """Show of what customers are mailed, or take another choice."""
    if request.method == "POST":
        told = posted_texts(request, "told")
        attempt(lambda: desk_settings.set_notices(desk, told, actor=who.rights))
        return done(request, desk.project, NOTIFICATIONS, "Customer notifications saved")
    context = {
        "address": at(desk, NOTIFICATIONS),
        "notices": [
            (one, is_told(desk.settings, one.key), one.line.format(author="The author"))
            for one in NOTICES.values()
        ],
    }
    return shown(
        request, who, desk, "notices", context,
        title="Customer notifications", current=NOTIFICATIONS,
    )  # fmt: skip


@page_of_desk_settings
def satisfaction(request: SandboxRequest, who: Visitor, desk: ServiceDesk) -> HttpResponse:
    """Show whether customers are asked for ratings, and what they said; or switch it."""
    if request.method == "POST":
        on = posted_text(request, "on") == "1"
        desk_settings.set_satisfaction(desk, on=on, actor=who.rights)
        said = "Customers are asked to rate" if on else "Customers are no longer asked to rate"
        return done(request, desk.project, SATISFACTION, said)
    rated = Request.objects.filter(issue__project=desk.project_id, rating__isnull=False)
    sums = rated.aggregate(number=Count("id"), mean=Avg("rating"))
    context = {
        "address": at(desk, SATISFACTION),
        "on": desk_settings.asks_for_ratings(desk),
        "number": sums["number"],
        "mean": "" if sums["mean"] is None else f"{sums['mean']:.1f}",
        "latest": rated.select_related("issue").order_by("-rated_at", "-id")[:20],
    }
    return shown(
        request, who, desk, "satisfaction", context,
        title="Satisfaction settings", current=SATISFACTION,
    )  # fmt: skip
