"""The family T04 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.t04.arrange import arrange
from episodes.families.t04.cheats import CHEATS
from episodes.families.t04.checks import CARE, PHASES, guard
from episodes.families.t04.derive import derive
from episodes.families.t04.mutants import mutants
from episodes.families.t04.solve import SOLVE
from episodes.tasks.spec import Family
from episodes.tasks.tracker_obligations import unmet_obligations

FAMILY: Final = Family(
    id="T04",
    version=1,
    title="Plan a sprint",
    tier=4,
    persona="scrum master",
    spaces=("api", "browser"),
    phases=PHASES,
    arrange=arrange,
    guard=guard,
    care=CARE,
    unmet=unmet_obligations,
    solve=SOLVE,
    cheats=CHEATS,
    prices=("wrong_irreversible_act",),
    derive=derive,
    mutants=mutants,
)
