"""The parameter space of T06: how notes are headed, what they leave out, where leftovers go."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final, Literal

from episodes.tasks.instances import InstanceId

Scheme = Literal["three", "two", "priority", "asked", "component"]
Leaving = Literal["internal", "embargo", "reverted"]
Rest = Literal["next", "split_type", "drop_low", "drop_todo", "split_priority"]
Place = Literal["comment", "item"]

SCHEMES: Final[tuple[Scheme, ...]] = ("three", "two", "priority", "asked", "component")
LEAVINGS: Final[tuple[tuple[Leaving, ...], ...]] = (
    ("internal", "embargo"),
    ("internal", "reverted"),
    ("embargo", "reverted"),
    ("internal", "embargo", "reverted"),
)
RESTS: Final[tuple[Rest, ...]] = ("next", "split_type", "drop_low", "drop_todo", "split_priority")
PLACES: Final[tuple[Place, ...]] = ("comment", "item")


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant."""

    scheme: Scheme
    leaves: tuple[Leaving, ...]
    rest: Rest
    place: Place


def structural_variants() -> list[Params]:
    """Return all 200 variants, in a fixed order."""
    return [Params(*each) for each in product(SCHEMES, LEAVINGS, RESTS, PLACES)]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in most of it."""
    variants = structural_variants()
    # 200 and 73 have no common factor, so 200 numbers in a row meet every variant once.
    return variants[(instance.number * 73) % len(variants)]
