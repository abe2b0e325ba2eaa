"""The parameter space of X02: what is on record, and what the team's note asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from episodes.tasks.instances import InstanceId

# Of the fault: nothing is on record, it was fixed before, it is open, its fix has a version.
Kind = Literal["new", "back", "known", "planned"]
Fact = Literal["code", "version", "serial", "system", "file"]
Effect = Literal["lost", "stopped", "nuisance"]
Category = Literal["saving", "display", "speed", "access"]

KINDS: Final[tuple[Kind, ...]] = ("new", "known", "back", "planned")
TO_RAISE: Final[frozenset[Kind]] = frozenset({"new", "back"})
# What a bug has to tell.
DEMANDS: Final[tuple[tuple[Fact, ...], ...]] = (
    ("code", "version", "serial"),
    ("code", "version", "system"),
    ("code", "version", "file"),
    ("code", "version", "serial", "system"),
    ("code", "version", "serial", "file"),
)
EFFECTS: Final[tuple[Effect, ...]] = ("lost", "stopped", "nuisance")
CATEGORIES: Final[tuple[Category, ...]] = ("saving", "display", "speed", "access")
# None is Medium, which a work item has before anybody thinks about it.
MATRICES: Final[tuple[tuple[str, str, str], ...]] = (
    ("Highest", "High", "Low"),
    ("Highest", "High", "Lowest"),
    ("High", "Highest", "Lowest"),
    ("High", "Low", "Lowest"),
)
PRIORITIES: Final = ("Highest", "High", "Medium", "Low", "Lowest")
# In how many working days customers hear from us, by priority.
PROMISES: Final[tuple[tuple[int, ...], ...]] = ((2, 3, 5, 10, 15), (2, 4, 8, 12, 20))


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant of X02.

    `demand` is what a bug has to tell, `matrix` which priorities the note gives; where `corrected`,
    the customer takes back in a second mail which version it is.
    """

    kind: Kind
    demand: int
    matrix: int
    corrected: bool

    @property
    def raises(self) -> bool:
        """Whether a bug is to be raised; else the one on record is joined."""
        return self.kind in TO_RAISE

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What the bug has to tell."""
        return DEMANDS[self.demand]

    def priority(self, effect: Effect) -> str:
        """Return the priority that the note gives to a new bug."""
        return MATRICES[self.matrix][EFFECTS.index(effect)]


def structural_variants() -> list[Params]:
    """Return all 160 variants, in a fixed order."""
    return [
        Params(kind, demand, matrix, corrected)
        for kind in KINDS
        for demand in range(len(DEMANDS))
        for matrix in range(len(MATRICES))
        for corrected in (False, True)
    ]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in most of it."""
    variants = structural_variants()
    # 57 and 160 have no common factor, so 160 numbers in a row meet every variant once.
    return variants[(instance.number * 57) % len(variants)]
