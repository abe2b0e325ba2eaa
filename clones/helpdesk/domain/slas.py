"""Service levels: which policy a ticket has, and its clocks."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from clones.core import clock, ids, jobs
from clones.core.journal import act
from clones.core.prepared import Prepared
from clones.core.rows import insert_row, update_row
from clones.helpdesk.domain import metrics
from clones.helpdesk.domain.triggers import Update
from clones.helpdesk.models import Comment, MetricEvent, SlaClock, SlaPolicy, Ticket
from clones.helpdesk.queries.situations import situation_at_rest
from clones.helpdesk.rules import sla
from clones.helpdesk.rules.conditions import matches

BREACH = "helpdesk.sla_breach"
Target = tuple[int, bool]

_POLICIES: Prepared[SlaPolicy] = Prepared(lambda: SlaPolicy.objects.order_by("position", "id"))
_CLOCKS: Prepared[SlaClock] = Prepared(
    lambda ticket: SlaClock.objects.filter(ticket_id=ticket).order_by("metric", "instance"), int
)
_PUBLIC_COMMENTS: Prepared[tuple[int, str]] = Prepared(
    lambda ticket: (
        Comment.objects.filter(ticket_id=ticket, public=True)
        .order_by("created_at", "id")
        .values_list("id", "author__role")
    ),
    int,
)


def follow(update: Update, values: Mapping[str, Any]) -> None:
    """Choose the ticket's policy anew and turn its clocks by an update."""
    ticket = update.ticket
    policies = _POLICIES.all()
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
        jobs.cancel(_key(found.id))
        found.breach_at = None
        update_row(found, ("breach_at",))


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
    return {item.metric: item for item in _CLOCKS.all(ticket.id)}


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
        update_row(ticket, ("sla_policy_id",))
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
    history = _PUBLIC_COMMENTS.all(ticket.id)
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
        _retarget(found, target, policy)
    for turn in sla.turns(name, state, facts):
        if turn == "activate":
            if target is None:
                return
            found = _activate(ticket, name, found, target, policy)
        elif found is None:
            continue
        elif turn == "pause":
            _pause(found)
        elif turn == "resume":
            _resume(found)
        else:
            _fulfill(found)


def _activate(
    ticket: Ticket, name: str, before: SlaClock | None, target: Target, policy: SlaPolicy | None
) -> SlaClock:
    start = _start_of(ticket, name, before)
    instance = 1 if before is None else before.instance + 1
    if name == "next_reply_time" and before is None:
        instance = 2
    made = insert_row(
        SlaClock(
            id=ids.next_stamp(SlaClock),
            ticket=ticket,
            metric=name,
            instance=instance,
            state="active",
            target_minutes=target[0],
            business_hours=target[1],
            started_at=start,
            running_since=start,
        )
    )
    _note(made, "activate", time=start)
    _note_target(made, policy)
    _set_timer(made)
    return made


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


def _retarget(found: SlaClock, target: Target | None, policy: SlaPolicy | None) -> None:
    new = target or (None, found.business_hours)
    if (found.target_minutes, found.business_hours) == new:
        return
    found.target_minutes, found.business_hours = new
    found.breached = False
    update_row(found)
    if target is not None:
        _note_target(found, policy)
    _set_timer(found)


def _pause(found: SlaClock) -> None:
    _stop_running(found)
    found.state = "paused"
    found.breach_at = found.breach_at if found.breached else None
    update_row(found)
    _note(found, "pause")


def _resume(found: SlaClock) -> None:
    found.state = "active"
    found.running_since = clock.now()
    update_row(found)
    _note(found, "activate")
    _set_timer(found)


def _fulfill(found: SlaClock) -> None:
    _stop_running(found)
    found.state = "fulfilled"
    found.ended_at = clock.now()
    update_row(found)
    _note(found, "fulfill")
    minutes = found.used_seconds // 60
    calendar = int((clock.now() - found.started_at).total_seconds()) // 60
    business = minutes if found.business_hours else calendar
    _note(found, "update_status", status={"calendar": calendar, "business": business})


def _stop_running(found: SlaClock) -> None:
    jobs.cancel(_key(found.id))
    if found.running_since is not None:
        hours = metrics.default_hours() if found.business_hours else None
        found.used_seconds += sla.used_between(found.running_since, clock.now(), hours)
        found.running_since = None


def _set_timer(found: SlaClock) -> None:
    """Set when a running clock will be breached, and the job that marks it."""
    jobs.cancel(_key(found.id))
    if found.running_since is None or found.target_minutes is None:
        found.breach_at = None
    else:
        hours = metrics.default_hours() if found.business_hours else None
        found.breach_at = sla.breach_moment(
            found.running_since, found.used_seconds, found.target_minutes, hours
        )
    update_row(found, ("breach_at",))
    if found.breach_at is not None and not found.breached:
        due = max(found.breach_at, clock.now())
        start_timer(found.id, due=due)


def start_timer(clock_id: int, *, due: datetime) -> None:
    """Set the job that marks a clock as breached, unless it has stopped by then."""
    jobs.enqueue(BREACH, due=due, payload={"clock": clock_id}, key=_key(clock_id))


@jobs.handles(BREACH)
def breach(payload: dict[str, Any]) -> None:
    """Mark a clock that reached its target while it ran."""
    found = SlaClock.objects.filter(id=payload["clock"], state="active", breached=False).first()
    if found is None or found.breach_at is None or found.breach_at > clock.now():
        return
    with act(actor="helpdesk.sla", label=f"{found.metric} of ticket {found.ticket_id} breached"):
        found.breached = True
        update_row(found, ("breached",))
        _note(found, "breach", time=found.breach_at, deleted=False)


def _key(clock_id: int) -> str:
    return f"helpdesk.sla:{clock_id}"


def _note(found: SlaClock, kind: str, *, time: datetime | None = None, **body: Any) -> None:
    insert_row(
        MetricEvent(
            id=ids.next_stamp(MetricEvent),
            ticket_id=found.ticket_id,
            metric=sla.EVENT_NAMES.get(found.metric, found.metric),
            instance_id=found.instance,
            type=kind,
            time=time or clock.now(),
            body=body,
        )
    )


def _note_target(found: SlaClock, policy: SlaPolicy | None) -> None:
    if policy is None:
        return
    shown = {"id": policy.id, "title": policy.title, "description": policy.description}
    target = {
        "target": found.target_minutes,
        "business_hours": found.business_hours,
        "policy": shown,
    }
    _note(found, "apply_sla", sla=target)
