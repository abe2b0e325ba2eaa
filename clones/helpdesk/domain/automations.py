"""Automations: the rules that run over all open work once an hour."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from clones.core import clock, jobs
from clones.core.journal import act
from clones.core.models import Job
from clones.helpdesk.domain import audits, metrics
from clones.helpdesk.domain.activities import tell_assignee
from clones.helpdesk.domain.changes import snapshot
from clones.helpdesk.domain.reactions import follow_levels
from clones.helpdesk.domain.triggers import Update, fire, run_triggers
from clones.helpdesk.domain.values import RuleSource
from clones.helpdesk.models import Audit, Automation, Ticket
from clones.helpdesk.queries.automations import tickets_for
from clones.helpdesk.queries.hot import ACTIVE_AUTOMATIONS, TICKET_WITH_PEOPLE

KIND = "helpdesk.automations"
HOUR = timedelta(hours=1)
# The sweeps do not fall on the hour.
OFFSET = timedelta(minutes=23)
RUNS_PER_TICKET = 100


def start_sweeps() -> None:
    """Set the hourly sweep, unless it is set already."""
    if Job.objects.filter(kind=KIND, state="pending").exists():
        return
    now = clock.now()
    due = now.replace(minute=0, second=0, microsecond=0) + OFFSET
    jobs.enqueue(KIND, due=due if due > now else due + HOUR, key=KIND)


@jobs.handles(KIND, every=HOUR)
def sweep(payload: dict[str, Any]) -> None:
    """Run every active automation, in order, over the tickets that are not closed.

    Hour counters count sweeps: the first one after a condition came true finds 0. An automation
    works on at most a thousand tickets per sweep, and a ticket bears a hundred of them.
    """
    now = clock.now()
    for automation in ACTIVE_AUTOMATIONS.all():
        for key in tickets_for(json.dumps(automation.conditions)).all(now):
            (ticket,) = TICKET_WITH_PEOPLE.all(key)
            run_automation(automation, ticket)


def run_automation(automation: Automation, ticket: Ticket) -> None:
    """Do an automation's actions on a ticket that meets its conditions, and what follows."""
    via = {"channel": "rule", "source__rel": "automation"}
    done = Audit.objects.filter(ticket=ticket, **{f"via__{name}": via[name] for name in via})
    if done.count() >= RUNS_PER_TICKET:
        return
    source = RuleSource("automation", automation.id, automation.title, automation.revision)
    with act(actor=f"helpdesk.automation:{automation.id}", label=automation.title[:200]):
        before = snapshot(ticket)
        metric = metrics.metric_of(ticket)
        recorder = audits.open_audit(ticket, author=None, via=source.via(), client=None)
        update = Update(ticket, before, metric, recorder, None, None)
        fire(update, automation.actions, source)
        if recorder.count == 0:
            recorder.audit.delete()
            return
        after = snapshot(ticket)
        if after != before:
            metrics.note_changes(metric, before, after, comment=None)
            metric.save()
            run_triggers(update)
            final = snapshot(ticket)
            if final != after:
                metrics.note_changes(metric, after, final, comment=None)
                metric.save()
            follow_levels(update, final)
            tell_assignee(update)
