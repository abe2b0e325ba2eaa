"""A desk with a customer who was charged twice, a lead, and people in both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from clones.billing.domain.refunds import create_refund
from clones.billing.models import Charge
from clones.core import clock, jobs
from clones.core.journal import act
from clones.core.tenancy import unit_of_work
from clones.helpdesk.domain.inbound import receive_mail
from clones.helpdesk.models import Comment, SatisfactionRating, Ticket, User
from seeds.people.casting import cast_asker, cast_customer, cast_lead
from seeds.people.models import Approval, PersonState
from seeds.people.persona import Change, Knowledge, Persona, Tone
from seeds.people.reports import PersonReport, reports
from tests.billing.shop import add_charge, add_customer
from tests.conftest import bind
from tests.helpdesk.conftest import Desk, desk, desk_image

__all__ = ["Matter", "desk", "desk_image", "matter"]

AMOUNT = 12900
NUMBER = "+44 20 7946 0123"


@dataclass
class Matter:
    """Rosa's ticket about a double charge, and everything around it."""

    desk: Desk
    ticket: int = 0
    charges: tuple[str, str] = ("", "")
    customer: str = ""
    lead: str = ""

    def arrange(
        self, *, owed: bool = True, cause: str = "gateway_retry", tone: Tone = "plain"
    ) -> Matter:
        """Charge Rosa twice, let her write in, and cast her and Olga, the lead."""
        with self.writing("world"):
            payer = add_customer("Rosa Diaz", "rosa@acme.example")
            pair = [add_charge(payer, AMOUNT, description="Order KL-10482") for _ in range(2)]
            self.charges = (pair[0].id, pair[1].id)
            rosa = User.objects.get(email="rosa@acme.example")
            audit = receive_mail(author=rosa, subject="Charged twice", body="I was charged twice.")
            self.ticket = audit.ticket_id
            ticket = Ticket.objects.get(id=self.ticket)
            check = {
                "name": "refund_visible",
                "charge": self.charges[1],
                "amount": AMOUNT,
                "currency": "usd",
            }
            self.customer = cast_customer(
                rosa,
                ticket,
                tone=tone,
                chance=Random(3),
                check=check if owed else None,
                cause=cause,
            ).id
            olga = User.objects.get(email="olga@desk.example")
            self.lead = cast_lead(olga, chance=Random(4), limit=50000).id
        self.advance()
        return self

    def arrange_change(self) -> Matter:
        """Let Rosa ask for a new number of a colleague, of whom there are two, and cast her."""
        place = {"table": "helpdesk_user", "column": "phone", "name": None, "value": NUMBER}
        with self.writing("world"):
            rosa = User.objects.get(email="rosa@acme.example")
            audit = receive_mail(author=rosa, subject="New number", body="Ann has a new number.")
            self.ticket = audit.ticket_id
            self.customer = cast_asker(
                rosa,
                Ticket.objects.get(id=self.ticket),
                temper=Persona(tone="warm"),
                chance=Random(3),
                knowledge=Knowledge(
                    own={"contact": "Ann Lee"},
                    options={"contact": (("Ann Lee",), ("Ann Moss",))},
                    change=Change(("Ann Lee",), (NUMBER,)),
                ),
                places=[{**place, "key": rosa.id}],
            ).id
        self.advance()
        return self

    def enter(self, number: str) -> None:
        """Let the agent Ana enter the number that Rosa looks at."""
        with self.reading():
            key = User.objects.values_list("id", flat=True).get(email="rosa@acme.example")
        self.desk.put(f"users/{key}.json", {"user": {"phone": number}})
        self.advance(seconds=30)

    @contextmanager
    def writing(self, actor: str) -> Iterator[None]:
        """Write into the sandbox as somebody."""
        with bind(self.desk.row), unit_of_work("write"), act(actor=actor, label="test"):
            yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read the sandbox."""
        with bind(self.desk.row), unit_of_work("read"):
            yield

    def advance(self, **span: float) -> None:
        """Let time pass; every job must succeed."""
        with bind(self.desk.row), unit_of_work("write"):
            runs = jobs.advance(clock.now() + timedelta(**span))
        assert [run.error for run in runs if run.error] == []

    def change(self, *, note: str | None = None, reply: str | None = None, **values: Any) -> None:
        """Let the agent Ana reply, leave a note, or change the ticket."""
        if reply is not None:
            values["comment"] = {"body": reply, "public": True}
        if note is not None:
            values["comment"] = {"body": note, "public": False}
        if values.get("status") == "solved":
            values["assignee_id"] = self.desk.ids["ana"]
        self.desk.put(f"tickets/{self.ticket}.json", {"ticket": values})
        self.advance(seconds=30)

    def refund(self, charge: str | None = None) -> None:
        """Let the agent give the later charge back."""
        with self.writing("billing.account:1"):
            row = Charge.objects.get(id=charge or self.charges[1])
            create_refund(row, actor="billing.account:1")
        self.advance(seconds=30)

    def status(self) -> str:
        """Return the ticket's status."""
        with self.reading():
            return Ticket.objects.values_list("status", flat=True).get(id=self.ticket)

    def said_by(self, login: str, *, public: bool = True) -> list[str]:
        """Return what somebody said on the ticket, after the first mail."""
        with self.reading():
            found = Comment.objects.filter(
                ticket_id=self.ticket, author__email__startswith=login, public=public
            )
            texts = list(found.order_by("created_at", "id").values_list("body", flat=True))
        return [text for text in texts if text != "I was charged twice."]

    def ratings(self) -> list[tuple[str, str | None]]:
        """Return the ratings given: (score, comment)."""
        with self.reading():
            found = SatisfactionRating.objects.filter(ticket_id=self.ticket).order_by("id")
            return [(rating.score, rating.comment) for rating in found]

    def approvals(self) -> list[tuple[str, int, bool, str | None]]:
        """Return what the lead decided: (charge, sum, granted, reason)."""
        with self.reading():
            return [
                (entry.charge, entry.amount, entry.granted, entry.reason)
                for entry in Approval.objects.order_by("given_at", "id")
            ]

    def report(self) -> PersonReport:
        """Return how Rosa fared."""
        with self.reading():
            [found] = reports([self.customer])
            return found

    def mood(self) -> str:
        """Return Rosa's mood."""
        with self.reading():
            return PersonState.objects.get(person_id=self.customer).mood


@pytest.fixture
def matter(desk: Desk) -> Matter:
    """A matter to be arranged."""
    return Matter(desk)
