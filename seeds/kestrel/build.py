"""From story to rows: the order in which a kestrel world is made."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import accumulate, chain
from typing import Any

from django.apps import apps

from clones.core.store_objects import loading
from clones.core.workers import cores, side_by_side
from clones.helpdesk import models as helpdesk
from clones.helpdesk.domain.automations import start_sweeps
from clones.helpdesk.domain.sla_clocks import start_timer
from seeds.bulk import BulkWriter, Identifiers
from seeds.draw import Draws
from seeds.kestrel.engineering.whole import tell_engineering
from seeds.kestrel.facts import Papers
from seeds.kestrel.labels import Labels, link_incidents
from seeds.kestrel.projection.accounts import write_accounts
from seeds.kestrel.projection.articles import Articles
from seeds.kestrel.projection.billing import Books
from seeds.kestrel.projection.desk import write_desk
from seeds.kestrel.projection.drafts import Draft, FairCopy, Scribe
from seeds.kestrel.projection.helpdesk import Replay, TicketContext, files_of
from seeds.kestrel.projection.machines import Machines
from seeds.kestrel.projection.people import Customers
from seeds.kestrel.projection.rules import Rules
from seeds.kestrel.projection.slas import BreachTimer
from seeds.kestrel.projection.tracker import Engineered, write_tracker
from seeds.kestrel.sizes import SIZES
from seeds.kestrel.story import people as who
from seeds.kestrel.story import trade
from seeds.kestrel.story.incidents import make_incidents
from seeds.kestrel.story.model import StoryPerson, Ticket
from seeds.kestrel.story.tickets import Stories
from seeds.kestrel.story.whole import Story
from seeds.kestrel.words import Wording
from seeds.ledger import Ledger
from seeds.pools import Half

# How many numbers lie between the last ticket of the history and the next one.
LAST_GAP = 3
# From how many tickets on they are shared out, to how many processes, how many at once.
SHARED_FROM = 5_000
SHARES = 4
BATCH = 100

logger = logging.getLogger(__name__)


def build(size: str, material: str, half: Half) -> tuple[Ledger, dict[str, Any], dict[str, int]]:
    """Write a kestrel world into the bound store; return ledger, facts and row counts.

    `material` is the world's seed as text.
    """
    story = _plan_story(Draws(f"{material}|{size}"), half, size)
    with loading():
        rows = _write(story, material)
    start_sweeps()
    for timer in sorted(rows.timers, key=lambda item: (item.set_at, item.clock)):
        start_timer(timer.clock, due=timer.due)
    rows.engineered.start_timers()
    return story.ledger, rows.facts, rows.counts


@dataclass(frozen=True, slots=True)
class Rows:
    """What came of a story: timers to start, what is true, and how many rows there are.

    `engineered` is what the tracker has.
    """

    timers: list[BreachTimer]
    facts: dict[str, Any]
    counts: dict[str, int]
    engineered: Engineered


def _write(story: Story, material: str) -> Rows:
    """Write the rows of every clone.

    What customers and agents wrote is put to words meanwhile, by other processes if there are any.
    """
    writer, ids = BulkWriter(), Identifiers(material)
    desk = write_desk(writer, ids, story.draws, story.staff)
    rules = Rules(writer, ids, desk)
    rules.write()
    customers = Customers(writer, ids, story.draws, story.ledger)
    seen = {ticket.person: ticket.created for ticket in reversed(story.tickets)}
    customers.write(story.firms, story.people, seen)
    ground = TicketContext(story, desk, customers, rules)
    before = accumulate((files_of(ticket) for ticket in story.tickets), initial=0)
    files = {ticket.number: count for ticket, count in zip(story.tickets, before, strict=False)}
    share = shares(story.tickets)
    parts = [partial(_drafts, ground, tickets, files) for tickets in share]
    with side_by_side(parts, apart=len(parts) > 1) as drafts:
        Machines(writer, ids, story, desk=desk, customers=customers).write()
        books = Books(writer, ids, story.draws, story.ledger)
        books.write(story.payers, story.people)
        listed = _listed(story)
        write_accounts(writer, ids, desk, customers=customers, staff=story.staff, listed=listed)
        writer.flush()
        Articles(
            writer,
            ids,
            story.draws,
            story.ledger,
            desk=desk,
            staff=story.staff,
            readers=[
                (customers.users[person.index], person.since)
                for person in story.people
                if person.index in customers.users and not (person.shared or person.left_at)
            ],
        ).write()
        writer.flush()
        engineering, last = tell_engineering(story)
        engineered = write_tracker(writer, ids, story.draws, engineering, last)
        if apps.is_installed("clones.crm"):  # in the making: docs/adr/0029
            colleagues = {person.email for person in engineering.engineers if person.email}
            _write_crm(writer, ids, story, colleagues | {agent.email for agent in story.staff})
        copy = FairCopy(writer, ids)
        for ticket, draft in zip(
            story.tickets, _in_order(story.tickets, share, drafts), strict=True
        ):
            copy.write(draft)
            if draft.case is not None:
                ticket.notes["case"] = draft.case
    writer.flush()
    ids.store({helpdesk.Ticket: story.tickets[-1].number + LAST_GAP})
    facts = Papers(story, desk, customers, books).facts(listed)
    return Rows(copy.timers, facts, writer.counts(), engineered)


def _write_crm(writer: BulkWriter, ids: Identifiers, story: Story, taken: set[str]) -> None:
    """Write the CRM, whose models are there only where it is installed."""
    from seeds.kestrel.projection.crm import write_crm  # noqa: PLC0415 - see above

    write_crm(writer, ids, story, taken)


def shares(tickets: Sequence[Ticket]) -> list[list[Ticket]]:
    """Deal tickets out to as many processes as there are cores; few tickets stay together.

    All of one person's are in one share, and the shares take about as long.
    """
    count = min(cores(), SHARES) if len(tickets) >= SHARED_FROM else 1
    if count == 1 and len(tickets) >= SHARED_FROM:
        logger.warning("there is one core: %d tickets are written by one process", len(tickets))
    found: list[list[Ticket]] = [[] for _ in range(count)]
    loads, places = [0] * count, dict[int, int]()
    for ticket in tickets:
        place = places.setdefault(ticket.person, loads.index(min(loads)))
        loads[place] += len(ticket.steps)
        found[place].append(ticket)
    return found


def _drafts(
    ground: TicketContext, tickets: Sequence[Ticket], files: dict[int, int]
) -> Iterator[list[Draft]]:
    """Put tickets to words and write them; now and then yield what there is, which may be nothing.

    `files` is how many files there are before each ticket's own, by its number.
    """
    for count, _ in enumerate(Wording(ground.story, tickets).write(), start=1):
        if count % BATCH == 0:
            yield []
    scribe = Scribe()
    replay = Replay(scribe, scribe, ground)
    for first in range(0, len(tickets), BATCH):
        found = []
        for ticket in tickets[first : first + BATCH]:
            timers = replay.write(ticket, files[ticket.number])
            found.append(scribe.draft(ticket.number, ticket.notes.get("case"), timers))
        yield found


def _in_order(
    tickets: Sequence[Ticket],
    share: Sequence[Sequence[Ticket]],
    drafts: Sequence[Iterator[list[Draft]]],
) -> Iterator[Draft]:
    """Yield the drafts in the order of their tickets."""
    places = {ticket.number: place for place, mine in enumerate(share) for ticket in mine}
    each = [chain.from_iterable(found) for found in drafts]
    for ticket in tickets:
        yield next(each[places[ticket.number]])


def tell(draws: Draws, half: Half, size_name: str) -> Story:
    """Return the whole story of a world, the words included."""
    story = _plan_story(draws, half, size_name)
    deque(Wording(story, story.tickets).write(), maxlen=0)
    return story


def _plan_story(draws: Draws, half: Half, size_name: str) -> Story:
    """Return the story of a world that is not put to words yet."""
    size = SIZES[size_name]
    staff = who.make_staff(draws, half, size)
    firms = who.make_firms(draws, half, size)
    people = who.make_people(draws, half, size, firms)
    units = trade.make_units(draws, people, firms)
    payers = trade.make_payers(draws, people)
    doubles = trade.make_double_charges(draws, payers, max(size.tickets // 80, 6))
    story = Story(
        draws=draws,
        half=half,
        size=size,
        staff=staff,
        firms=firms,
        people=people,
        units=units,
        payers=payers,
        doubles=doubles,
        incidents=make_incidents(draws, size),
        ledger=Ledger(),
    )
    story.tickets = Stories(story).make()
    _label(story)
    return story


def _label(story: Story) -> None:
    """Add what the desk notes about tickets, and link incidents to their problems."""
    labels = Labels(story)
    problems: dict[int, tuple[Ticket, datetime | None]] = {}
    for ticket in story.tickets:
        if "problem" in ticket.notes:
            story.incidents[ticket.notes["problem"]].problem = ticket.number
            solved = [s.at for s in ticket.steps if s.changes.get("status") == "solved"]
            problems[ticket.notes["problem"]] = (ticket, solved[0] if solved else None)
        else:
            labels.put(ticket)
    link_incidents(story.draws, story.tickets, problems)


def _listed(story: Story) -> list[StoryPerson]:
    """Return the two customers whose accounts are handed out: paying, with machines, in English."""
    payers = {payer.person for payer in story.payers}
    found = [
        person
        for person in story.people
        if person.index in payers
        and person.machines
        and person.country.language == "en"
        and not (person.shared or person.left_at)
    ]
    return found[:2]
