"""The potential of a state: how far the phases are, less the collateral."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping

from episodes.rewards.model import BadReading, Ladder, Reading, Snapshot, StrayRow
from episodes.rewards.prices import COLLATERAL_UNIT, POTENTIAL_SCALE

RowKey = tuple[str, str]


def counted(ladder: Ladder, readings: Mapping[str, Reading]) -> dict[str, float]:
    """Return each phase's value as it counts: 0 while unscored, or while what it needs is below 1.

    Raises:
        BadReading: a phase has no reading, or a reading has no phase.
    """
    if set(readings) != {phase.name for phase in ladder.phases}:
        raise BadReading(f"readings {sorted(readings)} do not fit the ladder's phases")
    values: dict[str, float] = {}
    for phase in ladder.in_order:
        value = readings[phase.name].value
        open_gate = all(values[need] >= 1.0 for need in phase.needs)
        values[phase.name] = value if value is not None and open_gate else 0.0
    return values


def potential(ladder: Ladder, readings: Mapping[str, Reading]) -> float:
    """Return Φ, the scaled weighted sum of the phases."""
    values = counted(ladder, readings)
    return POTENTIAL_SCALE * math.fsum(phase.weight * values[phase.name] for phase in ladder.phases)


def partial(ladder: Ladder, readings: Mapping[str, Reading]) -> float:
    """Return p, the share of the ends that is reached."""
    values = counted(ladder, readings)
    reached = math.fsum(phase.weight * values[phase.name] for phase in ladder.ends)
    return reached / math.fsum(phase.weight for phase in ladder.ends)


def ends_missing(ladder: Ladder, readings: Mapping[str, Reading]) -> tuple[str, ...]:
    """Return the ends that do not hold."""
    values = counted(ladder, readings)
    return tuple(phase.name for phase in ladder.ends if values[phase.name] < 1.0)


def collateral_by_clone(
    stray: Iterable[StrayRow], charged: Collection[RowKey] = frozenset()
) -> dict[str, float]:
    """Return C per clone: 0.1 (1 + log2 n) for n stray rows that were not charged already."""
    rows: dict[str, set[RowKey]] = {}
    for row in stray:
        if (row.table, row.key) not in charged:
            rows.setdefault(row.clone, set()).add((row.table, row.key))
    return {
        clone: COLLATERAL_UNIT * (1.0 + math.log2(len(keys)))
        for clone, keys in sorted(rows.items())
    }


def collateral(stray: Iterable[StrayRow], charged: Collection[RowKey] = frozenset()) -> float:
    """Return C, summed over the clones."""
    return math.fsum(collateral_by_clone(stray, charged).values())


def shaped(ladder: Ladder, snapshot: Snapshot, charged: Collection[RowKey] = frozenset()) -> float:
    """Return Ψ = Φ - C."""
    return potential(ladder, snapshot.phases) - collateral(snapshot.stray, charged)
