"""The parameter space of H14: sixty condition trees, eight actions, four collisions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final, Literal

from episodes.tasks.instances import InstanceId

Source = Literal["mail", "web", "repairs", "orders", "customer"]
Text = Literal["subject_word", "first_word", "subject_part", "subject_lacks"]
Either = Literal["none", "two", "three"]
Extra = Literal["none", "high", "urgent", "tag", "incident", "problem", "high_tag", "incident_tag"]
Collision = Literal["alone", "above", "below", "between"]

SOURCES: Final[tuple[Source, ...]] = ("mail", "web", "repairs", "orders", "customer")
TEXTS: Final[tuple[Text, ...]] = ("subject_word", "first_word", "subject_part", "subject_lacks")
EITHERS: Final[tuple[Either, ...]] = ("none", "two", "three")
EXTRAS: Final[tuple[Extra, ...]] = (
    "none",
    "high",
    "urgent",
    "tag",
    "incident",
    "problem",
    "high_tag",
    "incident_tag",
)
COLLISIONS: Final[tuple[Collision, ...]] = ("alone", "above", "below", "between")


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant of H14.

    `source`, `text` and one of `either` must hold of a new ticket; `extra` is set besides the
    group; `collision` is where the new rule must stand among its rivals.
    """

    source: Source
    text: Text
    either: Either
    extra: Extra
    collision: Collision

    @property
    def yields(self) -> bool:
        """Whether another rule goes first where both apply."""
        return self.collision in ("above", "between")

    @property
    def overrules(self) -> bool:
        """Whether this rule goes first where another applies as well."""
        return self.collision in ("below", "between")


def structural_variants() -> list[Params]:
    """Return all 1,920 variants, in a fixed order."""
    return [Params(*each) for each in product(SOURCES, TEXTS, EITHERS, EXTRAS, COLLISIONS)]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in most of it."""
    variants = structural_variants()
    # 1,920 and 613 have no common factor, so 1,920 numbers in a row meet every variant once.
    return variants[(instance.number * 613) % len(variants)]
