"""The family H03 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.h03.arrange import arrange
from episodes.families.h03.cheats import CHEATS
from episodes.families.h03.checks import CARE, PHASES, guard
from episodes.families.h03.derive import derive
from episodes.families.h03.mutants import mutants, relabel
from episodes.families.h03.solve import SOLVE
from episodes.tasks.obligations import unmet_obligations
from episodes.tasks.spec import Family

FAMILY: Final = Family(
    id="H03",
    version=1,
    title="Triage a batch",
    tier=3,
    persona="triage agent",
    spaces=("api", "browser"),
    phases=PHASES,
    arrange=arrange,
    guard=guard,
    care=CARE,
    unmet=unmet_obligations,
    solve=SOLVE,
    cheats=CHEATS,
    prices=("false_close", "wrong_irreversible_act", "policy_breach"),
    derive=derive,
    mutants=mutants,
    relabel=relabel,
)
