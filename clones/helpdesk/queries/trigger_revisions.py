"""Reads of triggers' revisions."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.models import Trigger, TriggerRevision

SYSTEM = -1


def snapshot_of(trigger: Trigger) -> dict[str, Any]:
    """Return what revisions keep of a trigger."""
    return {
        "title": trigger.title,
        "description": trigger.description,
        "active": trigger.active,
        "conditions": deepcopy(trigger.conditions),
        "actions": deepcopy(trigger.actions),
    }


def revisions_of(trigger: Trigger) -> list[TriggerRevision]:
    """Return a trigger's revisions, the latest first.

    One that nobody edited since its world was built has one, which is written nowhere.
    """
    rows = TriggerRevision.objects.filter(trigger=trigger).order_by("-number")
    return list(rows) or [
        TriggerRevision(
            trigger=trigger,
            number=trigger.revision,
            author_id=SYSTEM,
            snapshot=snapshot_of(trigger),
            created_at=trigger.updated_at,
        )
    ]


def revision_of(trigger: Trigger, number: int) -> TriggerRevision:
    """Return a revision of a trigger by its number.

    Raises:
        RecordNotFound: there is none.
    """
    found = next((row for row in revisions_of(trigger) if row.number == number), None)
    if found is None:
        raise RecordNotFound("trigger revision", number)
    return found
