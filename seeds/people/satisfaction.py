"""How a person feels about what was done for them: a number, stars, and good or bad."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

BIAS_LIMIT = 0.3
# What a person counts an obligation that was refused by the rules and explained.
DECLINED_AND_EXPLAINED = 0.7


@dataclass(frozen=True, slots=True)
class Treatment:
    """How a person was treated.

    `fixed` is the share of what they were owed that they got; `waited` the time it took over
    their patience; `told` whether they were told truly; `untruths` how often not; `repeats` how
    often they were bothered for nothing; `tone_fit` in [0, 1]; `bias` is the person's own.
    """

    fixed: float
    reopens: int
    waited: float
    told: int
    untruths: int
    repeats: int
    tone_fit: float
    bias: float


def feeling(treatment: Treatment) -> float:
    """Return u, the unbounded sum of what was good and bad."""
    return (
        -0.4
        + 2.6 * treatment.fixed
        - 1.6 * treatment.reopens
        - 0.9 * math.log1p(treatment.waited)
        + 0.5 * treatment.told
        - 2.0 * treatment.untruths
        - 0.4 * treatment.repeats
        + 0.3 * treatment.tone_fit
        + treatment.bias
    )


def satisfaction(treatment: Treatment) -> float:
    """Return z in (0, 1)."""
    return 1.0 / (1.0 + math.exp(-feeling(treatment)))


def stars(z: float) -> int:
    """Return the one to five stars that a page shows for `z`."""
    return 1 + math.floor(min(4.0, 5.0 * z))


def rating(z: float) -> Literal["good", "bad"]:
    """Return the two-valued rating."""
    return "good" if z >= 0.5 else "bad"
