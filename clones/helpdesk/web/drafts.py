"""Drafts: what the composer holds is kept while an agent works elsewhere."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.dateparse import parse_datetime

from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk import queries
from clones.helpdesk.domain.drafts import draft_key, save_draft
from clones.helpdesk.models import Draft, Ticket, User
from clones.helpdesk.web import composer
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.composer import Composer


def composer_of(user: User, ticket: Ticket) -> Composer:
    """Return the composer with the agent's draft in it, if there is one."""
    draft = Draft.objects.filter(id=draft_key(ticket, user)).first()
    if draft is None:
        return Composer(public=ticket.is_public and not user.only_private_comments)
    return Composer(draft.body, draft.html, draft.public, is_draft=True)


@agent_page
def keep_draft(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Keep what the composer holds."""
    ticket = queries.ticket(agent.user, key)
    written = composer.posted(request.POST, agent.user)
    try:
        stamp = parse_datetime(request.POST.get("stamp", ""))
    except ValueError:
        stamp = None
    if stamp is not None and stamp.tzinfo is not None and request.method == "POST":
        save_draft(
            ticket,
            actor=agent.user,
            body=written.body,
            html=written.html,
            public=written.public,
            stamp=stamp,
        )
    return HttpResponse(status=204)
