"""The family H11 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.h11.arrange import arrange
from episodes.families.h11.cheats import CHEATS
from episodes.families.h11.checks import CARE, PHASES, guard
from episodes.families.h11.derive import derive
from episodes.families.h11.mutants import mutants, relabel
from episodes.families.h11.solve import SOLVE
from episodes.tasks.obligations import unmet_obligations
from episodes.tasks.spec import Family

FAMILY: Final = Family(
    id="H11",
    version=1,
    title="Ask first",
    tier=3,
    persona="tier-1 agent",
    spaces=("api", "browser"),
    phases=PHASES,
    arrange=arrange,
    guard=guard,
    care=CARE,
    unmet=unmet_obligations,
    solve=SOLVE,
    cheats=CHEATS,
    prices=("policy_breach", "false_close", "false_statement", "nuisance"),
    derive=derive,
    mutants=mutants,
    relabel=relabel,
)
