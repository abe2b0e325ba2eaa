"""The parameter space of H07: how many repeats, what lies beside them, and who is copied where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from episodes.tasks.instances import InstanceId

# Whose ticket about another machine lies beside: the customer's own, a colleague's, or both.
Beside = Literal["own", "colleague", "both"]
# Which ticket of the matter is the oldest: one that is open, or one that was solved already.
Oldest = Literal["open", "solved"]
# On which side of the merge people are in copy.
Copied = Literal["nobody", "target", "source", "both"]

COUNTS: Final = (2, 3, 4, 5)
BESIDE: Final[tuple[Beside, ...]] = ("own", "colleague", "both")
OLDEST: Final[tuple[Oldest, ...]] = ("open", "solved")
COPIED: Final[tuple[Copied, ...]] = ("nobody", "target", "source", "both")


@dataclass(frozen=True, slots=True)
class Params:
    """One structural variant of H07; `count` is how many open tickets the matter has."""

    count: int
    beside: Beside
    oldest: Oldest
    copied: Copied


def structural_variants() -> list[Params]:
    """Return all 96 variants, in a fixed order."""
    return [
        Params(count, beside, oldest, copied)
        for count in COUNTS
        for beside in BESIDE
        for oldest in OLDEST
        for copied in COPIED
    ]


def params_of(instance: InstanceId) -> Params:
    """Return an instance's variant: neighbouring numbers differ in more than one parameter."""
    variants = structural_variants()
    # 37 and 96 have no common factor, so 96 numbers in a row meet every variant once.
    return variants[(instance.number * 37 + 11) % len(variants)]
