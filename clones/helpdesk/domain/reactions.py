"""What follows from a change of a ticket: triggers, skills, SLAs, routing, news."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clones.helpdesk.domain import group_slas, metrics, skills, slas
from clones.helpdesk.domain.activities import tell_assignee
from clones.helpdesk.domain.audits import Recorder
from clones.helpdesk.domain.changes import snapshot
from clones.helpdesk.domain.child_tickets import follow_child
from clones.helpdesk.domain.notifications import Occasion, tell_followers
from clones.helpdesk.domain.routing import ask_for_routing
from clones.helpdesk.domain.triggers import Update, run_triggers
from clones.helpdesk.models import Comment, Ticket, TicketMetric, User


def react(
    ticket: Ticket,
    *,
    before: Mapping[str, Any] | None,
    metric: TicketMetric,
    recorder: Recorder,
    comment: Comment | None,
    actor: User | None,
) -> None:
    """Run the triggers over a change, then set skills and SLA clocks by what came of it.

    Followers are sent what was said. Where the account routes, a job follows that gives waiting
    tickets to agents. What happens on a child ticket goes into its side conversation. The assignee
    is told at last.

    `before` holds the values before the change, None for a new ticket.
    """
    update = Update(ticket, before, metric, recorder, comment, actor)
    written = snapshot(ticket)
    run_triggers(update)
    _tell_followers(update)
    final = snapshot(ticket)
    if final != written:
        metrics.note_changes(metric, written, final, comment=None)
        metrics.store(metric)
    if before is None:
        skills.apply_values(ticket, final)
    follow_levels(update, final)
    ask_for_routing()
    follow_child(
        ticket,
        before=before,
        comment=comment,
        actor=actor,
        channel=recorder.audit.via.get("channel", ""),
    )
    tell_assignee(update)


def _tell_followers(update: Update) -> None:
    via = {"channel": "system", "source": {"from": {}, "to": {}, "rel": None}}
    occasion = Occasion(update.recorder.audit, update.comment, update.actor, via)
    event = tell_followers(update.ticket, occasion)
    if event is not None:
        update.recorder.add([event])


def follow_levels(update: Update, values: Mapping[str, Any]) -> None:
    """Set the clocks of SLAs, the customers' and the groups', by an update."""
    slas.follow(update, values)
    group_slas.follow(update, values)


def stop_clocks(ticket: Ticket) -> None:
    """Drop the timers of a ticket that is gone."""
    slas.stop(ticket)
