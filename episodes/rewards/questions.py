"""Tasks that ask for an answer: their ladder, and what an ungrounded answer is worth."""

from __future__ import annotations

from episodes.rewards.model import (
    Finding,
    Ladder,
    Outcome,
    PhaseSpec,
    QualityParts,
    Terminal,
)
from episodes.rewards.prices import (
    QUESTION_ANSWER_WEIGHT,
    QUESTION_QUALITY_WEIGHTS,
    QUESTION_SUPPORT_WEIGHT,
)

QUESTION_LADDER = Ladder(
    (
        PhaseSpec("support seen", QUESTION_SUPPORT_WEIGHT, "means"),
        PhaseSpec("answered", QUESTION_ANSWER_WEIGHT),
    )
)


def question_terminal(
    *,
    outcome: Outcome,
    efficiency: float | None,
    care: float | None,
    grounded: bool,
    written: tuple[Finding, ...] = (),
) -> Terminal:
    """Return the terminal facts of a question.

    `written` are the writes outside ambient tables: any rules success out, undone or not.
    """
    return Terminal(
        outcome=outcome,
        quality=QualityParts(efficiency=efficiency, care=care),
        quality_weights=dict(QUESTION_QUALITY_WEIGHTS),
        broken=written,
        grounded=grounded,
    )
