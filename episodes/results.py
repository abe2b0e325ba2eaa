"""What phases and checks came to at the end of a scored episode, for its manifest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from episodes.rewards import EpisodeReward, StepReward
from sandlot.trajectory import CheckResult, PhaseResult, Reached

if TYPE_CHECKING:
    from episodes.checks import Check, Verdict
    from episodes.grading import StepGrade
    from episodes.tasks.spec import Family, Scene

END = "end "


def phase_results(
    family: Family, step: StepReward, reached: Mapping[str, Reached]
) -> list[PhaseResult]:
    """Return what each phase came to at the last step, in the order of the ladder."""
    counted, readings = dict(step.counted), dict(step.readings)
    return [
        PhaseResult(
            name=phase.name,
            kind=phase.kind,
            weight=phase.weight,
            needs=list(phase.needs),
            value=readings[phase.name].value,
            counted=counted[phase.name],
            reached=reached.get(phase.name),
        )
        for phase in family.ladder.phases
    ]


def check_results(family: Family, last: StepGrade) -> list[CheckResult]:
    """Return what each check found at the last step: those of the phases, then those of care."""
    found: list[CheckResult] = []
    for phase in family.phases:
        found += _results(phase.checks, last.verdicts[phase.name], phase.name)
    return [*found, *_results(family.care, last.care_verdicts, None)]


def _results(
    checks: Iterable[Check[Scene]], verdicts: Mapping[str, Verdict], phase: str | None
) -> Iterator[CheckResult]:
    for check in checks:
        verdict = verdicts[check.name]
        yield CheckResult(
            name=check.name,
            phase=phase,
            kind=check.kind,
            because=check.because,
            weight=check.weight,
            needs=list(check.needs),
            value=verdict.value,
            evidence=verdict.evidence.as_json(),
        )


def failures(
    family: Family, last: StepGrade, step: StepReward, episode: EpisodeReward
) -> list[str]:
    """Return what ruled success out, by name; an end that is missing with what it is missing by.

    That is each of its checks that does not hold (`check …`), or a phase that it needs (`needs …`).
    """
    ends = {f"{END}{phase.name}": phase for phase in family.phases}
    counted = dict(step.counted)
    found = []
    for finding in episode.failures:
        found.append(finding.name)
        phase = ends.get(finding.name)
        if phase is None:
            continue
        verdicts = last.verdicts[phase.name]
        found += [
            f"check {name}"
            for name, verdict in verdicts.items()
            if verdict.value is not None and not verdict.holds
        ]
        found += [f"needs {name}" for name in phase.needs if counted[name] < 1.0]
    return found
