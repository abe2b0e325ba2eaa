"""Quality, questions and step labels."""

from __future__ import annotations

import pytest

from episodes.rewards import (
    QUESTION_LADDER,
    Finding,
    QualityParts,
    SlaTarget,
    StepFacts,
    StepKind,
    care,
    csat,
    efficiency,
    quality,
    question_terminal,
    sla,
    step_kind,
)
from episodes.rewards.prices import QUALITY_WEIGHTS
from tests.rewards.ladders import at, run

Q = QUESTION_LADDER


def test_sla_pays_for_the_share_of_time_kept() -> None:
    assert sla([SlaTarget(60, 70)]) == pytest.approx(0.857, abs=5e-4)
    assert sla([SlaTarget(60, 60), SlaTarget(60, 120)]) == pytest.approx(0.75)
    assert sla([]) is None


def test_efficiency_never_exceeds_one() -> None:
    assert efficiency(reference=6, actions=4) == 1.0
    assert efficiency(reference=6, actions=8) == 0.75
    with pytest.raises(ValueError, match="reference"):
        efficiency(reference=0, actions=1)


def test_care_and_csat_without_a_case_are_none() -> None:
    assert care([]) is None
    assert csat([]) is None
    assert care([True, True, False, False]) == 0.5
    assert csat([0.2, 0.4]) == pytest.approx(0.3)


def test_weights_are_shared_out_among_the_parts_that_apply() -> None:
    assert quality(QualityParts(), QUALITY_WEIGHTS) is None
    assert quality(QualityParts(csat=0.4), QUALITY_WEIGHTS) == pytest.approx(0.4)
    mixed = QualityParts(sla=1.0, efficiency=0.0)
    assert quality(mixed, QUALITY_WEIGHTS) == pytest.approx(0.35 / 0.5)
    assert quality(QualityParts(sla=0.0), QUALITY_WEIGHTS) == 0.0


def test_a_right_answer_with_support() -> None:
    terminal = question_terminal(outcome="completed", efficiency=1.0, care=0.5, grounded=True)
    card = run(Q, [at(Q, support_seen=1.0), at(Q, support_seen=1.0, answered=1.0)], terminal)
    assert card.episode.success == 1
    assert card.episode.quality == pytest.approx(0.75)
    assert card.step_view[0] == pytest.approx(0.14)
    assert card.episode.value == pytest.approx(0.925)


def test_a_right_answer_without_support_is_lucky() -> None:
    terminal = question_terminal(outcome="completed", efficiency=1.0, care=1.0, grounded=False)
    card = run(Q, [at(Q, answered=1.0)], terminal)
    assert card.episode.success == 1
    assert card.episode.quality == 0.0
    assert card.episode.lucky
    assert card.episode.value == pytest.approx(0.7)


def test_a_partly_right_answer_earns_its_share() -> None:
    terminal = question_terminal(outcome="completed", efficiency=1.0, care=1.0, grounded=True)
    card = run(Q, [at(Q, support_seen=1.0, answered=0.8)], terminal)
    assert card.episode.success == 0
    assert card.episode.value == pytest.approx(0.24)


def test_a_question_forbids_every_write() -> None:
    terminal = question_terminal(
        outcome="completed",
        efficiency=1.0,
        care=1.0,
        grounded=True,
        written=(Finding("nothing was written"),),
    )
    card = run(Q, [at(Q, support_seen=1.0, answered=1.0)], terminal)
    assert card.episode.success == 0


LABELS: list[tuple[StepFacts, StepKind]] = [
    (StepFacts(shown=3, new=1), "read_new"),
    (StepFacts(shown=3, new=0), "read_again"),
    (StepFacts(rows=2, advanced=True, shown=1, new=1), "write_goal"),
    (StepFacts(rows=2), "write_neutral"),
    (StepFacts(rows=2, stray=1, advanced=True), "write_stray"),
    (StepFacts(refused=True), "refused"),
    (StepFacts(), "no_effect"),
    (StepFacts(fault=True, rows=3, advanced=True), "fault"),
    (StepFacts(waited=True, rows=4), "waited"),
]


@pytest.mark.parametrize(("facts", "label"), LABELS)
def test_every_label(facts: StepFacts, label: StepKind) -> None:
    assert step_kind(facts) == label
