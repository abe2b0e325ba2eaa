"""SLAs of tickets in history: policies, clocks, their turns and their timers.

The same steps as `domain.slas` takes, over rows in memory. What is still running at the present
leaves a timer behind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from clones.helpdesk import models as helpdesk
from clones.helpdesk.domain.audits import Event
from clones.helpdesk.rules import sla
from clones.helpdesk.rules.conditions import Situation, matches
from clones.helpdesk.rules.schedules import Hours
from seeds.bulk import RowWriter, Stamps
from seeds.kestrel.projection.live import LiveTicket, Touch
from seeds.kestrel.projection.roster import Roster

Target = tuple[int, bool]
Clock = dict[str, Any]
Policy = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BreachTimer:
    """A breach to come: the clock, when it is due, and when the timer was set."""

    clock: int
    due: datetime
    set_at: datetime


class TicketClocks:
    """Starts, pauses, ends and breaches the SLA clocks of tickets in history."""

    def __init__(
        self,
        writer: RowWriter,
        ids: Stamps,
        roster: Roster,
        *,
        policies: list[dict[str, Any]],
        hours: Hours,
    ) -> None:
        self.writer, self.ids, self.roster = writer, ids, roster
        self.policies, self.hours = policies, hours
        self._due: dict[int, BreachTimer] = {}
        self._known: dict[tuple[int, str], dict[str, Target]] = {}

    def follow(self, ticket: LiveTicket, touch: Touch) -> list[Event]:
        """Choose the ticket's policy anew, turn its clocks, and return what the audit says of it.

        The timers that were due before have been run (`expire`).
        """
        policy = self._policy_of(ticket)
        targets = self._targets(policy, ticket.values["priority"])
        if not targets and not ticket.clocks:
            return []
        events = self._note_policy(ticket, touch, policy, targets)
        facts = self._facts(ticket, touch)
        for name in sla.METRICS:
            found, target = ticket.clocks.get(name), targets.get(name)
            if found is None and target is None:
                continue
            state: sla.State | None = found["state"] if found is not None else None
            if found is not None and found["state"] != "fulfilled":
                self._retarget(found, target, policy, touch.at)
            for turn in sla.turns(name, state, facts):
                if turn == "activate" and target is None:
                    break
                self._turn(ticket, name, turn, target=target, policy=policy, at=touch.at)
        return events

    def expire(self, ticket: LiveTicket, until: datetime) -> None:
        """Run the ticket's timers that are due, up to and with a moment."""
        due = [
            self._due[clock["id"]] for clock in ticket.clocks.values() if clock["id"] in self._due
        ]
        for timer in sorted(due, key=lambda item: (item.due, item.set_at, item.clock)):
            if timer.due <= until:
                del self._due[timer.clock]
                found = next(c for c in ticket.clocks.values() if c["id"] == timer.clock)
                found["breached"] = True
                moment = found["breach_at"]
                self._note(found, "breach", timer.due, time=moment, deleted=False)

    def finish(self, ticket: LiveTicket, present: datetime) -> list[BreachTimer]:
        """Write the ticket's clocks as they stand at the present; return the timers that wait."""
        self.expire(ticket, present)
        timers = []
        for clock in ticket.clocks.values():
            self.writer.add(helpdesk.SlaClock, clock)
            timer = self._due.pop(clock["id"], None)
            if timer is not None:
                timers.append(timer)
        return timers

    def _policy_of(self, ticket: LiveTicket) -> Policy | None:
        situation = Situation(
            values=ticket.values,
            description=ticket.row["description"],
            is_public=ticket.row["is_public"],
            channel=ticket.channel,
        )
        found = (item for item in self.policies if matches(item["filter"], situation))
        return next(found, None)

    def _note_policy(
        self, ticket: LiveTicket, touch: Touch, policy: Policy | None, targets: dict[str, Target]
    ) -> list[Event]:
        """Keep the ticket's policy and return the events that say which targets changed."""
        key = policy["id"] if policy is not None and targets else None
        known_key = ticket.row["sla_policy_id"]
        last = next((item for item in self.policies if item["id"] == known_key), None)
        known = self._targets(last, (touch.before or {}).get("priority"))
        events: list[Event] = []
        if key != known_key:
            title = policy["title"] if key and policy else None
            was = last["title"] if last is not None else None
            shown = {"field_name": "sla_policy", "value": title, "previous_value": was}
            events.append(("Change", shown))
            ticket.row["sla_policy_id"] = key
        for name in sla.METRICS:
            found = ticket.clocks.get(name)
            if found is not None and found["state"] == "fulfilled":
                continue
            old, new = known.get(name), targets.get(name)
            if found is not None:
                minutes = found["target_minutes"]
                old = None if minutes is None else (minutes, found["business_hours"])
            if old != new:
                body = {"field_name": name, "value": _shown(new), "previous_value": _shown(old)}
                events.append(("Change", body))
        return events

    def _targets(self, policy: Policy | None, priority: str | None) -> dict[str, Target]:
        """Return what a policy asks for tickets of a priority: found once, nobody changes it."""
        if policy is None or priority is None:
            return {}
        key = (policy["id"], priority)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = {
                item["metric"]: (int(item["target"]), bool(item["business_hours"]))
                for item in policy["policy_metrics"]
                if item["priority"] == priority and item["metric"] in sla.METRICS
            }
        return found

    def _facts(self, ticket: LiveTicket, touch: Touch) -> sla.Facts:
        public = touch.said is not None and touch.said.public
        by_agent = self.roster.is_agent(touch.actor)
        earlier = ticket.heard[1:-1] if public else ticket.heard[1:]
        return sla.Facts(
            status=ticket.values["status"],
            answered=public and by_agent and touch.before is not None,
            asked=public and not by_agent,
            replied_before=any(agent for _, agent in earlier),
            waiting=bool(ticket.heard) and not ticket.heard[-1][1],
        )

    def _turn(
        self,
        ticket: LiveTicket,
        name: str,
        turn: sla.Turn,
        *,
        target: Target | None,
        policy: Policy | None,
        at: datetime,
    ) -> None:
        found = ticket.clocks.get(name)
        if turn == "activate":
            if target is not None:
                self._activate(ticket, name, target, policy, at)
        elif found is None:
            return
        elif turn == "pause":
            self._stop_running(found, at)
            found["state"] = "paused"
            found["breach_at"] = found["breach_at"] if found["breached"] else None
            self._note(found, "pause", at)
        elif turn == "resume":
            found["state"], found["running_since"] = "active", at
            self._note(found, "activate", at)
            self._set_timer(found, at)
        else:
            self._fulfill(found, at)

    def _activate(
        self, ticket: LiveTicket, name: str, target: Target, policy: Policy | None, at: datetime
    ) -> None:
        before = ticket.clocks.get(name)
        start = _start_of(ticket, name, before, at)
        instance = 1 if before is None else before["instance"] + 1
        if name == "next_reply_time" and before is None:
            instance = 2
        if before is not None:
            self.writer.add(helpdesk.SlaClock, before)
        made: Clock = {
            "id": self.ids.stamp(helpdesk.SlaClock, at),
            "ticket_id": ticket.number,
            "metric": name,
            "instance": instance,
            "state": "active",
            "target_minutes": target[0],
            "business_hours": target[1],
            "started_at": start,
            "running_since": start,
            "used_seconds": 0,
            "breach_at": None,
            "breached": False,
            "ended_at": None,
        }
        ticket.clocks[name] = made
        self._note(made, "activate", at, time=start)
        self._note_target(made, policy, at)
        self._set_timer(made, at)

    def _retarget(
        self, found: Clock, target: Target | None, policy: Policy | None, at: datetime
    ) -> None:
        new = target or (None, found["business_hours"])
        if (found["target_minutes"], found["business_hours"]) == new:
            return
        found["target_minutes"], found["business_hours"] = new
        found["breached"] = False
        if target is not None:
            self._note_target(found, policy, at)
        self._set_timer(found, at)

    def _fulfill(self, found: Clock, at: datetime) -> None:
        self._stop_running(found, at)
        found["state"], found["ended_at"] = "fulfilled", at
        self._note(found, "fulfill", at)
        minutes = found["used_seconds"] // 60
        calendar = int((at - found["started_at"]).total_seconds()) // 60
        business = minutes if found["business_hours"] else calendar
        self._note(found, "update_status", at, status={"calendar": calendar, "business": business})

    def _stop_running(self, found: Clock, at: datetime) -> None:
        self._due.pop(found["id"], None)
        if found["running_since"] is not None:
            hours = self.hours if found["business_hours"] else None
            found["used_seconds"] += sla.used_between(found["running_since"], at, hours)
            found["running_since"] = None

    def _set_timer(self, found: Clock, at: datetime) -> None:
        """Set when a running clock will be breached, and the timer that marks it."""
        self._due.pop(found["id"], None)
        if found["running_since"] is None or found["target_minutes"] is None:
            found["breach_at"] = None
            return
        found["breach_at"] = sla.breach_moment(
            found["running_since"],
            found["used_seconds"],
            found["target_minutes"],
            self.hours if found["business_hours"] else None,
        )
        if found["breach_at"] is not None and not found["breached"]:
            due = max(found["breach_at"], at)
            self._due[found["id"]] = BreachTimer(found["id"], due, at)

    def _note_target(self, found: Clock, policy: Policy | None, at: datetime) -> None:
        if policy is None:
            return
        shown = {name: policy[name] for name in ("id", "title", "description")}
        target = {
            "target": found["target_minutes"],
            "business_hours": found["business_hours"],
            "policy": shown,
        }
        self._note(found, "apply_sla", at, sla=target)

    def _note(
        self, found: Clock, kind: str, at: datetime, *, time: datetime | None = None, **body: Any
    ) -> None:
        self.writer.add(
            helpdesk.MetricEvent,
            {
                "id": self.ids.stamp(helpdesk.MetricEvent, at),
                "ticket_id": found["ticket_id"],
                "metric": sla.EVENT_NAMES.get(found["metric"], found["metric"]),
                "instance_id": found["instance"],
                "type": kind,
                "time": time or at,
                "body": body,
            },
        )


def _shown(target: Target | None) -> dict[str, Any] | None:
    if target is None:
        return None
    return {"minutes": target[0], "in_business_hours": target[1]}


def _start_of(ticket: LiveTicket, name: str, before: Clock | None, at: datetime) -> datetime:
    """Return since when a clock counts: a policy that comes late counts what has passed."""
    if before is not None or name in ("periodic_update_time", "pausable_update_time"):
        return at
    if name != "next_reply_time":
        return ticket.created
    since = at
    for moment, by_agent in reversed(ticket.heard):
        if by_agent:
            break
        since = moment
    return since
