"""The family H08 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.h08.arrange import arrange
from episodes.families.h08.cheats import CHEATS
from episodes.families.h08.checks import CARE, PHASES, guard
from episodes.families.h08.derive import derive
from episodes.families.h08.mutants import mutants
from episodes.families.h08.solve import SOLVE
from episodes.tasks.obligations import unmet_obligations
from episodes.tasks.spec import Family

FAMILY: Final = Family(
    id="H08",
    version=1,
    title="Suspended mail",
    tier=2,
    persona="triage agent",
    spaces=("api", "browser"),
    phases=PHASES,
    arrange=arrange,
    guard=guard,
    care=CARE,
    unmet=unmet_obligations,
    solve=SOLVE,
    cheats=CHEATS,
    prices=("wrong_irreversible_act", "policy_breach"),
    derive=derive,
    mutants=mutants,
)
