"""The job that starts the side conversations that rules ask for."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from clones.core import jobs
from clones.core.journal import act
from clones.helpdesk.domain.errors import HelpdeskError
from clones.helpdesk.domain.side_actions import START
from clones.helpdesk.domain.side_conversations import create_side_conversation, may_converse
from clones.helpdesk.domain.side_threads import NewMessage
from clones.helpdesk.domain.values import RuleSource, Via
from clones.helpdesk.models import Ticket, User


@jobs.handles(START)
def start(payload: dict[str, Any]) -> None:
    """Start a side conversation; one that is not possible (any more) is left out."""
    ticket = Ticket.objects.filter(id=payload["ticket"], deleted_at=None).first()
    kind, key, title, revision = payload["rule"]
    speaker = None if ticket is None else _speaker(ticket, payload["actor"])
    if ticket is None or speaker is None:
        return
    message = NewMessage(
        payload["to"],
        payload["subject"],
        None if payload["is_html"] else payload["body"],
        payload["body"] if payload["is_html"] else None,
    )
    way = RuleSource(kind, key, title, revision).via()
    with act(actor=f"helpdesk.{kind}:{key}", label=title[:200]):
        try:
            with transaction.atomic():
                create_side_conversation(
                    ticket, actor=speaker, message=message, via=Via("rule", way["source"])
                )
        except HelpdeskError:
            return


def _speaker(ticket: Ticket, key: int | None) -> User | None:
    """Return whose words they are: who set the rule off, else the assignee, else an admin."""
    for wanted in (key, ticket.assignee_id):
        user = User.objects.filter(id=wanted or 0, active=True).first()
        if user is not None and may_converse(user):
            return user
    return User.objects.filter(role="admin", active=True).order_by("id").first()
