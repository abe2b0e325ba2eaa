"""The policy where the products keep such things: a macro and a note pinned for the team."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from clones.core import clock, ids
from clones.core.journal import act
from clones.helpdesk.domain.tickets import create_ticket
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import Macro, User
from episodes.families.h05.params import RefundPolicy


def publish_policy(policy: RefundPolicy, lead: User, chance: Random, *, before: datetime) -> None:
    """Write the policy down some weeks before the complaint: a macro, and an internal ticket."""
    at = before - timedelta(days=chance.randrange(30, 45), minutes=chance.randrange(0, 600))
    with clock.at(at), act(actor="world", label="policy"):
        Macro.objects.create(
            id=ids.next_stamp(Macro),
            title="Billing::Refund policy",
            description="What we may refund, and when to ask the lead",
            actions=[
                {"field": "comment_value", "value": ["channel:all", policy.text()]},
                {"field": "comment_mode_is_public", "value": "false"},
            ],
            position=9999,
            active=True,
            created_at=clock.now(),
            updated_at=clock.now(),
        )
        create_ticket(
            actor=lead,
            changes={
                "subject": "PINNED: refund policy for the billing team",
                "tags": ["pinned"],
                "type": "task",
                "status": "open",
                "assignee_id": lead.id,
            },
            comment=NewComment(body=policy.text(), public=False),
            via=Via("web"),
            requester=lead,
        )
