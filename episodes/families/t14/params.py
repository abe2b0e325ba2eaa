"""The parameter space of T14: how deep chains go, what is listed, what a closed one means."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final, Literal

from episodes.tasks.instances import InstanceId

# Which of the blockers are listed: all, those of other spaces, nobody's, bugs, those not begun.
Scope = Literal["all", "elsewhere", "nobody", "bugs", "untouched"]
# How a goal names the release.
Way = Literal["name", "day", "next", "start", "codename"]
# Whether a chain ends at what is closed, or goes on through it.
Closed = Literal["ends", "passes"]

DEPTHS: Final = (2, 3, 4, 5)
SCOPES: Final[tuple[Scope, ...]] = ("all", "elsewhere", "nobody", "bugs", "untouched")
WAYS: Final[tuple[Way, ...]] = ("name", "day", "next", "start", "codename")
CLOSED: Final[tuple[Closed, ...]] = ("ends", "passes")


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant; `depth` is the number of links to the farthest blocker."""

    depth: int
    scope: Scope
    way: Way
    closed: Closed

    @property
    def passes(self) -> bool:
        """Whether what blocks a closed blocker counts too."""
        return self.closed == "passes"


def structural_variants() -> list[Params]:
    """Return all 200 variants, in a fixed order."""
    return [Params(*each) for each in product(DEPTHS, SCOPES, WAYS, CLOSED)]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in all of it."""
    variants = structural_variants()
    # 200 and 63 have no common factor, so 200 numbers in a row meet every variant once.
    return variants[(instance.number * 63) % len(variants)]
