"""The two tiers of the check, and what tests draw in each: those of a merge, or everything.

Before a merge (`make test`, `make test-stack`, `.ci/run`) each machine runs the same tests on the
same examples, and tests marked `everything` are left out. `make test-everything` sets
`SANDLOT_EVERYTHING=1`: nothing is left out, and what is drawn is drawn anew. Each run prints its
seed; `SANDLOT_SEED=N` repeats the draws of a run that failed. An example that failed there is kept
as an `@example` of its test. `SANDLOT_ODD=N` has a run draw its odd calls anew (`tests.odd_calls`).
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from hypothesis import settings

Test = TypeVar("Test", bound=Callable[..., Any])

VARIABLES = ("SANDLOT_EVERYTHING", "SANDLOT_ODD", "SANDLOT_SEED")
EVERYTHING = os.environ.get("SANDLOT_EVERYTHING") == "1"
DRAWS_ANEW = EVERYTHING or int(os.environ.get("SANDLOT_ODD", "0")) > 0
ON_POSTGRES = os.environ.get("SANDLOT_ENGINE") == "postgres"
SEED_OF_A_MERGE = 20260616
IN_TURN_ON_POSTGRES = [pytest.mark.in_turn] if ON_POSTGRES else []


def in_turn_on_postgres(test: Test) -> Test:
    """Have PostgreSQL asked a test in turn: what it looks at is seldom another engine's doing."""
    for mark in IN_TURN_ON_POSTGRES:
        test = mark(test)
    return test


def seed() -> int:
    """Return the seed of what this run draws: one for all its processes."""
    if "SANDLOT_SEED" in os.environ:
        return int(os.environ["SANDLOT_SEED"])
    if not DRAWS_ANEW:
        return SEED_OF_A_MERGE
    return random.SystemRandom().randrange(10**9)


SEED = seed()
os.environ["SANDLOT_SEED"] = str(SEED)  # the processes that this one starts draw the same

settings.register_profile("merge", derandomize=True, database=None, deadline=None)
settings.register_profile("everything", derandomize=False, deadline=None, print_blob=True)
settings.load_profile("everything" if EVERYTHING else "merge")
