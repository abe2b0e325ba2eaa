"""Of every family: what a scored episode says of its phases and checks, whatever they found."""

from __future__ import annotations

import pytest

from episodes.checks import Verdict, readings_of
from episodes.grading import StepGrade
from episodes.results import check_results, failures, phase_results
from episodes.rewards import (
    EpisodeReward,
    Evidence,
    QualityParts,
    Snapshot,
    StepReward,
    Terminal,
    begin,
    close,
)
from episodes.tasks.catalogue import families
from episodes.tasks.spec import Family
from sandlot.trajectory import Reached

FAMILIES = list(families().values())
EVIDENCE = Evidence(journal=(7,))


def ended(family: Family, value: float | None) -> tuple[StepGrade, StepReward, EpisodeReward]:
    """Return the last step of an episode in which every check found the same."""
    verdicts = {
        phase.name: {check.name: Verdict(value, EVIDENCE) for check in phase.checks}
        for phase in family.phases
    }
    care = {check.name: Verdict(value) for check in family.care}
    snapshot = Snapshot(phases=readings_of(family.phases, verdicts))
    grade = StepGrade(snapshot, care=value, verdicts=verdicts, care_verdicts=care)
    parts = QualityParts(sla=1.0, csat=1.0, efficiency=1.0, care=1.0)
    unasked = readings_of(family.phases, {phase.name: {} for phase in family.phases})
    running = begin(family.ladder, Snapshot(phases=unasked))
    step, episode = close(running, snapshot, Terminal(outcome="completed", quality=parts))
    return grade, step, episode


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.id)
@pytest.mark.parametrize("value", [1.0, 0.5, 0.0, None])
def test_every_phase_and_check_is_there_by_name(family: Family, value: float | None) -> None:
    grade, step, _ = ended(family, value)
    at = Reached(step=3, at="2026-06-16T14:01:30Z")
    phases = phase_results(family, step, dict.fromkeys(step.gained, at))
    declared = [(phase.name, phase.weight, phase.kind) for phase in family.phases]
    assert [(phase.name, phase.weight, phase.kind) for phase in phases] == declared
    # Half of a check that another one needs is half of nothing.
    assert value == 0.5 or {phase.value for phase in phases} == {value}
    assert [phase.reached for phase in phases] == [at if value == 1.0 else None] * len(phases)
    assert {phase.counted for phase in phases} == {1.0} or value != 1.0
    checks = check_results(family, grade)
    named = [(check.name, phase.name) for phase in family.phases for check in phase.checks]
    assert [(check.name, check.phase) for check in checks if check.phase] == named
    assert [check.name for check in checks if not check.phase] == [c.name for c in family.care]
    assert {check.value for check in checks} == {value}
    assert {tuple(check.evidence["journal"]) for check in checks if check.phase} == {(7,)}


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.id)
def test_a_failure_names_each_check_of_each_end_that_is_missing(family: Family) -> None:
    grade, step, episode = ended(family, 0.0)
    told = failures(family, grade, step, episode)
    ends = [phase for phase in family.phases if phase.kind == "end"]
    assert [name for name in told if name.startswith("end ")] == [f"end {p.name}" for p in ends]
    assert [name for name in told if name.startswith("check ")] == [
        f"check {check.name}" for phase in ends for check in phase.checks
    ]
    assert [name for name in told if name.startswith("needs ")] == [
        f"needs {name}" for phase in ends for name in phase.needs
    ]
    grade, step, episode = ended(family, 1.0)
    assert failures(family, grade, step, episode) == []
