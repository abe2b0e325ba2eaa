"""The family H13 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.h13.arrange import arrange
from episodes.families.h13.cheats import CHEATS
from episodes.families.h13.checks import CARE, PHASES, guard
from episodes.families.h13.derive import derive
from episodes.families.h13.mutants import mutants
from episodes.families.h13.solve import SOLVE
from episodes.tasks.obligations import unmet_obligations
from episodes.tasks.spec import Family

FAMILY: Final = Family(
    id="H13",
    version=1,
    title="Write a macro",
    tier=2,
    persona="helpdesk admin",
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
