"""Tell stories of tickets to `clones.helpdesk.domain`, step by step, each at its own time."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from clones.core import clock, jobs
from clones.core.journal import act
from clones.helpdesk.domain.automations import run_automation
from clones.helpdesk.domain.inbound import email_via
from clones.helpdesk.domain.satisfaction import rate_ticket
from clones.helpdesk.domain.tickets import create_ticket, update_ticket
from clones.helpdesk.domain.uploads import add_upload
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import Audit, Automation, Group, SupportAddress, Ticket, User
from clones.helpdesk.queries.conditions import Asker, question
from seeds.kestrel.catalogue import COMPANY, GROUPS, PRESENT, SUPPORT
from seeds.kestrel.story import model as story
from seeds.kestrel.story.whole import Story

AUTOMATIONS = {
    "close": "Close ticket 4 days after status is set to solved",
    "survey": "Request customer satisfaction rating",
}
CHANNELS = {"chat": "native_messaging", "social": "any_channel"}
File = tuple[str, str, bytes]


class Teller:
    """Retells tickets; `made` maps their numbers to those the domain gave.

    `files` are the files of each comment, by ticket number and time: their bytes are no part of
    the story.
    """

    def __init__(
        self,
        whole: Story,
        fields: dict[str, int],
        files: dict[tuple[int, datetime], list[File]],
    ) -> None:
        self.story, self.fields, self.files = whole, fields, files
        self.made: dict[int, int] = {}
        emails = {person.email for person in whole.people} | {a.email for a in whole.staff}
        self.users = {user.email: user for user in User.objects.filter(email__in=emails)}
        self.groups = dict(Group.objects.values_list("name", "id"))
        boxes = {
            "Billing": "billing@",
            "Dealer Desk": "dealers@",
            "Studio & Cloud": "studio@",
            "Hardware & Repairs": "repairs@",
            "Returns & Logistics": "orders@",
        }
        self.addresses = {
            self.groups[name]: SupportAddress.objects.get(email__startswith=box).email
            for name, box in boxes.items()
        }
        self.leaving = [agent for agent in whole.staff if agent.left_at is not None]

    def tell(self, tickets: list[story.Ticket]) -> None:
        """Tell the tickets' steps in the order of time, and let timers run up to the present."""
        steps = sorted(
            (
                (step.at, ticket.number, place)
                for ticket in tickets
                for place, step in enumerate(ticket.steps)
            )
        )
        by_number = {ticket.number: ticket for ticket in tickets}
        for at, number, place in steps:
            ticket = by_number[number]
            self._staff_of(at)
            jobs.catch_up(at)
            with clock.at(at), act(actor="world", label="history"):
                if place == 0:
                    self.made[number] = self._create(ticket).ticket_id
                else:
                    self._continue(ticket, ticket.steps[place])
        self._staff_of(PRESENT)
        jobs.catch_up(PRESENT)

    def _staff_of(self, at: datetime) -> None:
        """Let those work at the desk who worked there at a time."""
        for agent in self.leaving:
            user, there = self.users[agent.email], at < (agent.left_at or at)
            if user.active != there:
                user.active, user.suspended = there, not there
                user.save(update_fields=["active", "suspended"])

    def _user(self, ticket: story.Ticket, step: story.Step) -> User:
        kind, key = step.actor
        if kind == "agent":
            return self.users[self.story.staff[key].email]
        return self._requester(ticket)

    def _requester(self, ticket: story.Ticket) -> User:
        if "agent" in ticket.notes:
            return self.users[self.story.staff[ticket.notes["agent"]].email]
        return self.users[self.story.people[ticket.person].email]

    def _create(self, ticket: story.Ticket) -> Audit:
        first = ticket.steps[0]
        actor = self._user(ticket, first)
        changes = {"subject": ticket.subject, **self._changes(first)}
        via = self._via(ticket, first, actor)
        if ticket.channel == "email":
            changes["recipient"] = SUPPORT
            if not actor.is_agent:
                changes["recipient"] = self.addresses.get(changes["group_id"], SUPPORT)
                via = email_via(actor, to=changes["recipient"])
        if not actor.is_agent:
            self._leave_to_rules(changes)
        if "type" in ticket.notes:
            changes["type"] = ticket.notes["type"]
        if "copies" in ticket.notes:
            copied = [self.users[self.story.people[key].email] for key in ticket.notes["copies"]]
            changes["email_ccs"] = [{"user_id": user.id, "action": "put"} for user in copied]
        if "follows" in ticket.notes:
            changes["via_followup_source_id"] = self.made[ticket.notes["follows"]]
        return create_ticket(
            actor=actor,
            changes=changes,
            comment=self._comment(ticket, first, actor) or NewComment(None),
            via=via,
            requester=self._requester(ticket),
        )

    def _leave_to_rules(self, changes: dict[str, Any]) -> None:
        """Leave out the group that the account's rules set themselves."""
        first_line = changes["group_id"] == self.groups[GROUPS["support"][0]]
        if first_line or changes.get("recipient", SUPPORT) != SUPPORT:
            del changes["group_id"]

    def _continue(self, ticket: story.Ticket, step: story.Step) -> None:
        row = Ticket.objects.get(id=self.made[ticket.number])
        if step.rule is not None:
            self._automate(row, step)
            return
        actor = self._user(ticket, step)
        score = step.changes.get("satisfaction")
        if score is not None:
            words = step.changes.get("satisfaction_comment") or None
            rate_ticket(row, actor=actor, score=score, comment=words, via=Via("web"))
            return
        update_ticket(
            row,
            actor=actor,
            changes=self._changes(step),
            comment=self._comment(ticket, step, actor),
            via=self._via(ticket, step, actor),
        )

    def _automate(self, row: Ticket, step: story.Step) -> None:
        rule = Automation.objects.get(title=AUTOMATIONS[str(step.rule)])
        due = question(rule.conditions, Asker(clock.now()))
        assert Ticket.objects.filter(due, id=row.id).exists(), f"{rule.title}: not yet {row.id}"
        run_automation(rule, row)

    def _changes(self, step: story.Step) -> dict[str, Any]:
        """Return a step's changes as a client sends them; customers' answers change nothing."""
        told = step.changes
        found: dict[str, Any] = {name: told[name] for name in ("priority", "type") if name in told}
        if "status" in told and step.actor[0] == "agent":
            found["status"] = told["status"]
        if "assignee" in told:
            owner = told["assignee"]
            found["assignee_id"] = self.users[self.story.staff[owner].email].id
        if "group" in told:
            found["group_id"] = self.groups[GROUPS[told["group"]][0]]
        if "problem" in told:
            found["problem_id"] = self.made[told["problem"]]
        if "fields" in told:
            fields = told["fields"].items()
            found["custom_fields"] = {str(self.fields[key]): value for key, value in fields}
        if "add_tags" in told:
            found["additional_tags"] = told["add_tags"]
        return found

    def _comment(self, ticket: story.Ticket, step: story.Step, actor: User) -> NewComment | None:
        if step.said is None:
            return None
        token: str | None = None
        for name, kind, data in self.files.get((ticket.number, step.at), []):
            upload = add_upload(
                actor=actor, file_name=name, content_type=kind, data=data, token=token
            )
            token = upload.token
        return NewComment(
            step.said.text, public=step.said.public, uploads=(token,) if token else ()
        )

    def _via(self, ticket: story.Ticket, step: story.Step, actor: User) -> Via:
        if step.channel == "email" and step.actor[0] == "person":
            return email_via(actor)
        if step.channel == "closed_ticket":
            before = Ticket.objects.get(id=self.made[ticket.notes["follows"]])
            channel = "web" if actor.is_agent else "email"
            source = {"ticket_id": before.id, "subject": before.subject, "channel": channel}
            return Via("closed_ticket", {"from": source, "to": {}, "rel": "follow_up"})
        if step.channel == "voice":
            phone = self.story.people[ticket.person].phone
            source = {"phone": phone}
            return Via("voice", {"from": source, "to": {"name": COMPANY}, "rel": "voicemail"})
        return Via(CHANNELS.get(step.channel, step.channel))
