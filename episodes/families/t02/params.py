"""The parameter space of T02: a hundred and twenty condition trees, three ways to share."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final, Literal

from episodes.tasks.instances import InstanceId

State = Literal["open", "todo", "doing", "unresolved", "done"]
Second = Literal["was", "repriced", "handed", "nobody", "due", "planned"]
Either = Literal["marked", "fresh", "sprint", "bare"]
Sharing = Literal["everyone", "group", "space"]

STATES: Final[tuple[State, ...]] = ("open", "todo", "doing", "unresolved", "done")
SECONDS: Final[tuple[Second, ...]] = ("was", "repriced", "handed", "nobody", "due", "planned")
EITHERS: Final[tuple[Either, ...]] = ("marked", "fresh", "sprint", "bare")
SHARINGS: Final[tuple[Sharing, ...]] = ("everyone", "group", "space")


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant: `state` and `second` must hold, and one of `either` at least."""

    state: State
    second: Second
    either: Either
    sharing: Sharing


def structural_variants() -> list[Params]:
    """Return all 360 variants, in a fixed order."""
    return [Params(*each) for each in product(STATES, SECONDS, EITHERS, SHARINGS)]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in most of it."""
    variants = structural_variants()
    # 360 and 131 have no common factor, so 360 numbers in a row meet every variant once.
    return variants[(instance.number * 131) % len(variants)]
