"""The parameter space of T04: worth, absences, blockers, what is planned already, the guide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final, Literal

from episodes.families.t04.kinds import PRIORITIES, Priority
from episodes.tasks.instances import InstanceId

# Who is away: within the sprint, from before it on, until after it; somebody who stays after all
# or is back before it begins, and another one within it.
Away = Literal["within", "early", "late", "stays", "before"]
# What blocks work besides the one pair of every instance: a chain, open work that is not to be
# planned, work that goes on in another sprint.
Blocked = Literal["pair", "chain", "outside", "running"]
Place = Literal["description", "comment"]

TABLES: Final = ((13, 8, 5, 3), (20, 13, 8, 5), (12, 7, 5, 3), (16, 10, 6, 4), (15, 9, 6, 4))
AWAYS: Final[tuple[Away, ...]] = ("within", "early", "late", "stays", "before")
BLOCKS: Final[tuple[Blocked, ...]] = ("pair", "chain", "outside", "running")
PLACES: Final[tuple[Place, ...]] = ("description", "comment")
WEEKS: Final = (2, 3)
HELD: Final = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant of T04.

    `table` is what work of each of `PRIORITIES` is worth. `place` is where that stands: in the
    text of the team's guide, or in a comment below it that replaces that part. `weeks` is how long
    the sprint lasts, `held` how much work is in it already.
    """

    table: tuple[int, int, int, int]
    away: Away
    blocked: Blocked
    place: Place
    weeks: int
    held: int

    def worth(self) -> Mapping[Priority, int]:
        """Return what work of each priority is worth: texts and checks come from this."""
        return dict(zip(PRIORITIES, self.table, strict=True))

    def before(self) -> Mapping[Priority, int]:
        """Return what it was worth by the table that is replaced."""
        other = TABLES[(TABLES.index(self.table) + 2) % len(TABLES)]
        return dict(zip(PRIORITIES, reversed(other), strict=True))


def structural_variants() -> list[Params]:
    """Return all 1,200 variants, in a fixed order."""
    return [Params(*values) for values in product(TABLES, AWAYS, BLOCKS, PLACES, WEEKS, HELD)]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in most of it."""
    variants = structural_variants()
    # 589 and 1,200 have no common factor, so 1,200 numbers in a row meet every variant once.
    return variants[(instance.number * 589) % len(variants)]
