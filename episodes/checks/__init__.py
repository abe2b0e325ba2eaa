"""Checks: sentences about what happened, and typed comparison for them."""

from episodes.checks.answers import AnswerType, BadAnswerType, grade
from episodes.checks.compare import (
    same_day,
    same_duration,
    same_moment,
    same_number,
    same_set,
    same_sum,
    same_text,
)
from episodes.checks.model import (
    NOT_APPLICABLE,
    BadCheck,
    Check,
    Phase,
    Verdict,
    broken,
    ladder_of,
    read_phase,
    read_phases,
    start_faults,
    verdict,
)
from episodes.checks.text import facts_of, shown, states_day, states_id, states_sum, visible

__all__ = [
    "NOT_APPLICABLE",
    "AnswerType",
    "BadAnswerType",
    "BadCheck",
    "Check",
    "Phase",
    "Verdict",
    "broken",
    "facts_of",
    "grade",
    "ladder_of",
    "read_phase",
    "read_phases",
    "same_day",
    "same_duration",
    "same_moment",
    "same_number",
    "same_set",
    "same_sum",
    "same_text",
    "shown",
    "start_faults",
    "states_day",
    "states_id",
    "states_sum",
    "verdict",
    "visible",
]
