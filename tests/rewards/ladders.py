"""Short ways to write down what a run did, for the tests of rewards."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from episodes.rewards import (
    Charge,
    ChargeKind,
    Evidence,
    Ladder,
    QualityParts,
    Reading,
    Scorecard,
    Snapshot,
    Terminal,
    score,
)


def reach(ladder: Ladder, **values: float | None) -> dict[str, Reading]:
    """Return readings by phase; a phase not named reads 0. Spaces in names are written `_`."""
    readings = {phase.name: Reading(0.0) for phase in ladder.phases}
    for name, value in values.items():
        readings[name.replace("_", " ")] = Reading(value, Evidence(journal=(7,)))
    return readings


def at(ladder: Ladder, *charges: Charge, **values: float | None) -> Snapshot:
    """Return a snapshot with these readings and charges."""
    return Snapshot(phases=reach(ladder, **values), charges=charges)


def charge(kind: ChargeKind, request: str, obligation: str | None = "refund ch_2") -> Charge:
    """Return a charge of a request."""
    return Charge(kind, obligation=obligation, request=request)


def run(ladder: Ladder, steps: Sequence[Snapshot], terminal: Terminal) -> Scorecard:
    """Score a run that starts from nothing, and check that its views add up."""
    card = score(ladder, Snapshot(phases=reach(ladder)), steps, terminal)
    assert card.episode.value is not None
    assert math.fsum(value or 0.0 for value in card.step_view) == pytest.approx(
        card.episode.value, abs=1e-9
    )
    assert math.fsum(value or 0.0 for value in card.phase_view) == pytest.approx(
        card.episode.value, abs=1e-9
    )
    return card


def digits(card: Scorecard) -> tuple[list[float], float]:
    """Return the step rewards and the episode's at four digits."""
    values = [round(value, 4) + 0.0 for value in card.step_view if value is not None]
    assert card.episode.value is not None
    return values, round(card.episode.value, 4)


def done(
    *, z: float | None = None, n_ref: int = 6, n: int = 6, unmet: Sequence[str] = ()
) -> Terminal:
    """Return the terminal facts of a completed run with perfect SLA and care."""
    return Terminal(
        outcome="completed",
        quality=QualityParts(sla=1.0, csat=z, efficiency=n_ref / max(n_ref, n), care=1.0),
        unmet=frozenset(unmet),
    )
