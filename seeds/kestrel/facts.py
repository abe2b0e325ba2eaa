"""What is true of a world, as plain data: for those who arrange and grade, never for agents."""

from __future__ import annotations

from typing import Any

from seeds.kestrel.projection.billing import Books
from seeds.kestrel.projection.desk import DeskIds
from seeds.kestrel.projection.people import Customers
from seeds.kestrel.story.model import DoubleCharge, Incident, Payer, StoryPerson, Ticket, Unit
from seeds.kestrel.story.whole import Story

TOLD = ("case", "cause", "second", "repeats", "merged_into", "reopened", "test", "neglected")


class Papers:
    """The story's facts with the identifiers that the clones gave them."""

    def __init__(self, story: Story, desk: DeskIds, customers: Customers, books: Books) -> None:
        self.story, self.desk, self.customers, self.books = story, desk, customers, books
        self.of_double: dict[int, list[int]] = {}
        self.of_incident: dict[int, list[int]] = {}
        for ticket in story.tickets:
            if ticket.incident is not None:
                self.of_incident.setdefault(ticket.incident, []).append(ticket.number)
            if (double := ticket.notes.get("double")) is not None:
                self.of_double.setdefault(double, []).append(ticket.number)

    def facts(self, listed: list[StoryPerson]) -> dict[str, Any]:
        """Return everything as JSON-able data; `listed` are the customers handed out."""
        story, desk, users = self.story, self.desk, self.customers.users
        return {
            "groups": desk.groups,
            "ticket_fields": desk.fields,
            "ticket_form": desk.form,
            "brand": desk.brand,
            "staff": self._staff(),
            "listed_customers": [users[person.index] for person in listed],
            "customers": [self._customer(payer) for payer in story.payers],
            "machines": [self._machine(unit) for unit in story.units],
            "double_charges": [self._double(double) for double in story.doubles],
            "incidents": [self._incident(incident) for incident in story.incidents],
            "departures": [
                {"user": users[person.index], "left": person.left_at.isoformat()}
                for person in story.people
                if person.left_at
            ],
            "tickets": {str(ticket.number): self._ticket(ticket) for ticket in story.tickets},
        }

    def _machine(self, unit: Unit) -> dict[str, Any]:
        return {
            "serial": unit.serial,
            "model": unit.machine.name,
            "owner": self.customers.users[unit.owner],
            "bought": unit.bought.isoformat(),
            "dealer": unit.dealer.name if unit.dealer else None,
        }

    def _double(self, double: DoubleCharge) -> dict[str, Any]:
        return {
            "cause": double.cause,
            "customer": self.books.customers[double.payer],
            "first": self.books.charges[double.first],
            "second": self.books.charges[double.second],
            "owed": double.owed,
            "tickets": self.of_double.get(double.index, []),
        }

    def _incident(self, incident: Incident) -> dict[str, Any]:
        return {
            "kind": incident.kind,
            "domain": incident.domain,
            "title": incident.title,
            "onset": incident.onset.isoformat(),
            "hours": round(incident.hours, 2),
            "key": incident.key,
            "problem": incident.problem,
            "tickets": self.of_incident.get(incident.index, []),
        }

    def _ticket(self, ticket: Ticket) -> dict[str, Any]:
        told = {key: ticket.notes[key] for key in TOLD if ticket.notes.get(key)}
        return {
            "domain": ticket.domain,
            "topic": ticket.topic,
            "language": ticket.language,
            "incident": ticket.incident,
            "person": self.customers.users[ticket.person],
            **told,
        }

    def _staff(self) -> list[dict[str, Any]]:
        return [
            {
                "user": self.desk.agents[agent.index],
                "name": agent.name,
                "email": agent.email,
                "role": agent.role,
                "groups": [self.desk.groups[key] for key in agent.groups],
                "title": agent.title,
                "listed": agent.listed,
                "left": agent.left_at.isoformat() if agent.left_at else None,
            }
            for agent in self.story.staff
        ]

    def _customer(self, payer: Payer) -> dict[str, Any]:
        customers, books = self.customers, self.books
        person = self.story.people[payer.person]
        return {
            "user": customers.users[person.index],
            "name": person.name,
            "email": person.email,
            "language": person.language,
            "time_zone": person.iana,
            "shared": person.shared,
            "firm": person.firm.name if person.firm else None,
            "organization": customers.organizations[person.firm.index] if person.firm else None,
            "billing_customer": books.customers[payer.index],
            "billing_email": payer.email,
            "currency": payer.currency,
            "cards": [list(card) for card in payer.cards],
            "subscriptions": [
                {
                    "id": books.subscriptions[sub.index],
                    "plan": sub.plan.key,
                    "ended": sub.ended.isoformat() if sub.ended else None,
                }
                for sub in payer.subscriptions
            ],
            "charges": [
                {
                    "id": books.charges[charge.index],
                    "amount": charge.amount,
                    "currency": charge.currency,
                    "created": charge.created.isoformat(),
                    "status": charge.status,
                    "description": charge.description,
                    "refunded": sum(amount for amount, _, _ in charge.refunds),
                }
                for charge in payer.charges
            ],
        }
