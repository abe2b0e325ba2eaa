"""What follows from a change of a ticket: triggers, service levels, then news for its assignee."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clones.helpdesk.domain import metrics, slas
from clones.helpdesk.domain.activities import tell_assignee
from clones.helpdesk.domain.audits import Recorder
from clones.helpdesk.domain.changes import snapshot
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
    """Run the triggers over a change, set the service-level clocks, and tell the assignee.

    `before` holds the values before the change, None for a new ticket.
    """
    update = Update(ticket, before, metric, recorder, comment, actor)
    written = snapshot(ticket)
    run_triggers(update)
    final = snapshot(ticket)
    if final != written:
        metrics.note_changes(metric, written, final, comment=None)
        metrics.store(metric)
    slas.follow(update, final)
    tell_assignee(update)


def stop_clocks(ticket: Ticket) -> None:
    """Drop the timers of a ticket that is gone."""
    slas.stop(ticket)
