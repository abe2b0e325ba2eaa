"""What the account's rules do to a ticket, as `domain.triggers` would: changes and notices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clones.helpdesk.domain.audits import Event, change_events
from clones.helpdesk.domain.values import RuleSource
from clones.helpdesk.rules import actions, lifecycle
from clones.helpdesk.rules.conditions import Situation, holds, matches
from clones.helpdesk.rules.schedules import Hours
from seeds.kestrel.projection.live import Changer, LiveTicket, Touch
from seeds.kestrel.projection.roster import Roster

Rule = Mapping[str, Any]


class Reactions:
    """Runs triggers and the actions of automations over tickets in memory."""

    def __init__(
        self, changer: Changer, roster: Roster, triggers: list[dict[str, Any]], hours: Hours
    ) -> None:
        self.changer, self.roster, self.hours = changer, roster, hours
        self._of = {
            is_new: [item for item in triggers if _may_run(item, is_new=is_new)]
            for is_new in (True, False)
        }
        self._asks_hours = any("in_business_hours" in _fields(item) for item in triggers)

    def run(self, ticket: LiveTicket, touch: Touch) -> list[Event]:
        """Run the triggers over an update and return the events of what they did.

        After one that changes the ticket the order starts again from the top.
        """
        events: list[Event] = []
        fired: set[int] = set()
        situation = self._situation(ticket, touch)
        triggers = self._of[touch.before is None]
        at = 0
        while at < len(triggers):
            trigger = triggers[at]
            at += 1
            if trigger["id"] in fired or not matches(trigger["conditions"], situation):
                continue
            fired.add(trigger["id"])
            found, changed = self.fire(ticket, touch, trigger, "trigger")
            events += found
            if changed:
                situation = self._situation(ticket, touch)
                at = 0
        return events

    def fire(
        self, ticket: LiveTicket, touch: Touch, rule: Rule, kind: str
    ) -> tuple[list[Event], bool]:
        """Do a rule's actions; return their events, and whether they changed the ticket."""
        before = dict(ticket.values)
        groups = self.roster.groups_of(touch.actor)
        effect = actions.effect_of(
            rule["actions"],
            values=before,
            actor_id=touch.actor,
            actor_group=groups[0] if groups else None,
        )
        for name, value in effect.changes.items():
            self._change(ticket, name, value, touch)
        via = RuleSource(kind, rule["id"], rule["title"]).via()
        changes = change_events(before, ticket.values)
        events: list[Event] = [(name, {**body, "via": via}) for name, body in changes]
        for notice in effect.notices:
            people = self._recipients(ticket, notice, touch)
            if people:
                copied = notice.target == "requester_and_ccs"
                body = {
                    "via": via,
                    "subject": notice.subject,
                    "body": notice.body,
                    "recipients": people,
                }
                events.append(("NotificationWithCcs" if copied else "Notification", body))
        return events, bool(changes)

    def _change(self, ticket: LiveTicket, name: str, value: Any, touch: Touch) -> None:
        """Make one change of a rule; one that is not possible (any more) is left out."""
        if name == "assignee_id" and value is not None:
            able = self.roster.is_agent(int(value))
            if not able or not self.roster.is_reachable(int(value), touch.at):
                return
        current = str(ticket.values["status"])
        move = lifecycle.Move(
            writer="system",
            asked=self.changer.apply(ticket, {name: value}),
            assigned=ticket.values["assignee_id"] is not None,
            newly=name == "assignee_id",
        )
        try:
            self.changer.settle(ticket, current, move)
        except lifecycle.StatusRefused:
            return

    def _situation(self, ticket: LiveTicket, touch: Touch) -> Situation:
        """Return what rules see of an update at this moment."""
        return Situation(
            values=dict(ticket.values),
            before=touch.before,
            description=ticket.row["description"],
            said=touch.said,
            is_public=ticket.row["is_public"],
            actor_id=touch.actor,
            actor_is_agent=self.roster.is_agent(touch.actor),
            actor_groups=frozenset(self.roster.groups_of(touch.actor)),
            channel=ticket.channel,
            current_channel=touch.channel,
            counters=ticket.counters.for_rules(),
            in_business_hours=not self._asks_hours or self.hours.is_open(touch.at),
            today=touch.at.date(),
        )

    def _recipients(self, ticket: LiveTicket, notice: actions.Notice, touch: Touch) -> list[int]:
        target, values = notice.target, ticket.values
        if notice.kind == "group":
            key = values["group_id"] if target == "group_id" else _digits(target)
            return self.roster.members(key, touch.at) if key is not None else []
        if target == "all_agents":
            return self.roster.everybody(touch.at)
        keys: list[int | None]
        if target == "requester_and_ccs":
            writer = touch.actor if touch.said is not None else None
            copies = [key for key in ticket.row["email_cc_ids"] if key != writer]
            keys = [values["requester_id"], *copies]
        elif target in ("requester_id", "assignee_id"):
            keys = [values[target]]
        elif target == "current_user":
            keys = [touch.actor]
        else:
            keys = [_digits(target)]
        found = (key for key in dict.fromkeys(keys) if key is not None)
        return [key for key in found if self.roster.is_reachable(key, touch.at)]


def _digits(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() else None


def _fields(rule: Rule) -> set[str]:
    """Return what a rule asks about."""
    return {item["field"] for items in rule["conditions"].values() for item in items}


def _may_run(rule: Rule, *, is_new: bool) -> bool:
    """Tell whether a trigger can run on new tickets, or else on changed ones."""
    situation = Situation(values={}, before=None if is_new else {})
    asked = (item for item in rule["conditions"]["all"] if item["field"] == "update_type")
    return all(holds(item, situation) for item in asked)
