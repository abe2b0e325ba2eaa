"""How well a success was done."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from episodes.rewards.model import QualityParts


class NoQuality(ValueError):
    """Raised when a success has no part of quality that applies."""


@dataclass(frozen=True, slots=True)
class SlaTarget:
    """A promise in time: `allowed` and `elapsed` in the target's own (business) minutes."""

    allowed: float
    elapsed: float


def sla(targets: Iterable[SlaTarget]) -> float | None:
    """Return the mean over targets of 1 if met, else allowed / elapsed; None without targets."""
    marks = [
        1.0 if target.elapsed <= target.allowed else target.allowed / target.elapsed
        for target in targets
    ]
    return math.fsum(marks) / len(marks) if marks else None


def csat(satisfactions: Iterable[float]) -> float | None:
    """Return the mean raw satisfaction of the people served; None if nobody was."""
    marks = list(satisfactions)
    return math.fsum(marks) / len(marks) if marks else None


def efficiency(*, reference: int, actions: int) -> float:
    """Return reference / max(reference, actions).

    `actions` leaves out `wait` and what an injected fault answered; `reference` is the oracle's
    number in the same space under the same faults.
    """
    if reference < 1 or actions < 0:
        raise ValueError(f"{actions} actions against a reference of {reference}")
    return reference / max(reference, actions)


def care(kept: Sequence[bool]) -> float | None:
    """Return the share of the declared care checks that were kept; None if none was declared."""
    return sum(kept) / len(kept) if kept else None


def quality(parts: QualityParts, weights: Mapping[str, float]) -> float | None:
    """Return Q, the weighted mean of the parts that apply; None if none does."""
    present = {
        name: (weight, value)
        for name, weight in weights.items()
        if (value := parts.as_json()[name]) is not None
    }
    if not present:
        return None
    scale = math.fsum(weight for weight, _ in present.values())
    return math.fsum(weight * value for weight, value in present.values()) / scale
