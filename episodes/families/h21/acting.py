"""The base families as an agent knows them: whose job a goal is, and how it is done."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from episodes.families.h01 import solve as h01
from episodes.families.h01.cheats import CHEATS as H01_CHEATS
from episodes.families.h01.reading import wanted_of
from episodes.families.h03 import solve as h03
from episodes.families.h03.cheats import CHEATS as H03_CHEATS
from episodes.families.h05 import solve as h05
from episodes.families.h05.cheats import CHEATS as H05_CHEATS
from episodes.families.h07 import solve as h07
from episodes.families.h07.cheats import CHEATS as H07_CHEATS
from episodes.families.h11 import solve as h11
from episodes.families.h11.cheats import CHEATS as H11_CHEATS
from episodes.families.h13 import solve as h13
from episodes.families.h13.cheats import CHEATS as H13_CHEATS
from episodes.tasks.acting import ActingSpace, Cheat, Script
from episodes.tasks.desk_acts import find_ticket
from episodes.tasks.goals import goals_of
from sandlot.service import Space

Tickets = list[dict[str, Any]]
SLOT: Final = re.compile(r"\\\{\w+\\\}")


@dataclass(frozen=True, slots=True)
class Job:
    """A base family's way of working; `tickets` finds what the work is on.

    `module` lies beside the goals that the family is asked for with.
    """

    id: str
    module: str
    solve: Mapping[Space, Script]
    cheats: tuple[Cheat, ...]
    tickets: Callable[[ActingSpace], Tickets]


def _one(space: ActingSpace) -> Tickets:
    return [find_ticket(space)]


def _described(space: ActingSpace) -> Tickets:
    return [h01.find(space, wanted_of(space.goal))]


def _repeats(space: ActingSpace) -> Tickets:
    return h07.look_into(space).repeats


def _batch(space: ActingSpace) -> Tickets:
    return [dict(ticket) for ticket in h03.new_tickets(space)]


JOBS: Final = (
    Job("H01", h01.__file__, h01.SOLVE, H01_CHEATS, _described),
    Job("H03", h03.__file__, h03.SOLVE, H03_CHEATS, _batch),
    Job("H05", h05.__file__, h05.SOLVE, H05_CHEATS, _one),
    Job("H07", h07.__file__, h07.SOLVE, H07_CHEATS, _repeats),
    Job("H11", h11.__file__, h11.SOLVE, H11_CHEATS, _one),
    Job("H13", h13.__file__, h13.SOLVE, H13_CHEATS, _one),
)


@cache
def job_of(goal: str) -> Job:
    """Return whose job a goal is, by how it is worded.

    Raises:
        LookupError: none of the families is asked for like that.
    """
    for job in JOBS:
        if any(_is_worded(goal, entry["text"]) for entry in goals_of(job.module)):
            return job
    raise LookupError(f"no job is asked for like that: {goal[:200]}")


def _is_worded(goal: str, template: str) -> bool:
    return re.fullmatch(SLOT.sub(".+", re.escape(template)), goal, re.DOTALL) is not None
