"""The parameter space of T01: eight facts, five ways to refer to the work item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from episodes.tasks.instances import InstanceId

Fact = Literal["fixed", "taken", "before", "done", "spent", "blocker", "priority", "build"]
Way = Literal["symptom", "code", "day", "component", "former"]

FACTS: Final[tuple[Fact, ...]] = (
    "fixed",
    "taken",
    "before",
    "done",
    "spent",
    "blocker",
    "priority",
    "build",
)
WAYS: Final[tuple[Way, ...]] = ("symptom", "code", "day", "component", "former")
# Facts with so few values that a guess is right more often than one time in fifty.
GUESSABLE: Final = frozenset({"fixed", "before", "priority"})
TIMES: Final = frozenset({"taken", "done"})


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant of T01: what is asked, and how the work item is described."""

    fact: Fact
    way: Way


def structural_variants() -> list[Params]:
    """Return all 40 variants, in a fixed order."""
    return [Params(fact, way) for fact in FACTS for way in WAYS]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in fact and in way."""
    variants = structural_variants()
    # 27 and 40 have no common factor, so 40 numbers in a row meet every variant once.
    return variants[(instance.number * 27) % len(variants)]
