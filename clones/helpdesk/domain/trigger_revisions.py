"""Revisions of triggers: what each was after every edit, and who made it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from clones.core import clock, counters
from clones.helpdesk.models import Trigger, TriggerRevision, User
from clones.helpdesk.queries.trigger_revisions import SYSTEM, snapshot_of


def count_revision(trigger: Trigger, before: dict[str, Any], *, actor: User) -> None:
    """Count an edit that changed what a trigger says or does, and keep both ends of it.

    Its place among others is no part of that. What it was before is kept if nothing was yet:
    triggers that a world was built with have no revisions until somebody edits them. The trigger
    itself is changed in memory only.
    """
    after = snapshot_of(trigger)
    if after == before:
        return
    if not TriggerRevision.objects.filter(trigger_id=trigger.id).exists():
        _keep(trigger, before, SYSTEM, trigger.updated_at)
    trigger.revision += 1
    _keep(trigger, after, actor.id, clock.now())


def begin_revisions(trigger: Trigger, *, actor: User) -> None:
    """Keep what a new trigger, already written, begins with."""
    _keep(trigger, snapshot_of(trigger), actor.id, trigger.created_at)


def _keep(trigger: Trigger, snapshot: dict[str, Any], author: int, moment: datetime) -> None:
    TriggerRevision.objects.create(
        # A counter of its own, as of audit logs: no other row's number moves with it.
        id=counters.take("helpdesk.triggerrevision.serial"),
        trigger=trigger,
        number=trigger.revision,
        author_id=author,
        snapshot=snapshot,
        created_at=moment,
    )
