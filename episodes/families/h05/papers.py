"""The refund policy in a world: a macro and a note pinned for the team."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from clones.helpdesk.models import User
from episodes.families.h05.params import RefundPolicy
from episodes.tasks.team_documents import pin_note, publish_macro


def publish_policy(policy: RefundPolicy, lead: User, chance: Random, *, before: datetime) -> None:
    """Write the policy down some weeks before the complaint: a macro, and an internal ticket."""
    at = before - timedelta(days=chance.randrange(30, 45), minutes=chance.randrange(0, 600))
    publish_macro(
        "Billing::Refund policy",
        "What we may refund, and when to ask the lead",
        policy.text(),
        at=at,
    )
    pin_note("refund policy for the billing team", policy.text(), by=lead, at=at)
