"""Checks: sentences about what happened, and typed comparison for them."""

from episodes.checks.answer_types import AnswerKind, AnswerType, BadAnswerType, schema_of
from episodes.checks.answers import grade
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
    ask_phases,
    broken,
    ladder_of,
    read_phase,
    read_phases,
    readings_of,
    start_faults,
    verdict,
)
from episodes.checks.text import facts_of, shown, states_day, states_id, states_sum, visible

__all__ = [
    "NOT_APPLICABLE",
    "AnswerKind",
    "AnswerType",
    "BadAnswerType",
    "BadCheck",
    "Check",
    "Phase",
    "Verdict",
    "ask_phases",
    "broken",
    "facts_of",
    "grade",
    "ladder_of",
    "read_phase",
    "read_phases",
    "readings_of",
    "same_day",
    "same_duration",
    "same_moment",
    "same_number",
    "same_set",
    "same_sum",
    "same_text",
    "schema_of",
    "shown",
    "start_faults",
    "states_day",
    "states_id",
    "states_sum",
    "verdict",
    "visible",
]
