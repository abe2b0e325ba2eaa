"""From story to rows: the order in which a kestrel world is made."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from clones.core.models import RandomStream
from clones.helpdesk import models as helpdesk
from seeds.bulk import BulkWriter, Identifiers
from seeds.draw import Draws
from seeds.kestrel.facts import world_facts
from seeds.kestrel.labels import Labels, link_incidents
from seeds.kestrel.projection.accounts import write_accounts
from seeds.kestrel.projection.billing import Books
from seeds.kestrel.projection.desk import write_desk
from seeds.kestrel.projection.helpdesk import Replay
from seeds.kestrel.projection.people import Customers
from seeds.kestrel.projection.rules import Rules
from seeds.kestrel.sizes import SIZES
from seeds.kestrel.story import people as who
from seeds.kestrel.story import trade
from seeds.kestrel.story.incidents import make_incidents
from seeds.kestrel.story.model import Agent, Incident, Person, Ticket
from seeds.kestrel.story.tickets import Stories
from seeds.kestrel.words import put_words
from seeds.ledger import Ledger
from seeds.pools import Half


def build(size_name: str, seed: int, material: str, half: Half) -> tuple[Ledger, dict[str, Any], dict[str, int]]:
    """Write a kestrel world into the bound store; return ledger, facts and row counts."""
    size = SIZES[size_name]
    draws, ledger = Draws(f"{material}|{size_name}"), Ledger()
    staff = who.make_staff(draws, half, size)
    firms = who.make_firms(draws, half, size)
    people = who.make_people(draws, half, size, firms)
    units = trade.make_units(draws, people, firms)
    payers = trade.make_payers(draws, people)
    doubles = trade.make_double_charges(draws, payers, max(size.tickets // 80, 6))
    incidents = make_incidents(draws, size)
    stories = Stories(draws, size, people, payers, staff, incidents, doubles)
    tickets = stories.make()
    label(draws, half, tickets, people, staff, incidents, ledger)
    writer, ids = BulkWriter(), Identifiers(material)
    desk = write_desk(writer, ids, draws, staff)
    Rules(writer, ids, desk).write()
    customers = Customers(writer, ids, draws, ledger)
    seen = {ticket.person: ticket.created for ticket in reversed(tickets)}
    customers.write(firms, people, seen)
    put_words(draws, half, tickets, people, staff, incidents, ledger)
    replay = Replay(writer, ids, draws, desk, customers, people)
    for ticket in tickets:
        replay.write(ticket)
    books = Books(writer, ids, draws, ledger)
    books.write(payers, people)
    listed = _listed(people, stories)
    write_accounts(writer, ids, desk, staff, customers, listed)
    writer.flush()
    ids.store({helpdesk.Ticket: tickets[-1].number + 3})
    RandomStream.objects.all().delete()
    facts = world_facts(desk, staff, customers, people, payers, books, incidents, doubles, tickets, units, listed)
    return ledger, facts, writer.counts()


def label(
    draws: Draws, half: Half, tickets: list[Ticket], people: list[Person], staff: list[Agent],
    incidents: list[Incident], ledger: Ledger,
) -> None:
    """Add what the desk notes about tickets, and link incidents to their problems."""
    labels = Labels(draws, half, people, staff, ledger)
    problems: dict[int, tuple[Ticket, datetime | None]] = {}
    for ticket in tickets:
        if "problem" in ticket.notes:
            incidents[ticket.notes["problem"]].problem = ticket.number
            solved = [step.at for step in ticket.steps if step.changes.get("status") == "solved"]
            problems[ticket.notes["problem"]] = (ticket, solved[0] if solved else None)
        else:
            labels.put(ticket)
    link_incidents(draws, tickets, problems)


def _listed(people: list[Person], stories: Stories) -> list[Person]:
    """Return the two customers whose accounts are handed out: paying, with machines."""
    found = [
        person
        for person in people
        if not person.shared and person.machines and stories.payer_of(person) and person.country.language == "en" and not person.left_at
    ]
    return found[:2]
