"""What other systems know of the firms: what they pay for, what stands there, who writes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta

from seeds.kestrel.catalogue import PLANS, PRESENT
from seeds.kestrel.story.model import Unit
from seeds.kestrel.story.whole import Story

LATELY = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class Truths:
    """By the index of a firm: its plan, how many machines it has, and whether it wrote lately.

    `orders` are the numbers of orders in the shop by the serial number of what was ordered,
    `writers` the people who wrote in the last quarter.
    """

    plans: dict[int, str]
    plan_names: tuple[str, ...]
    machines: dict[int, int]
    units: dict[int, list[Unit]]
    writing: frozenset[int]
    writers: frozenset[int]
    orders: dict[str, str]

    @classmethod
    def of(cls, story: Story) -> Truths:
        """Return what is true in a story."""
        plans: dict[int, str] = {}
        people = story.people
        for payer in story.payers:
            firm = people[payer.person].firm
            running = [one for one in payer.subscriptions if one.ended is None]
            if firm is not None and running:
                plans.setdefault(firm.index, running[0].plan.name)
        units: dict[int, list[Unit]] = {}
        seen: set[str] = set()
        for unit in story.units:
            firm = people[unit.owner].firm
            if firm is not None and unit.serial not in seen:
                seen.add(unit.serial)
                units.setdefault(firm.index, []).append(unit)
        late = [one for one in story.tickets if one.created > PRESENT - LATELY]
        writers = frozenset(one.person for one in late if "problem" not in one.notes)
        writing = frozenset(firm.index for key in writers if (firm := people[key].firm) is not None)
        names = tuple(dict.fromkeys(plan.name for plan in PLANS))
        counts = Counter({key: len(found) for key, found in units.items()})
        return cls(plans, names, counts, units, writing, writers, _orders(story))


def _orders(story: Story) -> dict[str, str]:
    """Return the number under which the shop has each machine that it sold, by serial number."""
    found: dict[str, str] = {}
    for payer in story.payers:
        sold = {
            (charge.created, charge.description): charge.order
            for charge in payer.charges
            if charge.order is not None
        }
        for unit in story.people[payer.person].machines:
            order = sold.get((unit.bought.replace(microsecond=0), unit.machine.name))
            if order is not None and unit.owner == payer.person and unit.dealer is None:
                found[unit.serial] = order
    return found
