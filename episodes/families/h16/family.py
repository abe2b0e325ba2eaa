"""The family H16 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.h16.arrange import arrange
from episodes.families.h16.cheats import CHEATS
from episodes.families.h16.checks import CARE, PHASES, guard
from episodes.families.h16.derive import derive
from episodes.families.h16.mutants import mutants
from episodes.families.h16.probing import probe
from episodes.families.h16.solve import SOLVE
from episodes.tasks.obligations import unmet_obligations
from episodes.tasks.spec import Family

FAMILY: Final = Family(
    id="H16",
    version=1,
    title="SLA policy",
    tier=4,
    persona="support lead",
    spaces=("api", "browser"),
    phases=PHASES,
    arrange=arrange,
    guard=guard,
    care=CARE,
    unmet=unmet_obligations,
    solve=SOLVE,
    probe=probe,
    cheats=CHEATS,
    prices=("wrong_irreversible_act",),
    derive=derive,
    mutants=mutants,
)
