"""Lists of people and of organizations."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, QuerySet
from django.http import HttpResponse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.paging import page_of
from clones.helpdesk.models import Organization
from clones.helpdesk.web import pages_queries, shell
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.lookups import organization_named, plain

ROLES = {
    "end-user": "Customers",
    "agent": "Agents",
    "admin": "Admins",
    "any": "Everybody",
}
STANDINGS = {"any": "Any access", "allowed": "Not suspended", "suspended": "Suspended"}


@agent_page
def customers(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the customers, or those people that a text and the filters find."""
    given = request.GET
    role, standing = given.get("role", "end-user"), given.get("access", "any")
    firm, firm_id = given.get("organization", "").strip(), given.get("organization_id", "")
    organization = organization_named(firm, firm_id)
    found = pages_queries.people_listed(
        plain(given.get("q", "")),
        role=role if role in ROLES else "end-user",
        standing=standing,
        organization=organization,
    )
    if firm and organization is None:
        found = found.none()
    shown = page_of(request, found)
    for user in shown.rows:
        sightings.note(user, "list")
    context: dict[str, Any] = {
        "page": shown,
        "wanted": given.get("q", ""),
        "roles": [(key, label, key == role) for key, label in ROLES.items()],
        "standings": [(key, label, key == standing) for key, label in STANDINGS.items()],
        "organization": firm,
        "organization_id": organization.id if organization is not None else "",
    }
    return shell.page(
        request, agent, "helpdesk/customers.html", context, title="Customers", active="customers"
    )


@agent_page
def organizations(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the organizations, or those whose name holds a text."""
    wanted = request.GET.get("q", "")
    found: QuerySet[Organization] = Organization.objects.annotate(people=Count("users"))
    if plain(wanted):
        found = found.filter(name__icontains=plain(wanted))
    shown = page_of(request, found.order_by("name", "id"))
    for organization in shown.rows:
        sightings.note(organization, "list")
    context = {"page": shown, "wanted": wanted}
    return shell.page(
        request,
        agent,
        "helpdesk/organizations.html",
        context,
        title="Organizations",
        active="organizations",
    )
