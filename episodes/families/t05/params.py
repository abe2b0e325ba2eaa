"""The parameter space of T05: which kinds of unfinished work are carried over, and the traps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from episodes.families.t05.kinds import KINDS, Kind
from episodes.tasks.instances import InstanceId

Place = Literal["description", "comment"]

PLACES: Final[tuple[Place, ...]] = ("description", "comment")


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant of T05.

    `carried` are the kinds that go to the next sprint, the others go to the backlog. `place` is
    where the rule in force stands: in the text of the team's guide, or in a comment below it that
    replaces that text. `weeks` is how long the next sprint lasts.
    """

    carried: tuple[Kind, ...]
    place: Place
    weeks: int

    def table(self) -> Mapping[Kind, bool]:
        """Return for each kind whether it is carried over: texts and checks come from this."""
        return {kind: kind in self.carried for kind in KINDS}


def structural_variants() -> list[Params]:
    """Return all 84 variants, in a fixed order: something is carried over, and not everything."""
    sets = [
        tuple(kind for place, kind in enumerate(KINDS) if number >> place & 1)
        for number in range(1, 15)
    ]
    return [
        Params(carried, place, weeks) for carried in sets for place in PLACES for weeks in (1, 2, 3)
    ]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in most of it."""
    variants = structural_variants()
    # 37 and 84 have no common factor, so 84 numbers in a row meet every variant once.
    return variants[(instance.number * 37) % len(variants)]
