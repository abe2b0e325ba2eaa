"""News for agents: what others do to the tickets that are assigned to them."""

from __future__ import annotations

from clones.core import clock, ids
from clones.helpdesk.domain.triggers import Update
from clones.helpdesk.models import PRIORITIES, Activity


def tell_assignee(update: Update) -> None:
    """Write what an update means to the ticket's assignee, unless it is their own doing.

    Runs after the triggers, so that what they changed counts as done by who set them off.
    """
    ticket = update.ticket
    assignee = ticket.assignee_id
    if assignee is None:
        return
    before, actor = update.before, update.actor.id if update.actor is not None else None
    verbs: list[str] = []
    if actor != assignee and (before is None or before["assignee_id"] != assignee):
        verbs.append("tickets.assignment")
    if before is not None:
        if update.comment is not None and update.comment.author_id != assignee:
            verbs.append("tickets.comment")
        if actor != assignee and _rank(ticket.priority) > _rank(before["priority"]):
            verbs.append("tickets.priority_increase")
    numbers = ids.next_stamps(Activity, len(verbs))
    said = update.comment
    Activity.objects.bulk_create(
        [
            Activity(
                id=number,
                user_id=assignee,
                actor_id=said.author_id if verb == "tickets.comment" and said else actor,
                verb=verb,
                ticket=ticket,
                comment=said if verb == "tickets.comment" else None,
                priority=ticket.priority if verb == "tickets.priority_increase" else None,
                created_at=clock.now(),
            )
            for number, verb in zip(numbers, verbs, strict=True)
        ]
    )


def _rank(priority: object) -> int:
    return PRIORITIES.index(str(priority)) if priority in PRIORITIES else -1
