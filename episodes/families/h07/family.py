"""The family H07 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.h07.arrange import arrange
from episodes.families.h07.cheats import CHEATS
from episodes.families.h07.checks import CARE, PHASES, guard
from episodes.families.h07.derive import derive
from episodes.families.h07.mutants import mutants, relabel
from episodes.families.h07.solve import SOLVE
from episodes.tasks.obligations import unmet_obligations
from episodes.tasks.spec import Family

FAMILY: Final = Family(
    id="H07",
    version=1,
    title="Merge repeats",
    tier=2,
    persona="tier-1 agent",
    spaces=("api", "browser"),
    phases=PHASES,
    arrange=arrange,
    guard=guard,
    care=CARE,
    unmet=unmet_obligations,
    solve=SOLVE,
    cheats=CHEATS,
    prices=("false_close", "wrong_irreversible_act"),
    derive=derive,
    mutants=mutants,
    relabel=relabel,
)
