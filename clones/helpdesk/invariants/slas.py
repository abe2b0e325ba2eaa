"""SLAs of tickets: whoever is owed an answer has a clock, and a clock that runs has its timer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from clones.core import clock
from clones.core.invariants import wrong_timers
from clones.helpdesk.domain.sla_clocks import BREACH
from clones.helpdesk.models import SlaClock, SlaPolicy, Ticket
from clones.helpdesk.rules import sla
from clones.helpdesk.rules.conditions import VALUE_FIELDS, Situation, matches

SEEN = ("subject", "tags", *VALUE_FIELDS)


def slas() -> Iterator[str]:
    """Check the clocks of open tickets, the timers of running ones, and what was breached."""
    clocks: dict[int, dict[str, Mapping[str, Any]]] = {}
    row: Mapping[str, Any]
    for row in SlaClock.objects.order_by("ticket_id", "metric", "instance").values():
        clocks.setdefault(row["ticket_id"], {})[row["metric"]] = row
        yield from _breach(row, clock.now())
    yield from _timers()
    policies = list(SlaPolicy.objects.order_by("position", "id"))
    tickets = Ticket.objects.exclude(status__in=sla.DONE).filter(deleted_at=None)
    for ticket in tickets.order_by("id"):
        yield from _clocks(ticket, policies, clocks.get(ticket.id, {}))


def _clocks(
    ticket: Ticket, policies: list[SlaPolicy], clocks: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    """Check that an open ticket has the policy and the clocks that it should have."""
    name, values = f"ticket {ticket.id}", {item: getattr(ticket, item) for item in SEEN}
    channel = ticket.via["channel"]
    situation = Situation(values, None, ticket.description, None, ticket.is_public, channel=channel)
    policy = next((item for item in policies if matches(item.filter, situation)), None)
    targets = {
        item["metric"]: item["target"]
        for item in (policy.policy_metrics if policy is not None else [])
        if item["priority"] == ticket.priority
    }
    wanted = policy.id if policy is not None and targets else None
    if ticket.sla_policy_id != wanted:
        yield f"{name} has SLA {ticket.sla_policy_id}, not {wanted}"
    for metric, target in targets.items():
        if metric not in sla.RUNNING or metric.endswith("update_time"):
            continue
        state = "active" if ticket.status in sla.RUNNING[metric] else "paused"
        found = clocks.get(metric)
        if found is None or (found["state"], found["target_minutes"]) != (state, target):
            yield f"{name}: its clock of {metric} is not {state} at {target} minutes"


def _timers() -> Iterator[str]:
    """Check that clocks that run to their target have one timer each, and no others have."""
    running = SlaClock.objects.filter(state="active", breached=False).exclude(breach_at=None)
    wanted = dict(running.values_list("id", "breach_at"))
    return wrong_timers(BREACH, key="clock", wanted=wanted, called="clock")


def _breach(row: Mapping[str, Any], present: datetime) -> Iterator[str]:
    """Check that a clock is breached if and only if its target passed while it ran."""
    name = f"clock {row['id']} of ticket {row['ticket_id']}"
    until = row["ended_at"] or present
    if row["breached"] and (row["breach_at"] is None or row["breach_at"] > until):
        yield f"{name} is breached before its time"
    if row["state"] == "active" and not row["breached"]:
        due = row["breach_at"]
        if due is not None and due <= present:
            yield f"{name} is not breached, its target passed at {due}"
