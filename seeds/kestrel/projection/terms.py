"""A story in the helpdesk's own terms: users, channels, the names of ticket updates."""

from __future__ import annotations

from typing import Any

from seeds.kestrel.catalogue import ADDRESSES, COMPANY, SUPPORT
from seeds.kestrel.projection.desk import DeskIds
from seeds.kestrel.projection.people import Customers
from seeds.kestrel.projection.roster import Roster
from seeds.kestrel.story.model import Step, StoryComment, StoryPerson, Ticket
from seeds.kestrel.story.whole import Story

RATED = ("good", "bad")
AUTOMATIONS = {
    "close": "Close ticket 4 days after status is set to solved",
    "survey": "Request customer satisfaction rating",
}
CHANNELS = {"chat": "native_messaging", "social": "any_channel"}


def spoken(step: Step) -> StoryComment | None:
    """Return what a step says; an empty comment says nothing."""
    said = step.said
    return said if said is not None and (said.text.strip() or said.attachments) else None


def address_of(ticket: Ticket) -> str:
    """Return the address of the desk that a ticket's first mail goes to."""
    first = ticket.steps[0]
    if first.actor[0] != "person":
        return SUPPORT
    return ADDRESSES.get(first.changes.get("group", ""), SUPPORT)


class Terms:
    """Says of tickets and steps who, how and what, as a caller of `domain` would."""

    def __init__(
        self, story: Story, *, desk: DeskIds, customers: Customers, roster: Roster
    ) -> None:
        self.desk, self.customers, self.roster = desk, customers, roster
        self.people: list[StoryPerson] = story.people
        self._subjects = {ticket.number: ticket.subject.strip() for ticket in story.tickets}

    def creation(self, ticket: Ticket) -> dict[str, Any]:
        """Return what a ticket is created with, under the names of ticket updates.

        Customers set no group where one of the account's rules does: that of an address they
        wrote to, else the first line.
        """
        copies = [self.customers.users[key] for key in ticket.notes.get("copies", [])]
        found: dict[str, Any] = {"subject": ticket.subject.strip()}
        if ticket.channel == "email":
            found["recipient"] = address_of(ticket)
        if "type" in ticket.notes:
            found["type"] = ticket.notes["type"]
        if copies:
            found["email_cc_ids"] = copies
        found |= self.changes(ticket.steps[0])
        group = ticket.steps[0].changes.get("group")
        by_rule = group == "support" or found.get("recipient", SUPPORT) != SUPPORT
        if by_rule and ticket.steps[0].actor[0] == "person":
            del found["group_id"]
        return found

    def changes(self, step: Step) -> dict[str, Any]:
        """Return what a step changes, under the names of ticket updates.

        What a customer's answer does to the status follows from its being one.
        """
        told = step.changes
        found: dict[str, Any] = {}
        for name in ("priority", "type"):
            if name in told:
                found[name] = told[name]
        if "status" in told and step.actor[0] == "agent":
            found["status"] = told["status"]
        if "assignee" in told:
            owner = told["assignee"]
            found["assignee_id"] = None if owner is None else self.desk.agents[owner]
        if "group" in told:
            found["group_id"] = self.desk.groups[told["group"]]
        if "problem" in told:
            found["problem_id"] = told["problem"]
        if "fields" in told:
            fields = told["fields"].items()
            found["custom_fields"] = {str(self.desk.fields[key]): value for key, value in fields}
        tags = [*told.get("tags", []), *told.get("add_tags", [])]
        return found | ({"additional_tags": tags} if tags else {})

    def requester(self, ticket: Ticket) -> int:
        """Return the user row that a ticket's requester is known by."""
        if "agent" in ticket.notes:
            return self.desk.agents[ticket.notes["agent"]]
        return self.customers.users[ticket.person]

    def organization(self, ticket: Ticket) -> int | None:
        """Return the organization of a ticket's requester."""
        firm = self.people[ticket.person].firm
        if "agent" in ticket.notes or firm is None:
            return None
        return self.customers.organizations[firm.index]

    def actor(self, step: Step, ticket: Ticket) -> int | None:
        """Return the user who takes a step, None for a rule."""
        kind, key = step.actor
        if kind == "agent":
            return self.desk.agents[key]
        return self.requester(ticket) if kind == "person" else None

    def contact(self, user: int) -> tuple[str, str]:
        """Return a user's name and address."""
        return self.roster.contact(user) or self.customers.contacts[user]

    def channel(self, step: Step) -> str:
        """Return the vendor's name of a step's channel."""
        return CHANNELS.get(step.channel, step.channel)

    def via(self, ticket: Ticket, step: Step) -> dict[str, Any]:
        """Return how a step came in."""
        source: dict[str, Any] = {"from": {}, "to": {}, "rel": None}
        if step.channel == "email" and step.actor[0] == "person":
            name, address = self.contact(self.requester(ticket))
            source = {
                "from": {"address": address, "name": name},
                "to": {
                    "name": COMPANY,
                    "address": address_of(ticket) if step is ticket.steps[0] else SUPPORT,
                },
                "rel": None,
            }
        elif step.channel == "closed_ticket":
            number = ticket.notes["follows"]
            channel = "email" if step.actor[0] == "person" else "web"
            source = {
                "from": {
                    "ticket_id": number,
                    "subject": self._subjects[number],
                    "channel": channel,
                },
                "to": {},
                "rel": "follow_up",
            }
        elif step.channel == "voice":
            source = {
                "from": {"phone": self.people[ticket.person].phone},
                "to": {"name": COMPANY},
                "rel": "voicemail",
            }
        return {"channel": self.channel(step), "source": source}
