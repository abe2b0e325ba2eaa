"""The home page: what waits for the agent."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.web import labels, pages_queries, shell
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.ticket_rows import columns_named, ticket_rows
from clones.helpdesk.web.times import Times

LIMIT = 30
COLUMNS = ("nice_id", "subject", "requester", "group", "priority", "updated")


@agent_page
def root(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Lead on to the home page."""
    return shell.go(reverse("helpdesk:home"))


@agent_page
def home(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Show the tickets that the agent has to do with, the longest waiting first."""
    waiting = pages_queries.my_open_tickets(agent.user).order_by("updated_at", "id")
    columns = columns_named(COLUMNS)
    times = Times(agent.user)
    sections = []
    for title, found in (
        ("Assigned to you", waiting.filter(assignee=agent.user)),
        ("Unassigned in your groups", waiting.filter(assignee=None)),
    ):
        rows = ticket_rows(list(found[:LIMIT]), times, columns)
        sections.append((title, found.count(), rows))
    counts = [
        (labels.STATUS_LABELS[status], count)
        for status, count in pages_queries.status_counts(agent.user)
    ]
    context = {"sections": sections, "counts": counts, "columns": columns}
    return shell.page(
        request, agent, "helpdesk/dashboard.html", context, title="Dashboard", active="home"
    )
