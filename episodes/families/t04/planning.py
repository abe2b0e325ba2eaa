"""What may be planned together, and what it is worth: pure, for arrangement and oracles.

    best, second = best_plans(items, room)     # by worth, the best one first

Work is named by whatever the caller names it by: keys, or places in a list.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

K = TypeVar("K", bound=Hashable)

# A plan that is worth this share of the best one is as good.
ENOUGH: Final = 0.95


@dataclass(frozen=True, slots=True)
class Item(Generic[K]):
    """Work that may be planned: whose, how many points, what it is worth.

    `needs` is what has to be in the same sprint, for it blocks this and is not done.
    """

    name: K
    who: K
    points: float
    worth: int
    needs: frozenset[K] = frozenset()


@dataclass(frozen=True, slots=True)
class Plan(Generic[K]):
    """Work that may be planned together, and what all of it is worth."""

    names: frozenset[K]
    worth: int


def plannable(items: Sequence[Item[K]]) -> list[Item[K]]:
    """Return the work that may be planned at all: what blocks it may be, too."""
    kept = list(items)
    while True:
        names = {item.name for item in kept}
        fewer = [item for item in kept if item.needs <= names]
        if len(fewer) == len(kept):
            return fewer
        kept = fewer


def best_plans(items: Sequence[Item[K]], room: Mapping[K, float], most: int = 2) -> list[Plan[K]]:
    """Return the plans that are worth the most, the best first; the empty one is a plan, too.

    Args:
        items: what may be planned.
        room: how many points each person can take; who is not named takes none.
        most: how many plans are wanted.
    """
    kept = plannable(items)
    places = {item.name: place for place, item in enumerate(kept)}
    needs = [sum(1 << places[name] for name in item.needs) for item in kept]
    wholes = [(0, 0)]
    for who in dict.fromkeys(item.who for item in kept):
        own = [
            (item.points, item.worth, 1 << places[item.name]) for item in kept if item.who == who
        ]
        parts = _within(own, room.get(who, 0))
        wholes = [(worth + more, mask | other) for worth, mask in wholes for more, other in parts]
    wholes.sort(key=lambda one: (-one[0], one[1]))
    found: list[Plan[K]] = []
    for worth, mask in wholes:
        if all(mask & need == need for place, need in enumerate(needs) if mask >> place & 1):
            names = frozenset(item.name for place, item in enumerate(kept) if mask >> place & 1)
            found.append(Plan(names, worth))
            if len(found) == most:
                break
    return found


def _within(own: Sequence[tuple[float, int, int]], room: float) -> list[tuple[int, int]]:
    """Return what somebody can take of their work: each set's worth and its bits."""
    found: list[tuple[float, int, int]] = [(0, 0, 0)]
    for points, worth, bit in own:
        found += [
            (taken + points, value + worth, mask | bit)
            for taken, value, mask in found
            if taken + points <= room
        ]
    return [(value, mask) for _, value, mask in found]


def greedy_plan(
    items: Sequence[Item[K]], room: Mapping[K, float], order: Callable[[Item[K]], float]
) -> Plan[K]:
    """Return the plan of who takes work in an order, the lowest first, as long as it fits.

    Blocked work is taken where what blocks it has been.
    """
    left, taken, worth = dict(room), set[K](), 0
    for item in sorted(items, key=order):
        if item.points <= left.get(item.who, 0) and item.needs <= taken:
            left[item.who] -= item.points
            taken.add(item.name)
            worth += item.worth
    return Plan(frozenset(taken), worth)
