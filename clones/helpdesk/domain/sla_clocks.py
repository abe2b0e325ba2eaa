"""Clocks of SLAs: they run, stand still, end, and are breached.

Which clock does what and when is said elsewhere: by policies of tickets and of groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from clones.core import clock, ids, jobs
from clones.core.journal import act
from clones.helpdesk.domain import metrics
from clones.helpdesk.models import MetricEvent, SlaClock, Ticket
from clones.helpdesk.rules import sla

BREACH = "helpdesk.sla_breach"
Target = tuple[int, bool]  # minutes, and whether they are those of business hours


@dataclass(frozen=True, slots=True)
class Source:
    """The policy that a target comes from; `kind` says under which name events tell of it."""

    kind: Literal["sla", "group_sla"]
    id: int | str
    title: str
    description: str


def new_clock(
    ticket: Ticket, metric: str, *, instance: int, since: datetime, target: Target
) -> SlaClock:
    """Return an unsaved clock that counts since a moment."""
    return SlaClock(
        id=ids.next_stamp(SlaClock),
        ticket=ticket,
        metric=metric,
        instance=instance,
        state="active",
        target_minutes=target[0],
        business_hours=target[1],
        started_at=since,
        running_since=since,
    )


def start(made: SlaClock, source: Source | None) -> SlaClock:
    """Write a new clock, and let it run."""
    made.save(force_insert=True)
    _note(made, "activate", time=made.started_at)
    _note_target(made, source)
    _set_timer(made)
    return made


def stop(found: SlaClock) -> None:
    """Drop the timer of a clock whose ticket is gone."""
    jobs.cancel(_key(found.id))
    found.breach_at = None
    found.save(update_fields=("breach_at",))


def retarget(found: SlaClock, target: Target | None, source: Source | None) -> None:
    """Give a clock another target, or none; what it has counted stays."""
    new = target or (None, found.business_hours)
    if (found.target_minutes, found.business_hours) == new:
        return
    found.target_minutes, found.business_hours = new
    found.breached = False
    found.save()
    if target is not None:
        _note_target(found, source)
    _set_timer(found)


def pause(found: SlaClock) -> None:
    """Let a clock stand still."""
    _stop_running(found)
    found.state = "paused"
    found.breach_at = found.breach_at if found.breached else None
    found.save()
    _note(found, "pause")


def resume(found: SlaClock) -> None:
    """Let a clock that stood still run on."""
    found.state = "active"
    found.running_since = clock.now()
    found.save()
    _note(found, "activate")
    _set_timer(found)


def change_hours(ticket: Ticket, schedule_id: int | None) -> None:
    """Give a ticket other business hours: what its clocks have counted stays, what is left follows.

    None stands for the account's default hours.
    """
    rows = SlaClock.objects.filter(ticket=ticket, state="active", business_hours=True)
    running = list(rows.order_by("id"))
    for found in running:
        found.ticket = ticket
        _stop_running(found)
    ticket.schedule_id = schedule_id
    for found in running:
        found.running_since = clock.now()
        found.save()
        _set_timer(found)


def fulfill(found: SlaClock) -> None:
    """End a clock: what it measured is done."""
    _stop_running(found)
    found.state = "fulfilled"
    found.ended_at = clock.now()
    found.save()
    _note(found, "fulfill")
    minutes = found.used_seconds // 60
    calendar = int((clock.now() - found.started_at).total_seconds()) // 60
    business = minutes if found.business_hours else calendar
    _note(found, "update_status", status={"calendar": calendar, "business": business})


def _stop_running(found: SlaClock) -> None:
    jobs.cancel(_key(found.id))
    if found.running_since is not None:
        hours = metrics.hours_of(found.ticket) if found.business_hours else None
        found.used_seconds += sla.used_between(found.running_since, clock.now(), hours)
        found.running_since = None


def _set_timer(found: SlaClock) -> None:
    """Set when a running clock will be breached, and the job that marks it."""
    jobs.cancel(_key(found.id))
    if found.running_since is None or found.target_minutes is None:
        found.breach_at = None
    else:
        hours = metrics.hours_of(found.ticket) if found.business_hours else None
        found.breach_at = sla.breach_moment(
            found.running_since, found.used_seconds, found.target_minutes, hours
        )
    found.save(update_fields=("breach_at",))
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
        found.save(update_fields=("breached",))
        _note(found, "breach", time=found.breach_at, deleted=False)


def _key(clock_id: int) -> str:
    return f"helpdesk.sla:{clock_id}"


def _note(found: SlaClock, kind: str, *, time: datetime | None = None, **body: Any) -> None:
    MetricEvent.objects.create(
        id=ids.next_stamp(MetricEvent),
        ticket_id=found.ticket_id,
        metric=sla.EVENT_NAMES.get(found.metric, found.metric),
        instance_id=found.instance,
        type=kind,
        time=time or clock.now(),
        body=body,
    )


def _note_target(found: SlaClock, source: Source | None) -> None:
    if source is None:
        return
    shown = {"id": source.id, "title": source.title, "description": source.description}
    target = {
        "target": found.target_minutes,
        "business_hours": found.business_hours,
        "policy": shown,
    }
    if source.kind == "sla":
        _note(found, "apply_sla", sla=target)
    else:
        _note(found, "apply_group_sla", group_sla=target)
