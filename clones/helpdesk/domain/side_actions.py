"""Side conversations that rules start: asked for while the rule runs, started right after."""

from __future__ import annotations

from clones.core import clock, jobs
from clones.helpdesk.domain.notifications import placeholder_values
from clones.helpdesk.domain.values import RuleSource
from clones.helpdesk.models import Ticket, User
from clones.helpdesk.rules.actions import Start
from clones.helpdesk.rules.placeholders import names_in, render

START = "helpdesk.side_conversation_start"


def ask_to_start(ticket: Ticket, start: Start, *, source: RuleSource, actor: User | None) -> None:
    """Queue the start of a side conversation, its texts filled in as the ticket stands now."""
    wanted = names_in(start.subject) | names_in(start.body)
    values = placeholder_values(ticket, actor=actor, wanted=wanted)
    payload = {
        "ticket": ticket.id,
        "actor": None if actor is None else actor.id,
        "to": start.recipients(),
        "subject": render(start.subject, values),
        "body": render(start.body, values),
        "is_html": start.is_html,
        "rule": [source.kind, source.id, source.title, source.revision],
    }
    jobs.enqueue(START, due=clock.now(), payload=payload)
