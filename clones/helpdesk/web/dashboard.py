"""The home page: what waits for the agent, what is new, and how it went."""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpResponse
from django.urls import reverse

from clones.core import clock, sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.api.presenters.desks import activity_title
from clones.helpdesk.models import User
from clones.helpdesk.rules.reporting import in_words, score
from clones.helpdesk.web import labels, pages_queries, shell
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.ticket_rows import columns_named, ticket_rows
from clones.helpdesk.web.times import Times

LIMIT = 30
NEWS = 12
WEEK = timedelta(days=7)
SIXTY_DAYS = timedelta(days=60)
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
    context = {
        "sections": sections,
        "counts": counts,
        "columns": columns,
        "targets": _targets(agent.user),
        "news": _news(agent.user, times),
        "statistics": _statistics(agent.user),
    }
    return shell.page(
        request, agent, "helpdesk/dashboard.html", context, title="Dashboard", active="home"
    )


def _targets(agent: User) -> list[dict[str, object]]:
    """Return the agent's tickets whose targets are breached, or come next."""
    now = clock.now()
    found: list[dict[str, object]] = []
    for target in pages_queries.next_targets(agent, limit=NEWS):
        sightings.note(target.ticket, "list")
        left = int((target.breach_at - now).total_seconds()) if target.breach_at else 0
        words = in_words(abs(left))
        found.append(
            {
                "ticket": target.ticket,
                "badge": labels.status_badge(target.ticket.status),
                "metric": labels.SLA_LABELS.get(target.metric, target.metric),
                "left": words if left >= 0 else f"-{words}",
                "breached": left < 0,
            }
        )
    return found


def _news(agent: User, times: Times) -> list[dict[str, object]]:
    """Return what others did to the agent's tickets lately, newest first."""
    found: list[dict[str, object]] = []
    for activity in pages_queries.news_of(agent, limit=NEWS):
        sightings.note(activity, "list")
        sightings.note(activity.ticket, "list")
        found.append(
            {
                "text": activity_title(activity),
                "ticket": activity.ticket,
                "time": times.show(activity.created_at),
            }
        )
    return found


def _statistics(agent: User) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the numbers at the page's side, under their headings."""
    now = clock.now()
    week = pages_queries.ratings_of(agent, since=now - WEEK)
    own = pages_queries.ratings_of(agent, since=now - SIXTY_DAYS)
    everyone = pages_queries.ratings_of(None, since=now - SIXTY_DAYS)
    solved = pages_queries.solved_by(agent, since=now - WEEK)
    yours, groups = pages_queries.open_counts(agent)
    return [
        ("Open tickets (current)", [("You", str(yours)), ("Groups", str(groups))]),
        (
            "Ticket statistics (last 7 days)",
            [("Good", str(week[0])), ("Bad", str(week[1])), ("Solved", str(solved))],
        ),
        (
            "Satisfaction statistics (60 days)",
            [("You", _percent(own)), ("Everyone", _percent(everyone))],
        ),
    ]


def _percent(ratings: tuple[int, int]) -> str:
    found = score(*ratings)
    return "-" if found is None else f"{found}%"
