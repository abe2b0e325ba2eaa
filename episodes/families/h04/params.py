"""The parameter space of H04: how much time there is, what is handed over, whose hours count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from episodes.families.h04.guide import RULES, Rules
from episodes.tasks.instances import InstanceId

Order = Literal["priority", "age"]

SLACKS: Final = (4.0, 2.0, 1.4)
HANDED_OVER: Final = (1, 2, 3)
ROUND_THE_CLOCK: Final = (2, 3, 4)
ORDERS: Final[tuple[Order, ...]] = ("priority", "age")
# 270 variants in a row meet each once, and neighbours differ in most things.
STRIDE: Final = 143
WORK: Final = 6


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant of H04.

    `slack` is by how much the time there is exceeds the oracle's, `handed_over` how many of the six
    are not tier 1's to answer, `round_the_clock` how many have targets that business hours do not
    stop; `rules` says who gets what is handed over; `order` is what misleads who goes by it: the
    lowest priority is due first, or the youngest ticket.
    """

    slack: float
    handed_over: int
    round_the_clock: int
    rules: Rules
    order: Order


def structural_variants() -> list[Params]:
    """Return all 270 variants, in a fixed order."""
    return [
        Params(slack, handed_over, round_the_clock, rules, order)
        for slack in SLACKS
        for handed_over in HANDED_OVER
        for round_the_clock in ROUND_THE_CLOCK
        for rules in RULES
        for order in ORDERS
    ]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ."""
    variants = structural_variants()
    return variants[(instance.number * STRIDE) % len(variants)]
