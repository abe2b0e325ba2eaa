"""Tickets as the helpdesk has them: rows, audits, comments, counters, replayed from the story."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from clones.helpdesk import models as helpdesk
from clones.helpdesk.domain.audits import change_events, create_events
from clones.helpdesk.domain.metrics import WAITS
from clones.helpdesk.domain.values import CUSTOM, RuleSource
from clones.helpdesk.rules.tags import add_tags
from clones.helpdesk.rules.text import html_of_plain
from seeds.bulk import BulkWriter, Identifiers
from seeds.kestrel.catalogue import COMPANY, SUPPORT
from seeds.kestrel.projection.desk import Desk
from seeds.kestrel.projection.files import Files
from seeds.kestrel.projection.people import Customers
from seeds.kestrel.projection.rules import desk_hours
from seeds.kestrel.story.model import Said, Step, Ticket
from seeds.kestrel.story.whole import Story

RATED = ("good", "bad")
AUTOMATIONS = {
    "close": "Close ticket 4 days after status is set to solved",
    "survey": "Request customer satisfaction rating",
}
CHANNELS = {"chat": "native_messaging", "social": "any_channel"}


class Replay:
    """Writes tickets by replaying their steps; the last state is the ticket's row."""

    def __init__(
        self,
        writer: BulkWriter,
        ids: Identifiers,
        story: Story,
        desk: Desk,
        customers: Customers,
    ) -> None:
        self.writer, self.ids = writer, ids
        self.desk, self.customers, self.people = desk, customers, story.people
        self.files = Files(writer, ids, story.draws)
        self.automations: dict[str, int] = {}
        self.hours = desk_hours()

    def write(self, ticket: Ticket) -> None:
        """Write one ticket with everything that was said and done about it."""
        state = self._start(ticket)
        first = ticket.steps[0]
        via = self._via(ticket, first)
        row: dict[str, Any] = {
            "id": ticket.number,
            "submitter_id": self._actor(first, ticket),
            "via": via,
            "via_followup_source_id": ticket.notes.get("follows"),
            "created_at": ticket.created,
            "description": first.said.text if first.said else "",
            "brand_id": self.desk.brand,
            "ticket_form_id": self.desk.form,
            "email_cc_ids": [self.customers.users[key] for key in ticket.notes.get("copies", [])],
            "is_public": any(step.said is not None and step.said.public for step in ticket.steps),
        }
        counters = Counters(self, ticket)
        for step in ticket.steps:
            before = None if step is first else dict(state)
            self._apply(state, step)
            self._audit(ticket, step, before, state, counters)
        custom = {
            key.removeprefix(CUSTOM): value
            for key, value in state.items()
            if key.startswith(CUSTOM)
        }
        row |= {key: value for key, value in state.items() if not key.startswith(CUSTOM)}
        row["satisfaction_score"] = row.pop("satisfaction_score") or "unoffered"
        row["custom_fields"] = custom
        row["updated_at"] = ticket.steps[-1].at
        self.writer.add(helpdesk.Ticket, row)
        counters.write()
        self._rating(ticket, row)

    def _rating(self, ticket: Ticket, row: dict[str, Any]) -> None:
        """Write the ticket's rating, if it was given."""
        given = [step for step in ticket.steps if step.changes.get("satisfaction") in RATED]
        if not given:
            return
        step = given[-1]
        self.writer.add(
            helpdesk.SatisfactionRating,
            {
                "id": self.ids.stamp(helpdesk.SatisfactionRating, step.at),
                "ticket_id": ticket.number,
                "requester_id": row["requester_id"],
                "assignee_id": row["assignee_id"],
                "group_id": row["group_id"],
                "score": step.changes["satisfaction"],
                "comment": step.changes.get("satisfaction_comment") or None,
                "created_at": step.at,
                "updated_at": step.at,
            },
        )

    def _start(self, ticket: Ticket) -> dict[str, Any]:
        person = self.people[ticket.person]
        organization = self.customers.organizations[person.firm.index] if person.firm else None
        if "agent" in ticket.notes:
            organization = None
        return {
            "subject": ticket.subject,
            "requester_id": self.requester(ticket),
            "assignee_id": None,
            "group_id": None,
            "priority": None,
            "type": ticket.notes.get("type"),
            "status": "new",
            "organization_id": organization,
            "tags": [],
            "problem_id": None,
            "due_at": None,
            "external_id": ticket.notes.get("external_id"),
            "recipient": SUPPORT if ticket.channel == "email" else None,
            "satisfaction_score": None,
            "brand_id": self.desk.brand,
            "ticket_form_id": self.desk.form,
            "custom_status_id": self.desk.statuses["new"],
        }

    def requester(self, ticket: Ticket) -> int:
        """Return the user row that a ticket's requester is known by."""
        if "agent" in ticket.notes:
            return self.desk.agents[ticket.notes["agent"]]
        twin = self.customers.twins.get(ticket.person)
        if twin and ticket.notes.get("as_twin"):
            return twin
        return self.customers.users[ticket.person]

    def _actor(self, step: Step, ticket: Ticket) -> int | None:
        kind, key = step.actor
        if kind == "agent":
            return self.desk.agents[key]
        return self.requester(ticket) if kind == "person" else None

    def _apply(self, state: dict[str, Any], step: Step) -> None:
        for name, value in step.changes.items():
            if name == "status":
                state["status"], state["custom_status_id"] = value, self.desk.statuses[value]
            elif name == "assignee":
                state["assignee_id"] = None if value is None else self.desk.agents[value]
                if state["status"] == "new" and value is not None and "status" not in step.changes:
                    state["status"], state["custom_status_id"] = "open", self.desk.statuses["open"]
            elif name == "group":
                state["group_id"] = self.desk.groups[value]
            elif name == "satisfaction":
                state["satisfaction_score"] = value
            elif name in ("priority", "type"):
                state[name] = value
            elif name == "problem":
                state["problem_id"] = value
            elif name in ("tags", "add_tags"):
                state["tags"] = add_tags(state["tags"], value)
            elif name == "fields":
                self._fields(state, value)

    def _fields(self, state: dict[str, Any], values: dict[str, Any]) -> None:
        for key, value in values.items():
            state[f"{CUSTOM}{self.desk.fields[key]}"] = value
            if key in ("category", "machine", "resolution", "severity") and value:
                state["tags"] = add_tags(state["tags"], value)

    def _audit(
        self,
        ticket: Ticket,
        step: Step,
        before: dict[str, Any] | None,
        after: dict[str, Any],
        counters: Counters,
    ) -> None:
        author = self._actor(step, ticket)
        audit = self.ids.stamp(helpdesk.Audit, step.at)
        via = self._via(ticket, step)
        system: dict[str, Any] = {}
        if author is not None:
            client = "Kestrel mail gateway" if step.channel == "email" else None
            system = {
                "client": client,
                "ip_address": None,
                "location": None,
                "latitude": None,
                "longitude": None,
            }
        self.writer.add(
            helpdesk.Audit,
            {
                "id": audit,
                "ticket_id": ticket.number,
                "author_id": author,
                "created_at": step.at,
                "metadata": {"system": system, "custom": {}},
                "via": via,
            },
        )
        events = create_events(after) if before is None else change_events(before, after)
        if step.said is not None:
            events = [("Comment", {}), *events]
        if before is None and ticket.notes.get("copies"):
            current = [self.people[key].email for key in ticket.notes["copies"]]
            events.append(
                ("EmailCcChange", {"previous_email_ccs": [], "current_email_ccs": current})
            )
        if step.changes.get("satisfaction") in RATED:
            opinion = step.changes.get("satisfaction_comment") or None
            rated = {
                "score": step.changes["satisfaction"],
                "assignee_id": after["assignee_id"],
                "body": opinion,
            }
            events.append(("SatisfactionRating", rated))
        for position, (kind, body) in enumerate(events):
            number = self.ids.stamp(helpdesk.AuditEvent, step.at)
            self.writer.add(
                helpdesk.AuditEvent,
                {"id": number, "audit_id": audit, "type": kind, "position": position, "body": body},
            )
            if kind == "Comment" and step.said is not None:
                shared = {"ticket_id": ticket.number, "audit_id": audit, "author_id": author}
                self._comment(
                    step.said, {"id": number, "via": via, "created_at": step.at, **shared}
                )
        counters.note(step, before or {}, after)

    def _comment(self, said: Said, row: dict[str, Any]) -> None:
        """Write a comment: `row` holds what it shares with its audit."""
        words = {"body": said.text, "html_body": html_of_plain(said.text), "public": said.public}
        self.writer.add(helpdesk.Comment, {**row, **words})
        for file in said.attachments:
            self.files.write(file, row["id"], row["created_at"])

    def _via(self, ticket: Ticket, step: Step) -> dict[str, Any]:
        channel = CHANNELS.get(step.channel, step.channel)
        source: dict[str, Any] = {"from": {}, "to": {}, "rel": None}
        if step.channel == "email" and step.actor[0] == "person":
            person = self.people[ticket.person]
            source = {
                "from": {"address": person.email, "name": person.name or person.email},
                "to": {"address": SUPPORT, "name": COMPANY},
                "rel": None,
            }
        elif step.channel == "closed_ticket":
            source = {
                "from": {"ticket_id": ticket.notes.get("follows"), "channel": "email"},
                "to": {},
                "rel": "follow_up",
            }
        elif step.channel == "voice":
            source = {
                "from": {"phone": self.people[ticket.person].phone},
                "to": {"name": COMPANY},
                "rel": "voicemail",
            }
        elif step.channel == "rule":
            title = AUTOMATIONS[step.rule or "close"]
            return RuleSource("automation", self.automations[title], title).via()
        return {"channel": channel, "source": source}


