"""The parameter space of H01: eight facts, four ways to refer to the ticket."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from episodes.tasks.instances import InstanceId

Fact = Literal["opened", "first_reply", "visit", "quoted", "serial", "assignee", "pieces", "copied"]
Way = Literal["topic", "order", "day", "colleague"]

FACTS: Final[tuple[Fact, ...]] = (
    "opened",
    "first_reply",
    "visit",
    "quoted",
    "serial",
    "assignee",
    "pieces",
    "copied",
)
WAYS: Final[tuple[Way, ...]] = ("topic", "order", "day", "colleague")
# Facts with so few values that a guess is right more often than one time in fifty.
GUESSABLE: Final = frozenset({"assignee", "visit"})


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant of H01: what is asked, and how the ticket is described."""

    fact: Fact
    way: Way


def structural_variants() -> list[Params]:
    """Return all 32 variants, in a fixed order."""
    return [Params(fact, way) for fact in FACTS for way in WAYS]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in way, and mostly in fact."""
    variants = structural_variants()
    # 29 and 32 have no common factor, so 32 numbers in a row meet every variant once.
    return variants[(instance.number * 29) % len(variants)]
