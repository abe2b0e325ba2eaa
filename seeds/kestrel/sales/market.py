"""Whom sales knows: most firms that bought machines, firms that did not, and those who compete.

Firms that bought nothing are made as those of the story are, from generators of their own.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from random import Random

from seeds.draw import Draws, chance
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.sales.model import Market
from seeds.kestrel.sales.numbers import KNOWN, SALES_SIZES
from seeds.kestrel.story.model import Firm, StoryPerson
from seeds.kestrel.story.people import make_firms, make_people, moment_between
from seeds.kestrel.story.whole import Story

# Where the indexes of firms and people begin that the story does not have.
BEYOND = 1_000_000
# How many people there are for each firm that bought nothing, before those without a firm are left
# out, and how long ago the first of these firms was heard of.
STAFFING, HEARD = 3.9, timedelta(days=1_050)
# Of the people in firms that sales knows, the share that has a contact.
MET = 0.97
RIVALS = (
    "Lumicut Systems",
    "Trolec Laser GmbH",
    "Brightbeam Engravers Inc",
    "Vektra",
    "Orion Photonics Ltd",
    "Photar Machines B.V.",
    "CutRay",
    "Nordlaser AB",
)
SHOWN_RIVALS = {"tiny": 4, "small": 6}


def make_market(story: Story) -> Market:
    """Return whom sales knows in a story."""
    draws, size = story.draws, story.size.name
    known = {
        firm.index: firm
        for firm in story.firms
        if firm.dealer or chance(draws.rng("crm-known", firm.index), KNOWN)
    }
    people = {
        person.index: person
        for person in story.people
        if person.firm is not None
        and person.firm.index in known
        and not person.shared
        and chance(draws.rng("crm-met", person.index), MET)
    }
    prospects, others = _beyond(story, SALES_SIZES[size].prospects)
    known |= {firm.index: firm for firm in prospects}
    people |= {person.index: person for person in others}
    staff: dict[int, list[StoryPerson]] = {}
    for person in people.values():
        if person.firm is not None:
            staff.setdefault(person.firm.index, []).append(person)
    rivals = list(RIVALS[: SHOWN_RIVALS.get(size, len(RIVALS))])
    return Market(known, people, prospects, rivals, staff)


def _beyond(story: Story, count: int) -> tuple[list[Firm], list[StoryPerson]]:
    """Return firms that bought nothing, and who works there."""
    apart = Draws(f"{story.draws.seed}|prospects")
    size = replace(story.size, firms=count + count // 5 + 4)
    domains = {firm.domain for firm in story.firms}
    names = {firm.name for firm in story.firms}
    firms: list[Firm] = []
    for firm in make_firms(apart, story.half, size):
        if len(firms) < count and firm.domain not in domains and firm.name not in names:
            firm.index, firm.dealer = BEYOND + len(firms), False
            firm.since = _heard(apart.rng("heard", firm.index))
            firms.append(firm)
    addresses = {person.email for person in story.people}
    crowd = make_people(apart, story.half, replace(size, people=int(count * STAFFING)), firms)
    found = []
    for person in crowd:
        if person.firm is None or person.shared or person.email in addresses:
            continue
        person.index += BEYOND
        person.since = max(person.firm.since, min(person.since, PRESENT - timedelta(days=3)))
        person.left_at, person.vip = None, False
        found.append(person)
    return firms, found


def _heard(rng: Random) -> datetime:
    return moment_between(rng, PRESENT - HEARD, PRESENT - timedelta(days=12))
