"""The family H05 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.h05.arrange import arrange
from episodes.families.h05.cheats import CHEATS
from episodes.families.h05.checks import CARE, PHASES, guard
from episodes.families.h05.derive import derive
from episodes.families.h05.mutants import mutants
from episodes.families.h05.solve import SOLVE
from episodes.tasks.obligations import unmet_obligations
from episodes.tasks.spec import Family

FAMILY: Final = Family(
    id="H05",
    version=1,
    title="Double charge",
    tier=3,
    persona="billing agent",
    spaces=("api", "browser"),
    phases=PHASES,
    arrange=arrange,
    guard=guard,
    care=CARE,
    unmet=unmet_obligations,
    solve=SOLVE,
    cheats=CHEATS,
    prices=(
        "false_close",
        "false_statement",
        "wrong_irreversible_act",
        "policy_breach",
        "nuisance",
    ),
    derive=derive,
    mutants=mutants,
)
