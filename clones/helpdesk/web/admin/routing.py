"""Admin Center's routing configuration, and who of the agents is at work with how much."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q
from django.http import HttpResponse, QueryDict
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.domain.routing_settings import update_routing_settings
from clones.helpdesk.models import AgentAvailability, RoutingSettings, User, View
from clones.helpdesk.queries.routing import account_routing
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import forms, keys, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.pages import Form, Line, Link, Listing, Part
from clones.helpdesk.web.properties import Complaints

ACTIVE = "admin_routing"
METHODS = {
    RoutingSettings.HIGHEST_SPARE_CAPACITY: "Highest spare capacity",
    RoutingSettings.LONGEST_IDLE: "Round robin: longest idle",
}
CAPACITIES = {
    "max_email_capacity": "Email capacity of agents",
    "max_messaging_capacity": "Messaging capacity of agents",
}
FLAGS = {
    "enabled": "Turn on omnichannel routing",
    "using_skill_based_routing": "Route by skills",
}
STATES = {2: "Offline", 3: "Online", 4: "Away", 5: "Transfers only"}
OFFLINE = 2


@admin_page
def configuration(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show how the account routes, or take how it shall."""
    if request.method != "POST":
        return _form(request, agent, _values(account_routing()))
    values = _sent(request.POST)
    changes = {**values, **{name: keys.number(values[name]) for name in CAPACITIES}}
    blank = {name: -1 for name in CAPACITIES if changes[name] is None}
    # What is no number is out of the bounds, and refused in their words.
    _, complaints = pages.attempt(
        lambda: update_routing_settings(actor=agent.user, changes={**changes, **blank})
    )
    if complaints is not None:
        return _form(request, agent, values, complaints)
    return shell.go(reverse(f"helpdesk:{ACTIVE}"), "saved", "Routing configuration")


@admin_page
def capacity(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the agents: whether they are at work, and how many tickets they have."""
    route = account_routing()
    work = Q(assigned_tickets__status="open", assigned_tickets__deleted_at=None)
    rows = User.objects.filter(role__in=("agent", "admin"), active=True, suspended=False)
    text = pages.search_text(request)
    if text:
        rows = rows.filter(name__icontains=text)
    counted = rows.annotate(held=Count("assigned_tickets", work))
    states = dict(AgentAvailability.objects.order_by("id").values_list("id", "status"))
    listing = Listing(
        ACTIVE,
        "Agents' capacity",
        ("Agent", "Status", "Open tickets", "Email capacity"),
        links=(Link("Configuration", reverse(f"helpdesk:{ACTIVE}"), "admin-back"),),
        empty="No agents.",
    )

    def line(user: User) -> Line:
        return Line(
            reverse("helpdesk:admin_member", args=[user.id]),
            (
                user.name,
                STATES.get(states.get(user.id, OFFLINE), STATES[OFFLINE]),
                str(getattr(user, "held", 0)),
                str(route.max_email_capacity),
            ),
        )

    return pages.show_list(request, agent, listing, counted.order_by("name", "id"), line)


def _values(found: RoutingSettings) -> dict[str, Any]:
    names = ("autorouting_tag", "method", "skill_based_filtered_views", *CAPACITIES, *FLAGS)
    return {name: getattr(found, name) for name in names}


def _sent(post: QueryDict) -> dict[str, Any]:
    return {
        **{name: post.get(name, "").strip() for name in ("autorouting_tag", "method", *CAPACITIES)},
        **{name: post.get(name) == "true" for name in FLAGS},
        "skill_based_filtered_views": keys.numbers(post, "skill_based_filtered_views"),
    }


def _form(
    request: SandboxRequest,
    agent: Agent,
    values: dict[str, Any],
    complaints: Complaints | None = None,
) -> HttpResponse:
    flags = {
        name: forms.field(name, label, values[name], kind="checkbox", complaints=complaints)
        for name, label in FLAGS.items()
    }
    limits = [
        forms.field(name, label, values[name], complaints=complaints)
        for name, label in CAPACITIES.items()
    ]
    views = View.objects.filter(restriction=None, active=True).order_by("position", "id")
    shown = keys.ids_as_text(values["skill_based_filtered_views"])
    parts = (
        Part(
            "Routing",
            (
                flags["enabled"],
                forms.field(
                    "autorouting_tag",
                    "Auto-routing tag",
                    values["autorouting_tag"],
                    complaints=complaints,
                ),
                forms.select(
                    "method",
                    "Assignment method",
                    values["method"],
                    METHODS.items(),
                    complaints=complaints,
                ),
            ),
        ),
        Part("Capacity", tuple(limits)),
        Part(
            "Skills",
            (
                flags["using_skill_based_routing"],
                forms.select(
                    "skill_based_filtered_views",
                    "Views that go by skills",
                    shown,
                    views.values_list("id", "title"),
                    many=True,
                    complaints=complaints,
                ),
            ),
        ),
    )
    form = Form(
        ACTIVE,
        "Routing configuration",
        reverse("helpdesk:admin"),
        parts,
        links=(Link("Agents' capacity", reverse("helpdesk:admin_capacity"), "admin-capacity"),),
    )
    return pages.show_form(request, agent, form, complaints)
