"""What every page of Admin Center stands in: who may open it, and its own navigation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.access import PageGuard
from clones.helpdesk.domain.errors import AccessDenied
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent, agent_page


@dataclass(frozen=True, slots=True)
class NavigationEntry:
    """A page of Admin Center's navigation: `key` is the name of its address, too.

    Agents who are no admins have those with a `right` that lets them keep what is their own.
    """

    key: str
    label: str
    right: str = ""


@dataclass(frozen=True, slots=True)
class NavigationSection:
    """Entries under one heading, as the product files them."""

    label: str
    entries: tuple[NavigationEntry, ...]


PEOPLE = NavigationSection(
    "People",
    (
        NavigationEntry("admin_members", "Team members"),
        NavigationEntry("admin_groups", "Groups"),
        NavigationEntry("admin_roles", "Roles"),
        NavigationEntry("admin_user_fields", "User fields"),
        NavigationEntry("admin_organization_fields", "Organization fields"),
        NavigationEntry("admin_satisfaction", "Satisfaction"),
    ),
)
ACCOUNT = NavigationSection(
    "Account",
    (
        NavigationEntry("admin_account", "Settings"),
        NavigationEntry("admin_brands", "Brands"),
        NavigationEntry("admin_audit_log", "Audit log"),
    ),
)
CHANNELS = NavigationSection("Channels", (NavigationEntry("admin_addresses", "Email"),))
WORKSPACES = NavigationSection(
    "Workspaces",
    (
        NavigationEntry("admin_views", "Views", "view_access"),
        NavigationEntry("admin_macros", "Macros", "macro_access"),
        NavigationEntry("admin_dynamic_content", "Dynamic content"),
        NavigationEntry("admin_workspaces", "Contextual workspaces"),
    ),
)
OBJECTS = NavigationSection(
    "Objects and rules: Tickets",
    (
        NavigationEntry("admin_ticket_fields", "Fields"),
        NavigationEntry("admin_ticket_forms", "Forms"),
        NavigationEntry("admin_ticket_statuses", "Ticket statuses"),
        NavigationEntry("admin_tags", "Tags"),
        NavigationEntry("admin_schedules", "Schedules"),
    ),
)
ROUTING = NavigationSection(
    "Omnichannel routing",
    (
        NavigationEntry("admin_routing", "Routing configuration"),
        NavigationEntry("admin_queues", "Queues"),
        NavigationEntry("admin_skills", "Skills"),
    ),
)
INTEGRATIONS = NavigationSection(
    "Apps and integrations",
    (
        NavigationEntry("admin_webhooks", "Webhooks"),
        NavigationEntry("admin_api_tokens", "API tokens"),
        NavigationEntry("admin_oauth_clients", "OAuth clients"),
    ),
)
CUSTOM_OBJECTS = NavigationSection(
    "Custom objects", (NavigationEntry("admin_custom_objects", "Objects"),)
)
OBJECTS_RULES = NavigationSection(
    "Objects and rules",
    (
        NavigationEntry("admin_triggers", "Triggers"),
        NavigationEntry("admin_automations", "Automations"),
        NavigationEntry("admin_slas", "Service level agreements"),
        NavigationEntry("admin_group_slas", "Group service level agreements"),
    ),
)
SECTIONS: tuple[NavigationSection, ...] = (
    ACCOUNT,
    PEOPLE,
    CHANNELS,
    WORKSPACES,
    OBJECTS,
    CUSTOM_OBJECTS,
    OBJECTS_RULES,
    ROUTING,
    INTEGRATIONS,
)


@agent_page.only
def admin_page(_request: SandboxRequest, agent: Agent) -> None:
    """Open a page to admins only, and its forms only with their token."""
    if agent.user.role != "admin":
        raise AccessDenied("Admin Center is for admins")


def may_keep(agent: Agent, entry: NavigationEntry) -> bool:
    """Tell whether somebody may open a page: admins all, others where they keep their own."""
    return agent.user.role == "admin" or bool(entry.right and agent.user.keeps_own(entry.right))


def own_page(key: str) -> PageGuard[Agent]:
    """Open a page to those who may keep what is their own there: `key` is its entry's."""
    entry = next(item for section in SECTIONS for item in section.entries if item.key == key)

    @agent_page.only
    def guard(_request: SandboxRequest, agent: Agent) -> None:
        if not may_keep(agent, entry):
            raise AccessDenied(f"{entry.label} are for those who may keep their own")

    return guard


def sections_for(agent: Agent) -> tuple[NavigationSection, ...]:
    """Return the navigation of somebody: all of it for admins, what is personal for others."""
    if agent.user.role == "admin":
        return SECTIONS
    own = (
        NavigationSection(
            section.label, tuple(entry for entry in section.entries if may_keep(agent, entry))
        )
        for section in SECTIONS
    )
    return tuple(section for section in own if section.entries)


def page(
    request: SandboxRequest,
    agent: Agent,
    template: str,
    context: dict[str, Any],
    *,
    title: str,
    active: str,
    status: int = 200,
) -> HttpResponse:
    """Return a page of Admin Center; `active` names the entry it belongs to."""
    own = {
        "sections": sections_for(agent),
        "entry": active,
        "active_url": reverse(f"helpdesk:{active}"),
    }
    return shell.page(
        request,
        agent,
        template,
        {**own, **context},
        title=title,
        active="admin",
        status=status,
    )


@admin_page
def home(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show what can be set up, section by section."""
    context = {"sections": SECTIONS}
    return shell.page(
        request, agent, "helpdesk/admin/home.html", context, title="Admin Center", active="admin"
    )
