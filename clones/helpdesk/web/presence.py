"""Who else has a ticket before them: told to those who open it."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse
from django.template.loader import render_to_string

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import was_sent
from clones.helpdesk import queries
from clones.helpdesk.domain.presence import leave_ticket, see_ticket
from clones.helpdesk.models import Ticket, User
from clones.helpdesk.queries.presence import viewers_of
from clones.helpdesk.web import labels
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.plain_pages import secured


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody who has the same ticket before them."""

    name: str
    initials: str
    hue: int


def viewers(ticket: Ticket, reader: User) -> list[Viewer]:
    """Return who else has a ticket before them, by name."""
    found = viewers_of([ticket.id], besides=reader).get(ticket.id, [])
    return [Viewer(user.name, labels.initials(user.name), labels.hue(user.id)) for user in found]


@agent_page
def presence(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Note that a ticket is before the agent, or no longer is, and tell who else is there."""
    ticket = queries.ticket(agent.user, key)
    if request.method == "POST":
        if was_sent(request, "left"):
            leave_ticket(ticket, actor=agent.user)
            return HttpResponse(status=204)
        see_ticket(ticket, actor=agent.user)
    html = render_to_string(
        "helpdesk/ticket/_viewers.html", {"viewers": viewers(ticket, agent.user)}
    )
    return secured(HttpResponse(html))
