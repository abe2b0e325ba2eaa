"""The base families as an agent knows them: whose job a goal is, and how it is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from episodes.families.h01.cheats import CHEATS as H01_CHEATS
from episodes.families.h01.reading import wanted_of
from episodes.families.h01.solve import SOLVE as H01
from episodes.families.h05.cheats import CHEATS as H05_CHEATS
from episodes.families.h05.solve import SOLVE as H05
from episodes.tasks.acting import Cheat, Script
from sandlot.service import Space


@dataclass(frozen=True, slots=True)
class Job:
    """A base family's way of working: `asked_by` tells whether a goal is of it."""

    id: str
    asked_by: Callable[[str], bool]
    solve: Mapping[Space, Script]
    cheats: tuple[Cheat, ...]


def _asks_for_a_fact(goal: str) -> bool:
    try:
        wanted_of(goal)
    except LookupError:
        return False
    return True


JOBS: Final = (
    Job("H01", _asks_for_a_fact, H01, H01_CHEATS),
    # What nothing else claims.
    Job("H05", lambda _: True, H05, H05_CHEATS),
)


def job_of(goal: str) -> Job:
    """Return whose job a goal is."""
    return next(job for job in JOBS if job.asked_by(goal))
