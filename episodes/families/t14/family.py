"""The family T14 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.t14.arrange import arrange
from episodes.families.t14.cheats import CHEATS
from episodes.families.t14.checks import ANSWER, PHASES, grounded, guard
from episodes.families.t14.derive import derive
from episodes.families.t14.mutants import mutants
from episodes.families.t14.solve import SOLVE
from episodes.tasks.spec import Family
from episodes.tasks.tracker_obligations import unmet_obligations

FAMILY: Final = Family(
    id="T14",
    version=1,
    title="What blocks the release",
    tier=3,
    persona="release manager",
    spaces=("api", "browser"),
    phases=PHASES,
    arrange=arrange,
    guard=guard,
    care=(),
    unmet=unmet_obligations,
    solve=SOLVE,
    cheats=CHEATS,
    derive=derive,
    mutants=mutants,
    grounded=grounded,
    answer=lambda _: ANSWER,
)
