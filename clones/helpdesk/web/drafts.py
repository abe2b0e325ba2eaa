"""Drafts: what a ticket's page holds and was not sent is kept while an agent works elsewhere."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.utils.dateparse import parse_datetime

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text, was_sent
from clones.helpdesk import queries
from clones.helpdesk.domain.drafts import draft_key, save_draft
from clones.helpdesk.domain.presence import keep_form
from clones.helpdesk.models import Draft, Ticket, User
from clones.helpdesk.queries.presence import unsent_form
from clones.helpdesk.web import composer, form_values
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.composer import Composer
from clones.helpdesk.web.form_values import Values
from clones.helpdesk.web.sheet import PropertiesForm, macros_of


def composer_of(user: User, ticket: Ticket) -> Composer:
    """Return the composer with the agent's draft in it, if there is one."""
    draft = Draft.objects.filter(id=draft_key(ticket, user)).first()
    if draft is None:
        return Composer(public=ticket.is_public and not user.only_private_comments)
    return Composer(draft.body, draft.html, draft.public, is_draft=True)


def sheet_of(user: User, ticket: Ticket, *, is_open: bool) -> PropertiesForm:
    """Return a ticket's form as the agent left it.

    What they changed and did not send is in it only while the ticket's tab `is_open`: who closes a
    tab gives that up.
    """
    standing = form_values.values_of(ticket)
    sheet = PropertiesForm(dict(standing), standing, composer_of(user, ticket))
    kept = unsent_form(ticket, user) if is_open and ticket.status != "closed" else None
    if kept is not None:
        loaded = kept.form["loaded"]
        mine: Values = {**loaded, **kept.form["values"]}
        sheet.values = form_values.merged(loaded, mine, standing)
        sheet.macro_ids = tuple(kept.form["macro_ids"])
        sheet.unsent = True
    return sheet


@agent_page
def keep_draft(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Keep what the composer and the properties hold."""
    ticket = queries.ticket(agent.user, key)
    stamp = _stamp(request)
    if stamp is not None and request.method == "POST":
        written = composer.posted(request.POST, agent.user)
        save_draft(
            ticket,
            actor=agent.user,
            body=written.body,
            html=written.html,
            public=written.public,
            stamp=stamp,
        )
        if was_sent(request, "loaded"):
            keep_form(ticket, actor=agent.user, form=_form(request, ticket), stamp=stamp)
    return HttpResponse(status=204)


def _stamp(request: SandboxRequest) -> datetime | None:
    try:
        stamp = parse_datetime(posted_text(request, "stamp", strip=False))
    except ValueError:
        return None
    return stamp if stamp is not None and stamp.tzinfo is not None else None


def _form(request: SandboxRequest, ticket: Ticket) -> dict[str, Any]:
    """Return what of the form was changed since it was loaded, {} if nothing was."""
    loaded = form_values.loaded_values(request.POST, form_values.values_of(ticket))
    changed = form_values.differing(loaded, form_values.posted_values(request.POST, loaded))
    if not changed:
        return {}
    before = {name: loaded.get(name, "") for name in changed}
    return {"loaded": before, "values": changed, "macro_ids": list(macros_of(request.POST))}