class Counters:
    """A ticket's metric row, kept while its steps are replayed."""

    def __init__(self, replay: Replay, ticket: Ticket) -> None:
        self.replay, self.ticket = replay, ticket
        self.row: dict[str, Any] = {
            "ticket_id": ticket.number,
            "created_at": ticket.created,
            "minutes": {},
        }

    def note(self, step: Step, before: dict[str, Any], after: dict[str, Any]) -> None:
        """Count one update."""
        row, at = self.row, step.at
        row["updated_at"] = at
        if before.get("group_id") != after["group_id"] and after["group_id"] is not None:
            row["group_stations"] = row.get("group_stations", 0) + 1
        if before.get("assignee_id") != after["assignee_id"]:
            row["assignee_updated_at"] = at
            if after["assignee_id"] is not None:
                row["assignee_stations"] = row.get("assignee_stations", 0) + 1
                row["assigned_at"] = at
                row.setdefault("initially_assigned_at", at)
        if before.get("status") != after["status"]:
            self._status(before.get("status"), after["status"], at)
        if step.said is not None:
            self._said(step, at, created=not before)

    def _status(self, before: str | None, after: str, at: datetime) -> None:
        row = self.row
        since = row.get("status_updated_at", self.ticket.created)
        if before in WAITS:
            self._add(WAITS[before], since, at)
        if before == "hold":
            self._add("requester_wait_time", since, at)
        row["status_updated_at"] = row["custom_status_updated_at"] = at
        if after == "solved":
            row["solved_at"] = at
            if "first_resolution_time" not in row["minutes"]:
                self._add("first_resolution_time", self.ticket.created, at)
            row["minutes"].pop("full_resolution_time", None)
            self._add("full_resolution_time", self.ticket.created, at)
        elif before == "solved" and after != "closed":
            row["reopens"] = row.get("reopens", 0) + 1
            row["solved_at"] = None

    def _said(self, step: Step, at: datetime, *, created: bool) -> None:
        row = self.row
        row["latest_comment_added_at"] = at
        by_agent = step.actor[0] == "agent"
        if not by_agent or created:
            row["requester_updated_at"] = at
        if by_agent and step.said is not None and step.said.public and not created:
            row["replies"] = row.get("replies", 0) + 1
            if "reply_time_in_seconds" not in row:
                row["reply_time_in_seconds"] = int((at - self.ticket.created).total_seconds())
                self._add("reply_time", self.ticket.created, at)

    def _add(self, name: str, since: datetime, until: datetime) -> None:
        """Add a span to one of the ticket's times, as minutes of the calendar and of the desk."""
        so_far = self.row["minutes"].get(name) or {"calendar": 0, "business": 0}
        self.row["minutes"][name] = {
            "calendar": so_far["calendar"] + int((until - since).total_seconds()) // 60,
            "business": so_far["business"] + self.replay.hours.seconds_between(since, until) // 60,
        }

    def write(self) -> None:
        """Write the row."""
        self.row["id"] = self.replay.ids.stamp(helpdesk.TicketMetric, self.ticket.created)
        self.replay.writer.add(helpdesk.TicketMetric, self.row)
