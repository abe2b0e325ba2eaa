"""Tickets as the helpdesk has them: rows, audits, comments, counters, replayed from the story.

Each step of a story does what `clones.helpdesk.domain` would have done at its time: the change
itself, the account's triggers, the SLAs. A test holds the two to the same rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clones.helpdesk import models as helpdesk
from clones.helpdesk.domain.audits import Event, change_events, create_events
from clones.helpdesk.domain.values import CUSTOM, RuleSource
from clones.helpdesk.rules import conditions, lifecycle
from clones.helpdesk.rules.tags import add_tags
from clones.helpdesk.rules.text import html_of_plain
from seeds.bulk import Json, RowWriter, Stamps
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.projection.counters import Counters
from seeds.kestrel.projection.desk import DeskIds
from seeds.kestrel.projection.files import Files
from seeds.kestrel.projection.live import Changer, LiveTicket, Touch, blank_values
from seeds.kestrel.projection.people import Customers
from seeds.kestrel.projection.reactions import Reactions
from seeds.kestrel.projection.roster import Roster
from seeds.kestrel.projection.rules import Rules, desk_hours
from seeds.kestrel.projection.slas import BreachTimer, TicketClocks
from seeds.kestrel.projection.terms import AUTOMATIONS, RATED, Terms, spoken
from seeds.kestrel.story.model import Step, StoryComment, Ticket
from seeds.kestrel.story.whole import Story

Via = Mapping[str, Any] | Json
# What audits say of who wrote: of people the client, of which nothing is known in history.
CLIENT = ("client", "ip_address", "location", "latitude", "longitude")
OF_PEOPLE = Json.of({"system": dict.fromkeys(CLIENT), "custom": {}})
OF_RULES = Json.of({"system": {}, "custom": {}})


@dataclass(frozen=True, slots=True)
class Inherited:
    """What a follow-up takes over from the closed ticket."""

    tags: list[str]
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class TicketContext:
    """What the tickets of a world stand on."""

    story: Story
    desk: DeskIds
    customers: Customers
    rules: Rules


class Replay:
    """Writes tickets by replaying their steps; the last state is the ticket's row."""

    def __init__(self, writer: RowWriter, ids: Stamps, ground: TicketContext) -> None:
        self.writer, self.ids = writer, ids
        story, desk, customers = ground.story, ground.desk, ground.customers
        self.desk, self.customers = desk, customers
        self.files = Files(writer, ids, story.draws)
        rules = ground.rules
        self.automations = rules.automations
        self.hours = desk_hours()
        self.roster = Roster(story.staff, desk)
        self.terms = Terms(story, desk=desk, customers=customers, roster=self.roster)
        self.changer = Changer(desk, self.roster)
        self.reactions = Reactions(self.changer, self.roster, rules.triggers, self.hours)
        self.slas = TicketClocks(
            writer, ids, self.roster, policies=rules.policies, hours=self.hours
        )
        self._followed = {ticket.notes.get("follows") for ticket in story.tickets}
        self._inherited: dict[int, Inherited] = {}
        self._plain: dict[str, Json] = {}

    def write(self, ticket: Ticket, files: int) -> list[BreachTimer]:
        """Write one ticket with everything that was said and done about it.

        `files` is how many files the tickets before have. Return the timers that wait.
        """
        self.files.count = files
        live = self._create(ticket)
        for step in ticket.steps[1:]:
            self.slas.expire(live, step.at)
            if step.rule is not None:
                self._automate(live, step)
            elif _rates(step):
                self._rate(live, ticket, step)
            else:
                self._update(live, ticket, step)
        timers = self.slas.finish(live, PRESENT)
        self._finish(live)
        return timers

    def _create(self, ticket: Ticket) -> LiveTicket:
        first = ticket.steps[0]
        live = self._blank(ticket)
        actor = live.row["submitter_id"]
        asked = self.changer.apply(live, self.terms.creation(ticket))
        assigned = live.values["assignee_id"] is not None
        move = lifecycle.Move(
            writer="agent" if self.roster.is_agent(actor) else "end-user",
            asked=asked,
            assigned=assigned,
            newly=assigned,
        )
        self.changer.settle(live, None, move)
        events = create_events(live.values)
        copies = live.row["email_cc_ids"]
        if copies:
            current = [self.customers.contacts[user][1] for user in copies]
            body = {"previous_email_ccs": [], "current_email_ccs": current}
            events.append(("EmailCcChange", body))
        via = live.row["via"]
        name, address = self.terms.contact(live.values["requester_id"])
        source = {**via["source"], "to": {"name": name, "address": address}}
        touch = self._touch(live, first, actor, None)
        self._record(live, touch, first, events, via=via, shown={**via, "source": source})
        return live

    def _blank(self, ticket: Ticket) -> LiveTicket:
        """Return a ticket as its requester sends it in, before anything is set."""
        first = ticket.steps[0]
        requester = self.terms.requester(ticket)
        values = blank_values()
        values |= {
            "requester_id": requester,
            "organization_id": self.terms.organization(ticket),
            "brand_id": self.desk.brand,
            "ticket_form_id": self.desk.form,
            "satisfaction_score": "unoffered",
        }
        row: dict[str, Any] = {
            "id": ticket.number,
            "submitter_id": self.terms.actor(first, ticket),
            "via": self.terms.via(ticket, first),
            "via_followup_source_id": ticket.notes.get("follows"),
            "created_at": ticket.created,
            "description": first.said.text if first.said else "",
            "email_cc_ids": [],
            "is_public": first.said is not None and first.said.public,
            "sla_policy_id": None,
        }
        counters = Counters(ticket.number, ticket.created, self.hours)
        live = LiveTicket(ticket.number, ticket.created, values, row, counters)
        before = self._inherited.get(ticket.notes.get("follows", 0))
        if before is not None:
            values |= before.fields
            values["tags"] = add_tags([], before.tags)
        return live

    def _update(self, live: LiveTicket, ticket: Ticket, step: Step) -> None:
        """Change the ticket, say something on it, or both; a step that does neither is left out."""
        before, actor, said = dict(live.values), self.terms.actor(step, ticket), spoken(step)
        asked = self.changer.apply(live, self.terms.changes(step))
        owner = live.values["assignee_id"]
        by_agent = self.roster.is_agent(actor)
        move = lifecycle.Move(
            writer="agent" if by_agent else "end-user",
            asked=asked,
            public_comment=said is not None and said.public,
            assigned=owner is not None,
            newly=owner != before["assignee_id"],
            is_requester_side=not by_agent,
        )
        self.changer.settle(live, str(before["status"]), move)
        if live.values["type"] != "incident":
            live.values["problem_id"] = None
        events = change_events(before, live.values)
        if not events and said is None:
            return
        if said is not None:
            live.row["is_public"] = live.row["is_public"] or said.public
        touch = self._touch(live, step, actor, before)
        via = self._via(ticket, step)
        self._record(live, touch, step, events, via=via, shown=via)

    def _via(self, ticket: Ticket, step: Step) -> Json:
        """Return how a step came in; most came in a way that only the channel tells."""
        via = self.terms.via(ticket, step)
        if via["source"]["from"]:
            return Json.of(via)
        found = self._plain.get(via["channel"])
        if found is None:
            found = self._plain[via["channel"]] = Json.of(via)
        return found

    def _record(
        self,
        live: LiveTicket,
        touch: Touch,
        step: Step,
        events: list[Event],
        *,
        via: Via,
        shown: Via,
    ) -> None:
        """Write an update with its comment and what the rules made of it."""
        live.row["updated_at"] = touch.at
        live.counters.note(touch.before or {}, live.values, touch.at)
        said = spoken(step)
        if said is not None:
            events = [("Comment", {}), *events]
            self._count_comment(live, touch, said)
        events = [*events, *self._react(live, touch)]
        audit, numbers = self._audit(live, touch, events, shown)
        if said is not None:
            words = {
                "id": numbers[0],
                "ticket_id": live.number,
                "audit_id": audit,
                "author_id": touch.actor,
                "body": said.text,
                "html_body": html_of_plain(said.text),
                "public": said.public,
                "via": via,
                "created_at": touch.at,
            }
            self.writer.add(helpdesk.Comment, words)
            for file in said.attachments:
                self.files.write(file, numbers[0], touch.at)

    def _react(self, live: LiveTicket, touch: Touch) -> list[Event]:
        """Run the triggers, then the SLAs; return their events."""
        written = dict(live.values)
        events = self.reactions.run(live, touch)
        if live.values != written:
            live.counters.note(written, live.values, touch.at)
        return events + self.slas.follow(live, touch)

    def _automate(self, live: LiveTicket, step: Step) -> None:
        """Let an automation do its actions; one that changes nothing leaves no audit."""
        before = dict(live.values)
        rule = self.automations[AUTOMATIONS[step.rule or "close"]]
        via = RuleSource("automation", rule["id"], rule["title"]).via()
        touch = Touch(step.at, None, "rule", before)
        events, changed = self.reactions.fire(live, touch, rule, "automation")
        if not events:
            return
        if changed:
            live.row["updated_at"] = step.at
            live.counters.note(before, live.values, step.at)
            events = events + self._react(live, touch)
        self._audit(live, touch, events, via)

    def _rate(self, live: LiveTicket, ticket: Ticket, step: Step) -> None:
        """Write the requester's rating: neither triggers nor counters take notice of it."""
        score, values = step.changes["satisfaction"], live.values
        opinion = step.changes.get("satisfaction_comment") or None
        before, actor = values["satisfaction_score"], self.terms.actor(step, ticket)
        values["satisfaction_score"] = score
        live.row["updated_at"] = step.at
        change = {"field_name": "satisfaction_score", "value": score, "previous_value": before}
        rated = {"score": score, "assignee_id": values["assignee_id"], "body": opinion}
        touch = Touch(step.at, actor, "web", None)
        events = [("Change", change), ("SatisfactionRating", rated)]
        self._audit(live, touch, events, self._via(ticket, step))
        self.writer.add(
            helpdesk.SatisfactionRating,
            {
                "id": self.ids.stamp(helpdesk.SatisfactionRating, step.at),
                "ticket_id": live.number,
                "requester_id": actor,
                "assignee_id": values["assignee_id"],
                "group_id": values["group_id"],
                "score": score,
                "comment": opinion,
                "created_at": step.at,
                "updated_at": step.at,
            },
        )

    def _finish(self, live: LiveTicket) -> None:
        """Write the ticket and its counters as they stand at the present."""
        values = live.values.items()
        fields = {key.removeprefix(CUSTOM): v for key, v in values if key.startswith(CUSTOM)}
        plain = {key: value for key, value in values if not key.startswith(CUSTOM)}
        self.writer.add(helpdesk.Ticket, {**live.row, **plain, "custom_fields": fields})
        metric = self.ids.stamp(helpdesk.TicketMetric, live.created)
        self.writer.add(helpdesk.TicketMetric, {"id": metric, **live.counters.row})
        if live.number in self._followed:
            kept = {key: value for key, value in values if key.startswith(CUSTOM)}
            self._inherited[live.number] = Inherited(plain["tags"], kept)

    def _touch(
        self, live: LiveTicket, step: Step, actor: int | None, before: Mapping[str, Any] | None
    ) -> Touch:
        said = spoken(step)
        heard = None
        if said is not None:
            heard = conditions.UpdateComment(said.text, said.public, bool(said.attachments))
        channel = live.channel if before is None else self.terms.channel(step)
        return Touch(step.at, actor, channel, before, heard)

    def _count_comment(self, live: LiveTicket, touch: Touch, said: StoryComment) -> None:
        by_agent = self.roster.is_agent(touch.actor)
        live.counters.note_comment(
            touch.at,
            by_agent=by_agent,
            by_requester=touch.actor == live.values["requester_id"],
            public=said.public,
            created=touch.before is None,
        )
        if said.public:
            live.heard.append((touch.at, by_agent))

    def _audit(
        self, live: LiveTicket, touch: Touch, events: list[Event], via: Via
    ) -> tuple[int, list[int]]:
        """Write an audit with its events; return their identifiers."""
        audit = self.ids.stamp(helpdesk.Audit, touch.at)
        self.writer.add(
            helpdesk.Audit,
            {
                "id": audit,
                "ticket_id": live.number,
                "author_id": touch.actor,
                "created_at": touch.at,
                "metadata": OF_RULES if touch.actor is None else OF_PEOPLE,
                "via": via,
            },
        )
        numbers = []
        for position, (kind, body) in enumerate(events):
            number = self.ids.stamp(helpdesk.AuditEvent, touch.at)
            numbers.append(number)
            self.writer.add(
                helpdesk.AuditEvent,
                {"id": number, "audit_id": audit, "type": kind, "position": position, "body": body},
            )
        return audit, numbers


def files_of(ticket: Ticket) -> int:
    """Return how many files a ticket brings along."""
    return sum(
        len(step.said.attachments)
        for place, step in enumerate(ticket.steps)
        if step.said is not None and (place == 0 or not (step.rule is not None or _rates(step)))
    )


def _rates(step: Step) -> bool:
    return step.changes.get("satisfaction") in RATED
