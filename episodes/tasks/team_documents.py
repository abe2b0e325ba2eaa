"""Where the products keep what a team goes by: macros, and notes pinned for the team."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from clones.core import clock, ids
from clones.core.journal import act
from clones.helpdesk.domain.tickets import create_ticket
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import Macro, User


def publish_macro(title: str, description: str, text: str, *, at: datetime) -> Macro:
    """Keep a text in a macro for everybody, whose comment stays internal."""
    return _publish(title, description, [*_comment(text, public=False)], at=at)


def publish_answer(title: str, text: str, *, status: str, at: datetime) -> Macro:
    """Keep an answer to customers in a macro for everybody, which sets a status besides."""
    actions = [*_comment(text, public=True), {"field": "status", "value": status}]
    return _publish(title, "", actions, at=at)


def _comment(text: str, *, public: bool) -> list[dict[str, Any]]:
    return [
        {"field": "comment_value", "value": ["channel:all", text]},
        {"field": "comment_mode_is_public", "value": "true" if public else "false"},
    ]


def _publish(title: str, description: str, actions: list[dict[str, Any]], *, at: datetime) -> Macro:
    with clock.at(at), act(actor="world", label="policy"):
        return Macro.objects.create(
            id=ids.next_stamp(Macro),
            title=title,
            description=description,
            actions=actions,
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
