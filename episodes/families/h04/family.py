"""The family H04 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.h04.arrange import arrange
from episodes.families.h04.cheats import CHEATS
from episodes.families.h04.checks import CARE, PHASES, guard, on_time
from episodes.families.h04.derive import derive
from episodes.families.h04.mutants import mutants, relabel
from episodes.families.h04.solve import SOLVE
from episodes.tasks.obligations import unmet_obligations
from episodes.tasks.spec import Family

FAMILY: Final = Family(
    id="H04",
    version=1,
    title="Beat the breach",
    tier=4,
    persona="tier-1 agent",
    spaces=("api", "browser"),
    phases=PHASES,
    arrange=arrange,
    guard=guard,
    care=CARE,
    unmet=unmet_obligations,
    solve=SOLVE,
    sla=on_time,
    cheats=CHEATS,
    prices=("false_close", "false_statement", "policy_breach", "nuisance"),
    derive=derive,
    mutants=mutants,
    relabel=relabel,
)
