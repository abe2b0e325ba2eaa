"""Cases: tickets of the helpdesk that sales follows too, as accounts with large machines expect.

A case says nothing of its own: when it began, how it stands and when it was over is the ticket's,
some minutes later; so is the machine that it is about.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from seeds.draw import chance, lognormal
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.sales.model import Market, ServiceCase
from seeds.kestrel.story.model import Ticket, Unit
from seeds.kestrel.story.topics import TOPICS
from seeds.kestrel.story.whole import Story

FOLLOWED = ("hardware", "dealers", "logistics")
LARGE = 800_000  # cents of a euro: the price from which on an account has its machines followed
ALWAYS, OTHERWISE = 0.85, 0.3
# Cases that carry the ticket's number, and those left open; every so many of those with a number
# have a wrong one, beginning with the first ones that are.
NAMED, FORGOTTEN = 0.43, 0.035
MISNAMED_EVERY, MISNAMED_FIRST = 28, 9
OPEN = {"new": "New", "open": "Working", "pending": "Working", "hold": "Working"}
_GROUPS = {topic.key: topic.group for topic in TOPICS}
_APART = ("problem", "test", "merged_into", "repeats", "second")


def make_cases(story: Story, market: Market) -> list[ServiceCase]:
    """Return the cases, oldest first."""
    units = {unit.serial: unit for unit in story.units}
    last = story.tickets[-1].number
    found = []
    for ticket in story.tickets:
        case = _case(story, market, ticket, units)
        if case is not None:
            found.append(case)
    found.sort(key=lambda case: (case.created, case.ticket.number))
    named = [case for case in found if case.named is not None]
    for case in named[MISNAMED_FIRST::MISNAMED_EVERY]:
        number = case.ticket.number
        case.named = number + 1 if number < last else number - 1
    return found


def _case(
    story: Story, market: Market, ticket: Ticket, units: dict[str, Unit]
) -> ServiceCase | None:
    """Return the case of a ticket, None if nobody made one."""
    person = market.people.get(ticket.person)
    if person is None or person.firm is None or any(key in ticket.notes for key in _APART):
        return None
    if _GROUPS.get(ticket.topic) not in FOLLOWED or person.since > ticket.created:
        return None
    rng = story.draws.rng("crm-case", ticket.number)
    is_large = person.firm.dealer or any(unit.machine.price >= LARGE for unit in person.machines)
    if not chance(rng, ALWAYS if is_large else OTHERWISE):
        return None
    created = ticket.created + timedelta(minutes=lognormal(rng, 22, 1.0))
    if created >= PRESENT:
        return None
    status, solved = _standing(ticket)
    closed = None
    if solved is not None:
        closed = max(solved, created) + timedelta(minutes=lognormal(rng, 30, 0.9))
        if closed >= PRESENT:
            closed, status = None, "Working"
    forgotten = closed is not None and chance(rng, FORGOTTEN)
    if forgotten:
        closed, status = None, "Working"
    named = ticket.number if chance(rng, NAMED) else None
    return ServiceCase(
        ticket,
        person,
        created.replace(microsecond=0),
        status,
        closed.replace(microsecond=0) if closed is not None else None,
        named,
        units.get(ticket.facts.get("serial", "")),
        forgotten,
    )


def _standing(ticket: Ticket) -> tuple[str, datetime | None]:
    """Return how a ticket stands, as a case says it, and when it was solved if it is."""
    status, group, solved = "new", "", None
    for step in ticket.steps:
        group = step.changes.get("group", group)
        after = step.changes.get("status")
        if after is None:
            continue
        status = after
        solved = (solved or step.at) if after in ("solved", "closed") else None
    if solved is not None:
        return "Closed", solved
    return ("Escalated" if group == "escalations" else OPEN.get(status, "Working")), None
