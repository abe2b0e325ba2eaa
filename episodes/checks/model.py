"""Checks and phases: sentences about a scene, and how they add up to what a ladder reads.

A scene is whatever a family's checks are asked of (net changes, world, facts, sightings, answer);
nothing here looks into it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from episodes.rewards.model import NO_EVIDENCE, Evidence, Finding, Ladder, PhaseSpec, Reading

S = TypeVar("S")

CheckKind = Literal["end", "means", "guard", "answer"]
BECAUSE = re.compile(r"goal|policy:\S.*|doctrine:\S.*")


class BadCheck(ValueError):
    """Raised when a check or a phase is not fit to grade with."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found: 1.0 true, 0.0 untrue, between for a share, None if it does not apply."""

    value: float | None
    evidence: Evidence = NO_EVIDENCE

    def __post_init__(self) -> None:
        if self.value is not None and not -1.0 <= self.value <= 1.0:
            raise BadCheck(f"a verdict of {self.value} is outside [-1, 1]")

    @property
    def holds(self) -> bool:
        """Whether the sentence is wholly true."""
        return self.value is not None and self.value >= 1.0


def verdict(true: bool, evidence: Evidence = NO_EVIDENCE) -> Verdict:  # noqa: FBT001 - the finding itself
    """Return the verdict of a sentence that is true or not."""
    return Verdict(1.0 if true else 0.0, evidence)


NOT_APPLICABLE = Verdict(None)
UNSCORED = Reading(None)


@dataclass(frozen=True, slots=True)
class Check(Generic[S]):
    """A sentence that is true of a scene or not.

    `because` is what demands it: `goal`, `policy:<section>` or `doctrine:<rule>`. `at_start` says
    whether it holds before anything is done. `needs` are checks of the same phase without which
    it counts nothing.

    Raises:
        BadCheck: no reason is given, or the weight does not fit the kind.
    """

    name: str
    kind: CheckKind
    fn: Callable[[S], Verdict]
    because: str
    at_start: bool
    weight: float = 1.0
    needs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not BECAUSE.fullmatch(self.because):
            raise BadCheck(f"check {self.name!r} cites neither goal, policy nor doctrine")
        if not math.isfinite(self.weight) or self.weight <= 0:
            raise BadCheck(f"check {self.name!r} needs a weight above 0")


@dataclass(frozen=True, slots=True)
class Phase(Generic[S]):
    """A rung and the checks it is read from. `probes` says that they read what probes showed.

    Raises:
        BadCheck: it has no checks, checks of another kind, or `needs` name none of them.
    """

    name: str
    weight: float
    checks: tuple[Check[S], ...]
    kind: Literal["means", "end"] = "end"
    needs: tuple[str, ...] = ()
    probes: bool = False

    def __post_init__(self) -> None:
        fitting = {"means"} if self.kind == "means" else {"end", "answer"}
        names = [check.name for check in self.checks]
        if not self.checks:
            raise BadCheck(f"phase {self.name!r} has no checks")
        if len(set(names)) != len(names):
            raise BadCheck(f"phase {self.name!r} names a check twice")
        for place, check in enumerate(self.checks):
            if check.kind not in fitting:
                raise BadCheck(f"check {check.name!r} ({check.kind}) fits no {self.kind} phase")
            if set(check.needs) - set(names[:place]):
                raise BadCheck(f"check {check.name!r} needs what is not before it: {check.needs}")


def ladder_of(phases: Sequence[Phase[S]]) -> Ladder:
    """Return the ladder that rewards are computed on.

    Raises:
        BadLadder: the phases do not make one.
    """
    return Ladder(
        tuple(PhaseSpec(phase.name, phase.weight, phase.kind, phase.needs) for phase in phases)
    )


def ask(phase: Phase[S], scene: S) -> dict[str, Verdict]:
    """Return what each check of a phase finds in a scene, by name."""
    return {check.name: check.fn(scene) for check in phase.checks}


def reading_of(phase: Phase[S], verdicts: Mapping[str, Verdict]) -> Reading:
    """Return a phase's value: the weighted mean of its checks that apply, None if none does."""
    evidence = NO_EVIDENCE
    terms: list[tuple[float, float]] = []
    for check in phase.checks:
        found = verdicts[check.name]
        evidence = evidence | found.evidence
        if found.value is not None:
            open_gate = all(verdicts[need].holds for need in check.needs)
            terms.append((check.weight, found.value if open_gate else 0.0))
    if not terms:
        return Reading(None, evidence)
    if all(value >= 1.0 for _, value in terms):
        return Reading(1.0, evidence)
    scale = math.fsum(weight for weight, _ in terms)
    return Reading(math.fsum(weight * value for weight, value in terms) / scale, evidence)


def read_phase(phase: Phase[S], scene: S) -> Reading:
    """Return a phase's value in a scene."""
    return reading_of(phase, ask(phase, scene))


def ask_phases(
    phases: Iterable[Phase[S]], scene: S, *, probed: bool = True
) -> dict[str, dict[str, Verdict]]:
    """Return what the checks of each phase find, by the phase's name and theirs.

    Until probes have run (`probed`), the checks of a phase that is read from them are not asked.
    """
    return {phase.name: ask(phase, scene) if probed or not phase.probes else {} for phase in phases}


def readings_of(
    phases: Iterable[Phase[S]], verdicts: Mapping[str, Mapping[str, Verdict]]
) -> dict[str, Reading]:
    """Return the reading of each phase by name; one whose checks were not asked is not scored."""
    return {
        phase.name: reading_of(phase, verdicts[phase.name]) if verdicts[phase.name] else UNSCORED
        for phase in phases
    }


def read_phases(phases: Sequence[Phase[S]], scene: S, *, probed: bool = True) -> dict[str, Reading]:
    """Return the reading of each phase by name.

    Until probes have run (`probed`), a phase that is read from them is not scored: its value is
    None, and its checks are not asked.
    """
    return readings_of(phases, ask_phases(phases, scene, probed=probed))


def broken(guards: Iterable[Check[S]], scene: S) -> tuple[Finding, ...]:
    """Return the guards that do not hold, with their evidence.

    Raises:
        BadCheck: a check among them is no guard.
    """
    found = []
    for check in guards:
        if check.kind != "guard":
            raise BadCheck(f"check {check.name!r} is no guard")
        result = check.fn(scene)
        if result.value is not None and not result.holds:
            found.append(Finding(check.name, result.evidence))
    return tuple(found)


def start_faults(
    phases: Iterable[Phase[S]], guards: Iterable[Check[S]], scene: S
) -> tuple[str, ...]:
    """Return what is not as declared in the arranged state, where guards must hold."""
    checks = [check for phase in phases for check in phase.checks]
    faults = [
        f"{check.name}: {'does not hold' if check.at_start else 'holds already'} at the start"
        for check in checks
        if check.fn(scene).holds is not check.at_start
    ]
    faults += [f"{finding.name}: broken at the start" for finding in broken(guards, scene)]
    return tuple(faults)
