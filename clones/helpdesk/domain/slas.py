"""SLAs of tickets: which policy a ticket has, and what its clocks do."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from clones.core import clock
from clones.helpdesk.domain import sla_clocks
from clones.helpdesk.domain.sla_clocks import Source, Target
from clones.helpdesk.domain.triggers import Update
from clones.helpdesk.models import Comment, SlaClock, SlaPolicy, Ticket
from clones.helpdesk.queries.hot import AUTHORS_OF_PUBLIC_COMMENTS, CLOCKS_OF_TICKET, SLA_POLICIES
from clones.helpdesk.queries.situations import situation_at_rest
from clones.helpdesk.rules import sla
from clones.helpdesk.rules.conditions import matches


def follow(update: Update, values: Mapping[str, Any]) -> None:
    """Choose the ticket's policy anew and turn its clocks by an update."""
    ticket = update.ticket
    policies = SLA_POLICIES.all()
    if not policies and ticket.sla_policy_id is None:
        return
    policy = _policy_of(ticket, values, policies)
    targets = _targets(policy, ticket.priority)
    clocks = _latest_clocks(ticket)
    if not targets and not clocks:
        return
    _note_policy(update, policy, targets, policies=policies, clocks=clocks)
    facts = _facts(update)
    for name in sla.METRICS:
        found = clocks.get(name)
        target = targets.get(name)
        if found is None and target is None:
            continue
        _turn(ticket, name, found=found, target=target, facts=facts, policy=policy)


def stop(ticket: Ticket) -> None:
    """Drop the timers of a ticket; its clocks stand still."""
    for found in SlaClock.objects.filter(ticket=ticket, state="active").order_by("id"):
        sla_clocks.stop(found)


def _policy_of(
    ticket: Ticket, values: Mapping[str, Any], policies: list[SlaPolicy]
) -> SlaPolicy | None:
    situation = situation_at_rest(ticket, values)
    for policy in policies:
        if matches(policy.filter, situation):
            return policy
    return None


def _targets(policy: SlaPolicy | None, priority: str | None) -> dict[str, Target]:
    if policy is None or priority is None:
        return {}
    return {
        item["metric"]: (int(item["target"]), bool(item.get("business_hours")))
        for item in policy.policy_metrics
        if item["priority"] == priority and item["metric"] in sla.METRICS
    }


def _latest_clocks(ticket: Ticket) -> dict[str, SlaClock]:
    found = CLOCKS_OF_TICKET.all(ticket.id)
    for item in found:
        item.ticket = ticket  # whose business hours they ask for
    return {item.metric: item for item in found}


def _note_policy(
    update: Update,
    policy: SlaPolicy | None,
    targets: dict[str, Target],
    *,
    policies: list[SlaPolicy],
    clocks: dict[str, SlaClock],
) -> None:
    """Keep the ticket's policy, with the events that say which targets changed.

    A clock that has not started yet shows its target too: what it was, the ticket's last policy
    and priority tell.
    """
    ticket = update.ticket
    key = policy.id if policy is not None and targets else None
    last = next((item for item in policies if item.id == ticket.sla_policy_id), None)
    known = _targets(last, (update.before or {}).get("priority"))
    events: list[tuple[str, dict[str, Any]]] = []
    if key != ticket.sla_policy_id:
        title = policy.title if key and policy else None
        was = last.title if last is not None else None
        shown = {"field_name": "sla_policy", "value": title, "previous_value": was}
        events.append(("Change", shown))
        ticket.sla_policy_id = key
        ticket.save(update_fields=("sla_policy_id",))
    for name in sla.METRICS:
        found = clocks.get(name)
        if found is not None and found.state == "fulfilled":
            continue
        old, new = known.get(name), targets.get(name)
        if found is not None:
            minutes = found.target_minutes
            old = None if minutes is None else (minutes, found.business_hours)
        if old != new:
            body = {"field_name": name, "value": _shown(new), "previous_value": _shown(old)}
            events.append(("Change", body))
    update.recorder.add(events)


def _shown(target: Target | None) -> dict[str, Any] | None:
    if target is None:
        return None
    return {"minutes": target[0], "in_business_hours": target[1]}


def _facts(update: Update) -> sla.Facts:
    comment, ticket = update.comment, update.ticket
    public = comment is not None and comment.public
    by_agent = comment is not None and comment.author.is_agent
    created = update.before is None
    history = AUTHORS_OF_PUBLIC_COMMENTS.all(ticket.id)
    answers = [index for index, (_, role) in enumerate(history) if index and role != "end-user"]
    before = [index for index in answers if comment is None or history[index][0] != comment.id]
    waiting = bool(history) and history[-1][1] == "end-user"
    return sla.Facts(
        status=ticket.status,
        answered=public and by_agent and not created,
        asked=public and not by_agent,
        replied_before=bool(before),
        waiting=waiting,
    )


def _turn(
    ticket: Ticket,
    name: str,
    *,
    found: SlaClock | None,
    target: Target | None,
    facts: sla.Facts,
    policy: SlaPolicy | None,
) -> None:
    state: sla.State | None = None
    if found is not None:
        state = "active" if found.state == "active" else found.state  # type: ignore[assignment]
    if found is not None and found.state != "fulfilled":
        sla_clocks.retarget(found, target, _source(policy))
    for turn in sla.turns(name, state, facts):
        if turn == "activate":
            if target is None:
                return
            found = _activate(ticket, name, found, target, policy)
        elif found is None:
            continue
        elif turn == "pause":
            sla_clocks.pause(found)
        elif turn == "resume":
            sla_clocks.resume(found)
        else:
            sla_clocks.fulfill(found)


def _activate(
    ticket: Ticket, name: str, before: SlaClock | None, target: Target, policy: SlaPolicy | None
) -> SlaClock:
    start = _start_of(ticket, name, before)
    instance = 1 if before is None else before.instance + 1
    if name == "next_reply_time" and before is None:
        instance = 2
    made = sla_clocks.new_clock(ticket, name, instance=instance, since=start, target=target)
    return sla_clocks.start(made, _source(policy))


def _start_of(ticket: Ticket, name: str, before: SlaClock | None) -> datetime:
    """Return since when a clock counts: a policy that comes late counts what has passed."""
    if before is not None or name in ("periodic_update_time", "pausable_update_time"):
        return clock.now()
    if name == "next_reply_time":
        return _waiting_since(ticket)
    return ticket.created_at


def _waiting_since(ticket: Ticket) -> datetime:
    """Return when the oldest public comment came that nobody has answered."""
    since = clock.now()
    said = Comment.objects.filter(ticket=ticket, public=True).order_by("-created_at", "-id")
    for moment, role in said.values_list("created_at", "author__role"):
        if role != "end-user":
            break
        since = moment
    return since


def _source(policy: SlaPolicy | None) -> Source | None:
    return None if policy is None else Source("sla", policy.id, policy.title, policy.description)
