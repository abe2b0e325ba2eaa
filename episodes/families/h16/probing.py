"""Thirty tickets that come in once the work is done: which policy each gets, and which targets.

They are made by the helpdesk's own functions in a copy. Half are the covered firms', half are not
covered: other firms', nobody's, of another type or group, tagged for the policy that may go first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from clones.core.journal import act
from clones.helpdesk.domain.tickets import create_ticket, update_ticket
from clones.helpdesk.domain.users import create_user
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import Group, Organization, SlaClock, SlaPolicy, Ticket, User
from episodes.tasks.spec import Facts, Stage

COVERED: Final = 15
NOT_COVERED: Final = 15
PRIORITIES: Final = ("urgent", "high", "normal", "low")
TYPES: Final = ("question", "incident", "problem", "task")
SUBJECTS: Final = (
    "Nozzle bent after the move",
    "Which lens for acrylic?",
    "Exhaust fan rattles",
    "Seat for a new colleague",
    "Job stops at 80 percent",
    "Delivery date of the chiller",
)


@dataclass(frozen=True, slots=True)
class Draft:
    """A ticket to come: whose it is, and what is set on it."""

    firm: int | None
    priority: str
    type: str | None
    group: int
    tags: list[str] = field(default_factory=list)


def probe(facts: Facts, stage: Stage) -> Mapping[str, Any]:
    """Return what became of thirty tickets, empty where nobody touched a policy.

    Each is {"values": {...}, "policy": id or None, "targets": {metric: [minutes, business]}}.
    """
    if _untouched(facts):
        return {"tickets": []}
    chance = stage.chance("probes")
    desk = _Desk(facts, chance)
    drafts = [(desk.covered(number), True) for number in range(COVERED)]
    drafts += [(desk.not_covered(number), False) for number in range(NOT_COVERED)]
    chance.shuffle(drafts)
    return {"tickets": [desk.send(draft, answered=covered) for draft, covered in drafts]}


def _untouched(facts: Facts) -> bool:
    """Tell whether the policies are those that stood at the start, as they stood."""
    found = SlaPolicy.objects.order_by("position", "id").values_list("id", flat=True)
    return list(found) == [policy["id"] for policy in facts["standing"]]


class _Desk:
    """Makes tickets of people who are new to the desk."""

    def __init__(self, facts: Facts, chance: Random) -> None:
        self.facts, self.chance = facts, chance
        self.admin = User.objects.filter(role="admin", active=True).earliest("id")
        self.groups = list(
            Group.objects.filter(deleted=False).order_by("id").values_list("id", flat=True)
        )
        others = Organization.objects.exclude(id__in=facts["firms"]).order_by("id")
        self.others = list(others.values_list("id", flat=True))
        self.tag = next(p["tag"] for p in facts["standing"] if p["tag"] not in (None, "vip"))
        self.people: dict[int | None, User] = {}

    def covered(self, number: int) -> Draft:
        """Return a ticket that the contract covers."""
        facts, chance = self.facts, self.chance
        tags = {3: ["vip"], 7: [self.tag] if facts["place"] == "first" else []}.get(number, [])
        return Draft(
            firm=facts["firms"][number % len(facts["firms"])],
            priority=PRIORITIES[number % len(PRIORITIES)],
            type=facts["type"] or chance.choice(TYPES),
            group=facts["group"] or chance.choice(self.groups),
            tags=tags,
        )

    def not_covered(self, number: int) -> Draft:
        """Return a ticket that it does not cover, of another sort each time."""
        facts, chance = self.facts, self.chance
        firm: int | None = chance.choice(self.others)
        kind, group = chance.choice(TYPES), chance.choice(self.groups)
        tags: list[str] = []
        sort = number % 5
        if sort == 0:
            firm = None
        elif sort == 1:
            tags = [self.tag]
            if facts["place"] == "after":
                # Covered but for the policy before it: whose it is shows which of them goes first.
                firm = facts["firms"][0]
                kind, group = facts["type"] or kind, facts["group"] or group
        elif sort == 2 and facts["type"]:
            firm, kind = facts["firms"][0], chance.choice([t for t in TYPES if t != facts["type"]])
        elif sort == 2 and facts["group"]:
            firm = facts["firms"][0]
            group = chance.choice([key for key in self.groups if key != facts["group"]])
        elif sort == 3:
            # What fits the contract in all but the firm.
            kind, group = facts["type"] or kind, facts["group"] or group
        elif sort == 4:
            # What the policy behind the catch-all asks for, and does not get.
            tags, kind = ["vip"], chance.choice([t for t in TYPES if t != "task"])
        return Draft(firm, PRIORITIES[number % len(PRIORITIES)], kind, group, tags)

    def send(self, draft: Draft, *, answered: bool) -> dict[str, Any]:
        """Let a ticket come, be answered and asked about again; return what its clocks are.

        Times of a next reply begin with the second question: no policy that stood has one.
        """
        requester = self._person(draft.firm)
        said = NewComment(body="Please see the subject.", author=requester)
        with act(actor="world", label="probe"):
            audit = create_ticket(
                actor=self.admin,
                changes={
                    "subject": self.chance.choice(SUBJECTS),
                    "priority": draft.priority,
                    "type": draft.type,
                    "group_id": draft.group,
                    "tags": draft.tags,
                    "status": "open",
                },
                comment=said,
                via=Via("web"),
                requester=requester,
            )
        ticket = Ticket.objects.get(id=audit.ticket_id)
        for author in (self.admin, requester) if answered else ():
            with act(actor="world", label="probe"):
                update_ticket(
                    ticket,
                    actor=author,
                    changes={},
                    comment=NewComment(body="One more word on this."),
                    via=Via("web"),
                )
            ticket = Ticket.objects.get(id=ticket.id)
        return _observed(ticket)

    def _person(self, firm: int | None) -> User:
        """Return somebody of a firm who has not written before."""
        if firm not in self.people:
            number = len(self.people)
            with act(actor="world", label="probe"):
                self.people[firm] = create_user(
                    actor=self.admin,
                    changes={
                        "name": f"Robin Ashdown {number}",
                        "email": f"robin.ashdown{number}@nearby-mail.example",
                        "organization_id": firm,
                    },
                )
        return self.people[firm]


def _observed(ticket: Ticket) -> dict[str, Any]:
    clocks = SlaClock.objects.filter(ticket=ticket).order_by("metric", "instance")
    return {
        "values": {
            "firm": ticket.organization_id,
            "priority": ticket.priority,
            "type": ticket.type,
            "group": ticket.group_id,
            "tags": sorted(ticket.tags),
        },
        "policy": ticket.sla_policy_id,
        "targets": {
            clock.metric: [clock.target_minutes, clock.business_hours]
            for clock in clocks
            if clock.target_minutes is not None
        },
    }
