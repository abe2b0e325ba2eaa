"""What a reward is computed from: frozen data, no database behind it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from episodes.rewards.prices import (
    FALSEHOODS,
    MEANS_CEILING,
    QUALITY_WEIGHTS,
    VETOES,
    ChargeKind,
)

PhaseKind = Literal["means", "end"]
Outcome = Literal["completed", "truncated", "harness_error", "abandoned"]
SCORED_OUTCOMES: tuple[Outcome, ...] = ("completed", "truncated")

CLOSE_ENOUGH = 1e-9


class BadLadder(ValueError):
    """Raised when phases do not make a ladder that may be scored."""


class BadReading(ValueError):
    """Raised when a phase's value is missing, out of range or not a number."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a number comes from: journal sequences, sightings and request ids."""

    journal: tuple[int, ...] = ()
    sightings: tuple[int, ...] = ()
    requests: tuple[str, ...] = ()

    def __or__(self, other: Evidence) -> Evidence:
        """Join two pieces of evidence, keeping order and dropping repeats."""
        return Evidence(
            tuple(dict.fromkeys(self.journal + other.journal)),
            tuple(dict.fromkeys(self.sightings + other.sightings)),
            tuple(dict.fromkeys(self.requests + other.requests)),
        )

    def as_json(self) -> dict[str, list[Any]]:
        """Return {"journal": [...], "sightings": [...], "requests": [...]}."""
        return {
            "journal": list(self.journal),
            "sightings": list(self.sightings),
            "requests": list(self.requests),
        }


NO_EVIDENCE = Evidence()


@dataclass(frozen=True, slots=True)
class PhaseSpec:
    """One rung: its share of the potential, and the rungs without which it counts nothing."""

    name: str
    weight: float
    kind: PhaseKind = "end"
    needs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ladder:
    """The phases of a task.

    Raises:
        BadLadder: weights do not sum to 1, `means` weigh more than 0.2, no end exists, a name is
            used twice, or `needs` name an unknown phase or run in a circle.
    """

    phases: tuple[PhaseSpec, ...]

    def __post_init__(self) -> None:
        names = [phase.name for phase in self.phases]
        if len(set(names)) != len(names):
            raise BadLadder(f"a phase name is used twice: {names}")
        if any(not math.isfinite(phase.weight) or phase.weight <= 0 for phase in self.phases):
            raise BadLadder("every phase needs a weight above 0")
        if abs(math.fsum(phase.weight for phase in self.phases) - 1.0) > CLOSE_ENOUGH:
            raise BadLadder("the weights of the phases must sum to 1")
        means = math.fsum(phase.weight for phase in self.phases if phase.kind == "means")
        if means > MEANS_CEILING + CLOSE_ENOUGH:
            raise BadLadder(f"looking and building weigh {means}, more than {MEANS_CEILING}")
        if not self.ends:
            raise BadLadder("a ladder without an end cannot be climbed")
        unknown = {need for phase in self.phases for need in phase.needs} - set(names)
        if unknown:
            raise BadLadder(f"needs name no phase: {sorted(unknown)}")
        if len(self.in_order) != len(self.phases):
            raise BadLadder("needs run in a circle")

    @property
    def ends(self) -> tuple[PhaseSpec, ...]:
        """The phases that must hold for success."""
        return tuple(phase for phase in self.phases if phase.kind == "end")

    @cached_property
    def in_order(self) -> tuple[PhaseSpec, ...]:
        """The phases, each after those it needs; shorter than `phases` if needs are circular."""
        placed: dict[str, PhaseSpec] = {}
        waiting = list(self.phases)
        while waiting:
            ready = [phase for phase in waiting if all(need in placed for need in phase.needs)]
            if not ready:
                break
            placed.update((phase.name, phase) for phase in ready)
            waiting = [phase for phase in waiting if phase.name not in placed]
        return tuple(placed.values())


# Customer work: look, put it right, say so, close.
STANDARD_LADDER = Ladder(
    (
        PhaseSpec("opened", 0.15, "means"),
        PhaseSpec("remedied", 0.45),
        PhaseSpec("told", 0.20, needs=("remedied",)),
        PhaseSpec("closed", 0.20, needs=("told",)),
    )
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A phase's value at a step: in [0, 1] (skill in [-1, 1]), None while it cannot be scored."""

    value: float | None
    evidence: Evidence = NO_EVIDENCE

    def __post_init__(self) -> None:
        if self.value is not None and not -1.0 <= self.value <= 1.0:
            raise BadReading(f"a phase reads {self.value}, outside [-1, 1]")


@dataclass(frozen=True, slots=True)
class StrayRow:
    """A row that differs from the arranged state and that the task does not allow to."""

    clone: str
    table: str
    key: str
    evidence: Evidence = NO_EVIDENCE


@dataclass(frozen=True, slots=True)
class Charge:
    """Something done at a step that cannot be taken back.

    `rows` are the (table, key) pairs it is charged for: they are no collateral besides.
    `because` names the guard and the rule that it keeps.
    """

    kind: ChargeKind
    because: str = ""
    obligation: str | None = None
    request: str | None = None
    rows: frozenset[tuple[str, str]] = frozenset()
    evidence: Evidence = NO_EVIDENCE

    @property
    def is_veto(self) -> bool:
        """Whether it rules success out."""
        return self.kind in VETOES

    @property
    def is_falsehood(self) -> bool:
        """Whether it says or shows as done what is not."""
        return self.kind in FALSEHOODS


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What holds after one step: phase readings, stray rows, and the charges of this step."""

    phases: Mapping[str, Reading] = field(default_factory=dict)
    stray: tuple[StrayRow, ...] = ()
    charges: tuple[Charge, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """A guard that does not hold at the end: success is out, nothing is charged."""

    name: str
    evidence: Evidence = NO_EVIDENCE


@dataclass(frozen=True, slots=True)
class QualityParts:
    """How well a success was done: each part in [0, 1], or None where it does not apply."""

    sla: float | None = None
    csat: float | None = None
    efficiency: float | None = None
    care: float | None = None

    def as_json(self) -> dict[str, float | None]:
        """Return the parts by name."""
        return {name: getattr(self, name) for name in QUALITY_WEIGHTS}


NO_PARTS = QualityParts()


@dataclass(frozen=True, slots=True)
class Terminal:
    """What is known once the episode is over.

    `unmet` are the obligations still owed; a false close or statement about one of them stands
    unrepaired. `grounded` is False when a question was answered without any look at its support.
    """

    outcome: Outcome
    quality: QualityParts = NO_PARTS
    quality_weights: Mapping[str, float] = field(default_factory=lambda: dict(QUALITY_WEIGHTS))
    unmet: frozenset[str] = frozenset()
    broken: tuple[Finding, ...] = ()
    grounded: bool = True
