"""Chance for worlds: one generator per record, so that adding a record shifts no other."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from random import Random
from typing import Generic, TypeVar

from clones.core.randomness import seeded

T = TypeVar("T")


class Draws:
    """The random generators of one world: a pure function of (world seed, entity, id)."""

    def __init__(self, seed: str) -> None:
        self.seed = seed

    def rng(self, entity: str, key: object = "") -> Random:
        """Return the generator of one record of an entity."""
        return seeded(f"{self.seed}|{entity}|{key}")


class Weighted(Generic[T]):
    """A fixed set of values drawn by weight; each draw costs one bisection."""

    def __init__(self, weights: Mapping[T, float] | Sequence[tuple[T, float]]) -> None:
        pairs = list(weights.items()) if isinstance(weights, Mapping) else list(weights)
        self.values = [value for value, _ in pairs]
        self._edges = list(accumulate(weight for _, weight in pairs))

    def draw(self, rng: Random) -> T:
        """Return one value."""
        point = rng.random() * self._edges[-1]
        return self.values[min(bisect_right(self._edges, point), len(self.values) - 1)]


def lognormal(rng: Random, median: float, sigma: float) -> float:
    """Return a log-normal draw given its median."""
    return median * math.exp(rng.gauss(0.0, sigma))


def zipf(rng: Random, items: Sequence[T], slope: float = 0.8) -> T:
    """Return an item; the weight of the r-th falls as r to the power of -slope.

    Draws by inversion of the continuous law, so a long pool costs no table.
    """
    count = len(items)
    point = rng.random()
    if abs(slope - 1.0) < 1e-9:
        rank = math.exp(point * math.log(count + 1))
    else:
        power = 1.0 - slope
        rank = (1.0 + point * ((count + 1) ** power - 1.0)) ** (1.0 / power)
    return items[min(int(rank) - 1, count - 1)]


def chance(rng: Random, probability: float) -> bool:
    """Tell whether an event of that probability happened."""
    return rng.random() < probability
