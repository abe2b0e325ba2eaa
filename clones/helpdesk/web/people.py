"""Customers and organizations: lists, and the page of each."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, QuerySet
from django.http import HttpResponse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk import queries
from clones.helpdesk.models import Identity, Organization, User
from clones.helpdesk.web import labels, pages_queries, shell
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.paging import page_of
from clones.helpdesk.web.ticket_rows import NEEDED, columns_named, ticket_rows
from clones.helpdesk.web.times import Times

TICKET_COLUMNS = ("nice_id", "subject", "created", "updated", "group", "assignee")
LISTS = {
    "requested": "Requested tickets",
    "assigned": "Assigned tickets",
    "ccd": "CC'd tickets",
}


@agent_page
def customers(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the customers, or those that a text finds."""
    wanted = request.GET.get("q", "")
    shown = page_of(request, pages_queries.customers(wanted))
    for user in shown.rows:
        sightings.note(user, "list")
    context = {"page": shown, "wanted": wanted}
    return shell.page(
        request, agent, "helpdesk/customers.html", context, title="Customers", active="customers"
    )


@agent_page
def organizations(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List the organizations, or those whose name begins a certain way."""
    wanted = request.GET.get("q", "")
    found: QuerySet[Organization] = Organization.objects.annotate(people=Count("users"))
    if wanted.strip():
        found = found.filter(name__icontains=wanted.strip())
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


@agent_page
def user(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show a user with the tickets he asked for, has, or is copied on."""
    found = queries.user(key)
    sightings.note(found, "detail")
    chosen = request.GET.get("list", "requested")
    chosen = chosen if chosen in LISTS else "requested"
    seen = queries.visible_tickets(agent.user).select_related(*NEEDED)
    tickets = {
        "requested": seen.filter(requester=found),
        "assigned": seen.filter(assignee=found),
        "ccd": seen.filter(queries.copied_to(found)),
    }
    shown = page_of(request, tickets[chosen].order_by("-created_at", "-id"))
    times = Times(agent.user)
    context = {
        "user": found,
        "initials": labels.initials(found.name),
        "hue": labels.hue(found.id),
        "role": labels.ROLE_LABELS[found.role],
        "identities": Identity.objects.filter(user=found).order_by("-primary", "id"),
        "organization": found.organization,
        "created": times.show(found.created_at),
        "lists": [(name, LISTS[name], rows.count()) for name, rows in tickets.items()],
        "chosen": chosen,
        **_table(shown, times),
    }
    return shell.page(
        request, agent, "helpdesk/user.html", context, title=found.name, active="customers"
    )


@agent_page
def organization(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show an organization with its tickets and people."""
    found = queries.organization(key)
    sightings.note(found, "detail")
    members = list(
        User.objects.filter(organization=found, active=True).order_by("name", "id")[:100]
    )
    for member in members:
        sightings.note(member, "list")
    rows = queries.visible_tickets(agent.user).filter(organization=found).select_related(*NEEDED)
    shown = page_of(request, rows.order_by("-created_at", "-id"))
    times = Times(agent.user)
    context = {
        "organization": found,
        "members": members,
        "created": times.show(found.created_at),
        **_table(shown, times),
    }
    return shell.page(
        request,
        agent,
        "helpdesk/organization.html",
        context,
        title=found.name,
        active="organizations",
    )


def _table(shown: Any, times: Times) -> dict[str, Any]:
    columns = columns_named(TICKET_COLUMNS)
    rows = ticket_rows(shown.rows, times, columns)
    return {"page": shown, "columns": columns, "rows": rows}
