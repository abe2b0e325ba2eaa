"""The family T08 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.t08.arrange import arrange
from episodes.families.t08.cheats import CHEATS
from episodes.families.t08.checks import CARE, PHASES, guard
from episodes.families.t08.derive import derive
from episodes.families.t08.mutants import mutants
from episodes.families.t08.solve import SOLVE
from episodes.tasks.spec import Family
from episodes.tasks.tracker_obligations import unmet_obligations

FAMILY: Final = Family(
    id="T08",
    version=1,
    title="Through the workflow",
    tier=2,
    persona="developer",
    spaces=("api", "browser"),
    phases=PHASES,
    arrange=arrange,
    guard=guard,
    care=CARE,
    unmet=unmet_obligations,
    solve=SOLVE,
    cheats=CHEATS,
    prices=("false_close", "nuisance"),
    derive=derive,
    mutants=mutants,
)
