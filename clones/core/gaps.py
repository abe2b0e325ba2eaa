"""Gaps in sequences of identifiers, as records leave them that were deleted for good.

Whoever plants rows in a store that others know leaves gaps of its own before the first
(`pass_over_codes`, `pass_over_serials`) and between them (`left_between`): who remembers the
identifiers of one planting knows none of another's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from random import Random

from django.apps import apps
from django.db import models

from clones.core import counters
from clones.core.models.state import IdSequence

Chance = Callable[[str], Random]

PASSED_OVER = 10_000  # so many codes are left out at most
GAP = 0.25  # how often a number is followed by some that were deleted, and by how many at most
LONGEST = 5
FEW = 4  # where fewer numbers are free between the neighbours, one of the nearest is drawn
NEAREST = 12


@dataclass(frozen=True, slots=True)
class _Gaps:
    """Where the block at hand draws its gaps from: one generator for each sequence."""

    chance: Chance
    drawn: dict[str, Random] = field(default_factory=dict)

    def of(self, sequence: str) -> Random:
        if sequence not in self.drawn:
            self.drawn[sequence] = self.chance(f"gaps of {sequence}")
        return self.drawn[sequence]


_gaps: ContextVar[_Gaps | None] = ContextVar("gaps", default=None)


@contextmanager
def left_between(chance: Chance) -> Iterator[None]:
    """Let back-dated rows of the block have any number that fits their time, not the nearest.

    `chance` returns the generator of a purpose; each sequence has its own.
    """
    token = _gaps.set(_Gaps(chance))
    try:
        yield
    finally:
        _gaps.reset(token)


def drawn_for(sequence: str) -> Random | None:
    """Return what a sequence's gaps are drawn from in the block at hand, None outside of any."""
    found = _gaps.get()
    return None if found is None else found.of(sequence)


def next_beyond(rng: Random, last: int) -> int:
    """Return the number after the last of a sequence, or after some that were deleted since."""
    return last + 1 + (rng.randrange(1, LONGEST + 1) if rng.random() < GAP else 0)


def free_between(
    rng: Random, below: int, above: int, *, near: range, taken: set[int]
) -> int | None:
    """Return a free number between those of two neighbours in time, None if `near` has none free.

    Where fewer than `FEW` lie between them it is one of the nearest that are free.
    """
    free = [number for number in near if number not in taken]
    between = [number for number in free if below < number < above]
    if len(between) >= FEW:
        return rng.choice(between)
    nearest = sorted(free, key=lambda number: (abs(number - below), -number))[:NEAREST]
    return rng.choice(nearest) if nearest else None


def pass_over_codes(chance: Chance) -> None:
    """Leave out some codes, ULIDs and UUIDs of every model: those made next are others."""
    known = dict(IdSequence.objects.order_by("name").values_list("name", "last"))
    wanted = [name for name in known if name.endswith((".code", ".ulid", ".uuid"))]
    wanted += [
        f"{model._meta.label_lower}.code"
        for model in apps.get_models()
        if isinstance(model._meta.pk, models.CharField)
    ]
    skipped = {
        name: chance(f"pass over {name}").randrange(1, PASSED_OVER)
        for name in dict.fromkeys(wanted)
    }
    _pass_over(known, skipped)


def pass_over_serials(most: Mapping[str, int], chance: Chance, *, only_begun: bool = False) -> None:
    """Leave out some numbers of sequences: `most` at most, by their names.

    With `only_begun` those that gave no number yet begin where they would.
    """
    rows = IdSequence.objects.filter(name__in=list(most)).order_by("name")
    known = dict(rows.values_list("name", "last"))
    skipped = {
        name: chance(f"pass over {name}").randrange(limit + 1)
        for name, limit in most.items()
        if name in known or not only_begun
    }
    _pass_over(known, skipped)


def _pass_over(known: Mapping[str, int], skipped: Mapping[str, int]) -> None:
    for name, count in skipped.items():
        counters.set_last(name, known.get(name, 0) + count, known=name in known)
