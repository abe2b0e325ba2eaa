"""What is true of a world, as plain data: for those who arrange and grade, never for agents."""

from __future__ import annotations

from typing import Any

from seeds.kestrel.projection.billing import Books
from seeds.kestrel.projection.desk import Desk
from seeds.kestrel.projection.people import Customers
from seeds.kestrel.story.model import Agent, DoubleCharge, Incident, Payer, Person, Ticket, Unit


def world_facts(
    desk: Desk, staff: list[Agent], customers: Customers, people: list[Person], payers: list[Payer], books: Books,
    incidents: list[Incident], doubles: list[DoubleCharge], tickets: list[Ticket], units: list[Unit], listed: list[Person],
) -> dict[str, Any]:
    """Return the story's facts with the identifiers that the clones gave them."""
    return {
        "groups": desk.groups,
        "ticket_fields": desk.fields,
        "ticket_form": desk.form,
        "brand": desk.brand,
        "staff": [_agent(desk, agent) for agent in staff],
        "listed_customers": [customers.users[person.index] for person in listed],
        "customers": [_customer(customers, people, payer, books) for payer in payers],
        "machines": [
            {"serial": unit.serial, "model": unit.machine.name, "owner": customers.users[unit.owner],
             "bought": unit.bought.isoformat(), "dealer": unit.dealer.name if unit.dealer else None}
            for unit in units
        ],
        "double_charges": [
            {"cause": double.cause, "customer": books.customers[double.payer], "first": books.charges[double.first],
             "second": books.charges[double.second], "owed": double.owed,
             "tickets": [t.number for t in tickets if t.notes.get("double") == double.index]}
            for double in doubles
        ],
        "incidents": [
            {"kind": item.kind, "domain": item.domain, "title": item.title, "onset": item.onset.isoformat(),
             "hours": round(item.hours, 2), "key": item.key, "problem": item.problem,
             "tickets": [t.number for t in tickets if t.incident == item.index]}
            for item in incidents
        ],
        "departures": [
            {"user": customers.users[person.index], "left": person.left_at.isoformat()} for person in people if person.left_at
        ],
        "tickets": {
            str(ticket.number): {
                "domain": ticket.domain, "topic": ticket.topic, "language": ticket.language, "incident": ticket.incident,
                "person": customers.users[ticket.person],
                **{key: ticket.notes[key] for key in ("second", "repeats", "merged_into", "reopened", "test", "neglected") if ticket.notes.get(key)},
            }
            for ticket in tickets
        },
    }


def _agent(desk: Desk, agent: Agent) -> dict[str, Any]:
    return {
        "user": desk.agents[agent.index], "name": agent.name, "email": agent.email, "role": agent.role,
        "groups": [desk.groups[key] for key in agent.groups], "title": agent.title, "listed": agent.listed,
        "left": agent.left_at.isoformat() if agent.left_at else None,
    }


def _customer(customers: Customers, people: list[Person], payer: Payer, books: Books) -> dict[str, Any]:
    person = people[payer.person]
    return {
        "user": customers.users[person.index], "name": person.name, "email": person.email, "language": person.language,
        "time_zone": person.iana, "shared": person.shared, "firm": person.firm.name if person.firm else None,
        "organization": customers.organizations[person.firm.index] if person.firm else None,
        "billing_customer": books.customers[payer.index], "billing_email": payer.email, "currency": payer.currency,
        "cards": [list(card) for card in payer.cards],
        "subscriptions": [
            {"id": books.subscriptions[sub.index], "plan": sub.plan.key, "ended": sub.ended.isoformat() if sub.ended else None}
            for sub in payer.subscriptions
        ],
        "charges": [
            {"id": books.charges[charge.index], "amount": charge.amount, "currency": charge.currency,
             "created": charge.created.isoformat(), "status": charge.status, "description": charge.description,
             "refunded": sum(amount for amount, _, _ in charge.refunds)}
            for charge in payer.charges
        ],
    }
