"""One planted ticket of H01: what is true of it, and how it comes into the world."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random
from typing import Any, Final

from clones.core import clock
from clones.core.journal import act
from clones.helpdesk.domain.inbound import email_via, follow_up, open_ticket
from clones.helpdesk.domain.tickets import update_ticket
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import Comment, Ticket, User
from episodes.families.h01 import words

MACHINES: Final = ("SW25", "MR30", "MR45", "KT60", "OS80", "HF30")


@dataclass(frozen=True, slots=True)
class Values:
    """What is true of a ticket, by which it may be told from others: one value for each fact.

    `quoted` and `budget` are minor units, `first_reply` whole minutes; `proposed` is the day that
    was offered first, `visit` the one agreed.
    """

    opened: datetime
    first_reply: int
    proposed: date
    visit: date
    quoted: int
    budget: int
    serial: str
    pieces: int
    order: str
    copied: tuple[str, ...]


@dataclass(slots=True)
class Case:
    """One ticket to plant. `parent` is the case whose closed ticket it follows up.

    `discussed` ones have a second reply about the day of the visit; `ticket` is set by planting.
    """

    requester: User
    subject: str
    sentence: str
    values: Values
    currency: str
    answerer: User
    assignee: User
    status: str
    discussed: bool
    serial_field: int
    parent: Case | None = None
    ticket: int = 0

    def events(self, chance: Random) -> list[tuple[datetime, Callable[[], None]]]:
        """Return what happens to it, with its times."""
        values = self.values
        first = values.opened + timedelta(minutes=values.first_reply)
        texts = self._texts(chance)
        found = [
            (values.opened, lambda: self._open(texts[0])),
            (first, lambda: self._answer(texts[1], last=not self.discussed)),
        ]
        if self.discussed:
            final = first + timedelta(minutes=chance.randrange(70, 1500))
            found.append((final, lambda: self._answer(texts[2], last=True)))
        return found

    def _texts(self, chance: Random) -> list[str]:
        values, name = self.values, self.requester.name.split()[0]
        agent = self.answerer.name.split()[0]
        offered = words.day_words(values.proposed if self.discussed else values.visit)
        return [
            words.opening(
                self.sentence,
                self.requester.name,
                order=values.order,
                budget=self.money(values.budget),
                pieces=values.pieces,
                chance=chance,
            ),
            words.first_answer(
                name, agent, quoted=self.money(values.quoted), visit=offered, chance=chance
            ),
            words.last_answer(name, agent, visit=words.day_words(values.visit)),
        ]

    def money(self, minor: int) -> str:
        """Return a sum in the case's currency as people write it."""
        return f"{minor / 100:.2f} {self.currency.upper()}"

    def _open(self, text: str) -> None:
        copied = [{"user_email": email, "action": "put"} for email in self.values.copied]
        comment, via = NewComment(text), email_via(self.requester)
        if self.parent is None:
            audit = open_ticket(self.requester, self.subject, comment, via, {"email_ccs": copied})
        else:
            closed = Ticket.objects.get(id=self.parent.ticket)
            audit = follow_up(
                closed,
                actor=self.requester,
                comment=comment,
                via=via,
                changes={"email_ccs": copied},
            )
        self.ticket = audit.ticket_id

    def _answer(self, text: str, *, last: bool) -> None:
        changes: dict[str, Any] = {"assignee_id": self.answerer.id}
        if last:
            changes = {
                "assignee_id": self.assignee.id,
                "status": self.status,
                "custom_fields": {self.serial_field: self.values.serial},
            }
        ticket, comment = Ticket.objects.get(id=self.ticket), NewComment(text)
        update_ticket(ticket, actor=self.answerer, changes=changes, comment=comment, via=Via("web"))

    def comments(self) -> list[int]:
        """Return its comments' ids, oldest first."""
        found = Comment.objects.filter(ticket_id=self.ticket).order_by("created_at", "id")
        return list(found.values_list("id", flat=True))


def plant(cases: list[Case], chance: Random) -> None:
    """Plant cases, in the order of what happened; nothing may lie ahead of the present."""
    events = [event for case in cases for event in case.events(chance)]
    with act(actor="world", label="mail"):
        for at, happen in sorted(events, key=lambda event: event[0]):
            with clock.at(at):
                happen()


def draw_values(
    chance: Random, *, opened: datetime, present: datetime, other: str, domain: str, copies: int
) -> Values:
    """Draw what is true of a ticket.

    `other` is an order number not to use, `domain` that of so many addresses in copy.
    """
    proposed = present.date() + timedelta(days=chance.randrange(3, 40))
    order = other
    while order == other:
        order = f"KL-{chance.randrange(200_000, 990_000)}"
    mailboxes = ("workshop", "purchasing", "accounts", "office", "stores", "production", "service")
    names = chance.sample(mailboxes, copies)
    return Values(
        opened=opened,
        first_reply=chance.randrange(17, 1380),
        proposed=proposed,
        visit=proposed + timedelta(days=chance.randrange(2, 35)),
        quoted=chance.randrange(23, 680) * 100 + chance.choice((0, 25, 50, 90)),
        budget=chance.randrange(7, 90) * 1000,
        serial=(
            f"{chance.choice(MACHINES)}-{chance.randrange(1900, 2600)}"
            f"-{chance.randrange(100, 9999):04d}"
        ),
        pieces=chance.randrange(2, 140),
        order=order,
        copied=tuple(f"{name}@{domain}" for name in names),
    )
