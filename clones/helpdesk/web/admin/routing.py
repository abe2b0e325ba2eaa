"""Admin Center's routing configuration, and who of the agents is at work with how much."""

from __future__ import annotations

from django.db.models import Count, Q
from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.form_pages import WriteResult
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, ListPage, ListRow, Panel, linked_row
from clones.helpdesk.domain.routing_settings import update_routing_settings
from clones.helpdesk.models import AgentAvailability, RoutingSettings, User, View
from clones.helpdesk.queries.routing import account_routing
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import keys, pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import check, checks, line, select
from clones.helpdesk.web.admin.pages import Form, FormSection

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

    def write(sent: PageForm) -> WriteResult:
        limits = {name: keys.number(sent.text(name).strip()) for name in CAPACITIES}
        changes = {
            **{name: sent.text(name).strip() for name in ("autorouting_tag", "method")},
            **{name: sent.ticked(name) for name in FLAGS},
            "skill_based_filtered_views": keys.numbers_in(
                sent.several("skill_based_filtered_views")
            ),
            # What is no number is out of the bounds, and refused in their words.
            **{name: -1 if limit is None else limit for name, limit in limits.items()},
        }
        update_routing_settings(actor=agent.user, changes=changes)
        return "Routing configuration", reverse(f"helpdesk:{ACTIVE}")

    return pages.ask(request, agent, _form(account_routing()), write)


@admin_page
def capacity(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the agents: whether they are at work, and how many tickets they have."""
    route = account_routing()
    work = Q(assigned_tickets__status="open", assigned_tickets__deleted_at=None)
    rows = User.objects.filter(role__in=("agent", "admin"), active=True, suspended=False)
    rows = pages.searched(request, rows, "name")
    counted = rows.annotate(held=Count("assigned_tickets", work))
    states = dict(AgentAvailability.objects.order_by("id").values_list("id", "status"))
    listing = ListPage(
        "Agents' capacity",
        ACTIVE,
        [Panel(("Agent", "Status", "Open tickets", "Email capacity"), empty="No agents.")],
        acts=[Action("Configuration", reverse(f"helpdesk:{ACTIVE}"), test_id="admin-back")],
        search=pages.search(request),
    )

    def row(user: User) -> ListRow:
        return linked_row(
            reverse("helpdesk:admin_member", args=[user.id]),
            user.name,
            STATES.get(states.get(user.id, OFFLINE), STATES[OFFLINE]),
            str(getattr(user, "held", 0)),
            str(route.max_email_capacity),
        )

    return pages.show_list(request, agent, listing, counted.order_by("name", "id"), row)


def _form(found: RoutingSettings) -> Form:
    flags = {name: check(name, label, on=getattr(found, name)) for name, label in FLAGS.items()}
    limits = [line(name, label, str(getattr(found, name))) for name, label in CAPACITIES.items()]
    views = View.objects.filter(restriction=None, active=True).order_by("position", "id")
    by_skills = checks(
        "skill_based_filtered_views",
        "Views that go by skills",
        found.skill_based_filtered_views,
        views.values_list("id", "title"),
    )
    tag = line("autorouting_tag", "Auto-routing tag", found.autorouting_tag)
    method = select("method", "Assignment method", found.method, METHODS.items())
    return Form(
        ACTIVE,
        "Routing configuration",
        reverse("helpdesk:admin"),
        (
            FormSection("Routing", (flags["enabled"], tag, method)),
            FormSection("Capacity", tuple(limits)),
            FormSection("Skills", (flags["using_skill_based_routing"], by_skills)),
        ),
        links=(
            Action(
                "Agents' capacity", reverse("helpdesk:admin_capacity"), test_id="admin-capacity"
            ),
        ),
    )
