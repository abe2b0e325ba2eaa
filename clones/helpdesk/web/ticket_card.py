"""The card of a ticket that shows while the mouse rests on its row."""

from __future__ import annotations

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.text import Truncator

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk import queries
from clones.helpdesk.models import Comment
from clones.helpdesk.web import labels
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.plain_pages import secured
from clones.helpdesk.web.times import Times

LENGTH = 400


@agent_page
def ticket_card(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show a ticket in brief: what it is about, and what was said last."""
    ticket = queries.ticket(agent.user, key)
    sightings.note(ticket, "list")
    last = Comment.objects.filter(ticket=ticket).select_related("author")
    comment = last.order_by("-created_at", "-id").first()
    times = Times(agent.user)
    context = {
        "ticket": ticket,
        "badge": labels.status_badge(ticket.status),
        "comment": comment,
        "text": Truncator(comment.body).chars(LENGTH) if comment is not None else "",
        "said": times.show(comment.created_at) if comment is not None else None,
        "opened": times.show(ticket.created_at),
        "priority": labels.PRIORITY_LABELS.get(ticket.priority or "", "-"),
        "type": labels.TYPE_LABELS.get(ticket.type or "", "-"),
    }
    if comment is not None:
        sightings.note(comment, "list")
    return secured(HttpResponse(render_to_string("helpdesk/_ticket_card.html", context)))
