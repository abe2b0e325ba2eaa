"""A label for each step: what it did, without paying for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

StepKind = Literal[
    "read_new",
    "read_again",
    "write_goal",
    "write_neutral",
    "write_stray",
    "refused",
    "no_effect",
    "fault",
    "waited",
]


@dataclass(frozen=True, slots=True)
class StepFacts:
    """What happened at a step.

    `rows` counts the row changes it led to, `stray` those the task does not allow, `advanced`
    says whether an end came nearer. `shown` counts the records its response showed, `new` those
    shown for the first time.
    """

    waited: bool = False
    fault: bool = False
    refused: bool = False
    rows: int = 0
    stray: int = 0
    advanced: bool = False
    shown: int = 0
    new: int = 0


def step_kind(facts: StepFacts) -> StepKind:
    """Return the step's label; what it wrote outranks what it read."""
    if facts.fault:
        return "fault"
    if facts.waited:
        return "waited"
    if facts.refused:
        return "refused"
    if facts.rows:
        if facts.stray:
            return "write_stray"
        return "write_goal" if facts.advanced else "write_neutral"
    if facts.shown:
        return "read_new" if facts.new else "read_again"
    return "no_effect"
