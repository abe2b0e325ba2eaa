"""Running triggers over an update."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from clones.core import clock
from clones.core.digits import is_digits
from clones.core.journal import act
from clones.helpdesk.domain import audits, metrics, sla_clocks
from clones.helpdesk.domain.audits import Event, Recorder
from clones.helpdesk.domain.changes import apply_changes, snapshot
from clones.helpdesk.domain.deliveries import call_webhook
from clones.helpdesk.domain.errors import HelpdeskError
from clones.helpdesk.domain.notifications import Occasion, send_notice
from clones.helpdesk.domain.side_actions import ask_to_start
from clones.helpdesk.domain.values import RuleSource
from clones.helpdesk.models import (
    Comment,
    CustomStatus,
    GroupMembership,
    Organization,
    Schedule,
    Ticket,
    TicketMetric,
    User,
)
from clones.helpdesk.queries.hot import ACTIVE_TRIGGERS
from clones.helpdesk.rules import lifecycle
from clones.helpdesk.rules.actions import effect_of
from clones.helpdesk.rules.conditions import Situation, UpdateComment, matches

# Conditions and actions come as their text: few triggers fire, and a text is read once.


@dataclass(slots=True)
class Update:
    """The update that triggers look at: the ticket, what it was, what was said, by whom."""

    ticket: Ticket
    before: Mapping[str, Any] | None
    metric: TicketMetric
    recorder: Recorder
    comment: Comment | None
    actor: User | None


@dataclass(frozen=True, slots=True)
class _Conditions:
    """The conditions that a text holds, and the fields and values that they name."""

    held: Mapping[str, list[dict[str, Any]]]
    named: frozenset[str]


@lru_cache(maxsize=4096)
def _read_conditions(text: str) -> _Conditions:
    held = json.loads(text)
    items = [item for name in ("all", "any") for item in held[name]]
    named = {item["field"] for item in items} | {str(item.get("value")) for item in items}
    return _Conditions(held, frozenset(named))


def run_triggers(update: Update) -> None:
    """Run the active triggers in order over an update.

    After one that changes the ticket the order starts again from the top; each fires once at most.
    What they do is added to the update's own audit.
    """
    triggers = [
        (key, title, revision, _read_conditions(conditions), actions)
        for key, title, revision, conditions, actions in ACTIVE_TRIGGERS.all()
    ]
    if not triggers:
        return
    fixed = _fixed_facts(update, _all_names(conditions for _, _, _, conditions, _ in triggers))
    fired: set[int] = set()
    situation = situation_of(update, fixed)
    at = 0
    while at < len(triggers):
        key, title, revision, conditions, actions = triggers[at]
        at += 1
        if key in fired or not matches(conditions.held, situation):
            continue
        fired.add(key)
        source = RuleSource("trigger", key, title, revision)
        with act(actor=f"helpdesk.trigger:{key}", label=title[:200]):
            changed = fire(update, json.loads(actions), source)
        if changed:
            situation = situation_of(update, fixed)
            at = 0


def fire(update: Update, rule_actions: list[dict[str, Any]], source: RuleSource) -> bool:
    """Do a rule's actions on an update's ticket; tell whether they changed it."""
    ticket = update.ticket
    before = snapshot(ticket)
    people = (list(ticket.email_cc_ids), list(ticket.follower_ids))
    actor = update.actor
    effect = effect_of(
        rule_actions,
        values=before,
        actor_id=actor.id if actor else None,
        actor_group=actor.default_group_id if actor else None,
    )
    for name, value in effect.changes.items():
        _change(ticket, name, value)
    events = audits.change_events(before, snapshot(ticket)) + audits.people_events(people, ticket)
    events += _reschedule(ticket, effect.schedule)
    changed = bool(events)
    if changed:
        ticket.updated_at = clock.now()
        ticket.save()
    via = source.via()
    occasion = Occasion(update.recorder.audit, update.comment, actor, via)
    told = [send_notice(ticket, notice, occasion) for notice in effect.notices]
    told += [call_webhook(ticket, call, via=via, actor=actor) for call in effect.calls]
    for start in effect.starts:
        ask_to_start(ticket, start, source=source, actor=actor)
    rows = [(kind, {**body, "via": via}) for kind, body in events]
    update.recorder.add([*rows, *(event for event in told if event is not None)])
    return changed


def _reschedule(ticket: Ticket, wanted: str | None) -> list[Event]:
    """Give the ticket the business hours that a rule wants; return the event that says so."""
    if wanted is None or not is_digits(wanted) or int(wanted) == ticket.schedule_id:
        return []
    if not Schedule.objects.filter(id=int(wanted)).exists():
        return []
    was = ticket.schedule_id
    sla_clocks.change_hours(ticket, int(wanted))
    shown = {"previous_schedule_id": None if was is None else str(was), "new_schedule_id": wanted}
    return [("ScheduleAssignment", shown)]


def _change(ticket: Ticket, name: str, value: Any) -> None:
    """Make one change of a rule; one that is not possible (any more) is left out."""
    try:
        applied = apply_changes(ticket, {name: value}, actor=None)
        move = lifecycle.Move(
            writer="system",
            asked=applied.asked_status,
            assigned=ticket.assignee_id is not None,
            newly=name == "assignee_id",
        )
        status = lifecycle.next_status(ticket.status, move)
    except (HelpdeskError, lifecycle.StatusRefused):
        return
    if status != ticket.status:
        ticket.status = status
        chosen = ticket.custom_status
        category = "solved" if status == "closed" else status
        if chosen is None or chosen.status_category != category:
            ticket.custom_status = (
                CustomStatus.objects.filter(status_category=category, default=True)
                .order_by("id")
                .first()
            )


def _all_names(conditions: Iterable[_Conditions]) -> frozenset[str]:
    """Return the fields and values that conditions name: other facts are not looked up."""
    return frozenset().union(*(held.named for held in conditions))


def _fixed_facts(update: Update, named: frozenset[str]) -> dict[str, Any]:
    """Return the facts that no trigger changes, of those that are named."""
    actor, comment, ticket = update.actor, update.comment, update.ticket
    groups: frozenset[int] = frozenset()
    if actor is not None and actor.is_agent and "current_groups" in named:
        found = GroupMembership.objects.filter(user=actor).values_list("group_id", flat=True)
        groups = frozenset(found)
    said = None
    if comment is not None:
        files = "attachment" in named and comment.attachments.exists()
        said = UpdateComment(comment.body, comment.public, files)
    return {
        "said": said,
        "actor_id": actor.id if actor else None,
        "actor_is_agent": actor is not None and actor.is_agent,
        "actor_groups": groups,
        "channel": ticket.via.get("channel", "api"),
        "current_channel": update.recorder.audit.via.get("channel", "api"),
        "asks_hours": "in_business_hours" in named,
        "today": clock.now().date(),
    }


def situation_of(update: Update, fixed: Mapping[str, Any]) -> Situation:
    """Return what rules see of an update at this moment."""
    ticket, metric = update.ticket, update.metric
    facts = dict(fixed)
    hours = metrics.hours_of(ticket) if facts.pop("asks_hours") else None
    organization: Organization | None = ticket.organization
    return Situation(
        values=snapshot(ticket),
        before=update.before,
        description=ticket.description,
        is_public=ticket.is_public,
        requester_fields=ticket.requester.user_fields,
        organization_fields=organization.organization_fields if organization else {},
        counters={
            "reopens": metric.reopens,
            "replies": metric.replies,
            "agent_stations": metric.assignee_stations,
            "group_stations": metric.group_stations,
        },
        in_business_hours=hours is None or hours.is_open(clock.now()),
        **facts,
    )
