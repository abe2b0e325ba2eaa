"""The parameter space of T03: how many reports of which kinds, and what the guide says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from episodes.tasks.instances import InstanceId

Kind = Literal["new", "namesake", "open_duplicate", "old_duplicate", "regression", "intended"]
Effect = Literal["lost", "stopped", "nuisance"]
Reach = Literal["all", "some", "one"]
Category = Literal["saving", "display", "speed", "access"]

SIZES: Final = (6, 7, 8, 10)
# What every batch has; the rest are of the mix's kinds, in turn.
ALWAYS: Final[tuple[Kind, ...]] = (
    "new",
    "namesake",
    "open_duplicate",
    "old_duplicate",
    "regression",
    "intended",
)
MIXES: Final[tuple[tuple[Kind, ...], ...]] = (
    ("new", "regression"),
    ("open_duplicate", "new"),
    ("intended", "old_duplicate"),
    ("regression", "open_duplicate"),
    ("namesake", "intended"),
)
PRIORITIES: Final = ("Highest", "High", "Medium", "Low", "Lowest")
EFFECTS: Final[tuple[Effect, ...]] = ("lost", "stopped", "nuisance")
REACHES: Final[tuple[Reach, ...]] = ("all", "some", "one")
CATEGORIES: Final[tuple[Category, ...]] = ("saving", "display", "speed", "access")
MATRICES: Final[tuple[tuple[tuple[str, str, str], ...], ...]] = (
    (("Highest", "High", "Medium"), ("High", "High", "Medium"), ("Medium", "Low", "Lowest")),
    (("Highest", "Highest", "High"), ("High", "Medium", "Medium"), ("Low", "Low", "Lowest")),
    (("Highest", "High", "High"), ("Highest", "Medium", "Low"), ("Medium", "Medium", "Lowest")),
    (("High", "High", "Medium"), ("Highest", "High", "Low"), ("Low", "Lowest", "Lowest")),
)
TURNS: Final = 5
OPEN_KINDS: Final[frozenset[Kind]] = frozenset({"new", "namesake", "regression"})
DUPLICATES: Final[frozenset[Kind]] = frozenset({"open_duplicate", "old_duplicate"})


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant of T03.

    `mix` is which kinds there are more of, `matrix` which priorities the guide gives, `turn` how
    its components are dealt out among what reports are about.
    """

    size: int
    mix: int
    matrix: int
    turn: int

    @property
    def kinds(self) -> list[Kind]:
        """The kinds of the reports, in no order that matters."""
        more = MIXES[self.mix]
        extra = [more[place % len(more)] for place in range(self.size - len(ALWAYS))]
        return [*ALWAYS, *extra]

    def priority(self, effect: Effect, reach: Reach) -> str:
        """Return the priority that the guide gives to a report."""
        return MATRICES[self.matrix][EFFECTS.index(effect)][REACHES.index(reach)]


def structural_variants() -> list[Params]:
    """Return all 400 variants, in a fixed order."""
    return [
        Params(size, mix, matrix, turn)
        for size in SIZES
        for mix in range(len(MIXES))
        for matrix in range(len(MATRICES))
        for turn in range(TURNS)
    ]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in most of it."""
    variants = structural_variants()
    # 127 and 400 have no common factor, so 400 numbers in a row meet every variant once.
    return variants[(instance.number * 127) % len(variants)]
