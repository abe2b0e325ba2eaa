"""The family T03 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.t03.arrange import arrange
from episodes.families.t03.cheats import CHEATS
from episodes.families.t03.checks import CARE, PHASES, guard
from episodes.families.t03.derive import derive
from episodes.families.t03.mutants import mutants
from episodes.families.t03.solve import SOLVE
from episodes.tasks.spec import Family
from episodes.tasks.tracker_obligations import unmet_obligations

FAMILY: Final = Family(
    id="T03",
    version=1,
    title="Bug triage",
    tier=4,
    persona="triage engineer",
    spaces=("api", "browser"),
    phases=PHASES,
    arrange=arrange,
    guard=guard,
    care=CARE,
    unmet=unmet_obligations,
    solve=SOLVE,
    cheats=CHEATS,
    prices=("false_close",),
    derive=derive,
    mutants=mutants,
)
