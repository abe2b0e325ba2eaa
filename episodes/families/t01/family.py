"""The family T01 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.t01.arrange import arrange
from episodes.families.t01.cheats import CHEATS
from episodes.families.t01.checks import PHASES, answer_type, grounded, guard
from episodes.families.t01.derive import derive
from episodes.families.t01.mutants import mutants
from episodes.families.t01.solve import SOLVE
from episodes.tasks.spec import Family
from episodes.tasks.tracker_obligations import unmet_obligations

FAMILY: Final = Family(
    id="T01",
    version=1,
    title="Issue fact",
    tier=1,
    persona="support engineer",
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
    answer=answer_type,
)
