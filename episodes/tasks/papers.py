"""Policies where the products keep such things: a macro's text, and a note pinned for the team."""

from __future__ import annotations

from datetime import datetime

from clones.core import clock, ids
from clones.core.journal import act
from clones.helpdesk.domain.tickets import create_ticket
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import Macro, User


def publish_macro(title: str, description: str, text: str, *, at: datetime) -> Macro:
    """Keep a text in a macro for everybody, whose comment stays internal."""
    with clock.at(at), act(actor="world", label="policy"):
        return Macro.objects.create(
            id=ids.next_stamp(Macro),
            title=title,
            description=description,
            actions=[
                {"field": "comment_value", "value": ["channel:all", text]},
                {"field": "comment_mode_is_public", "value": "false"},
            ],
            position=9999,
            active=True,
            created_at=clock.now(),
            updated_at=clock.now(),
        )


def pin_note(subject: str, text: str, *, by: User, at: datetime) -> int:
    """Keep a text in an internal ticket of somebody's own, and return the ticket's number."""
    with clock.at(at), act(actor="world", label="policy"):
        audit = create_ticket(
            actor=by,
            changes={
                "subject": f"PINNED: {subject}",
                "tags": ["pinned"],
                "type": "task",
                "status": "open",
                "assignee_id": by.id,
            },
            comment=NewComment(body=text, public=False),
            via=Via("web"),
            requester=by,
        )
    return audit.ticket_id
