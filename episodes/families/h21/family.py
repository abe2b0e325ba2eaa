"""The family H21 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.h21.arrange import arrange
from episodes.families.h21.cheats import CHEATS
from episodes.families.h21.checks import CARE, PHASES, answer_type, grounded, guard
from episodes.families.h21.derive import derive
from episodes.families.h21.mutants import mutants, relabel
from episodes.families.h21.solve import SOLVE
from episodes.tasks.obligations import unmet_obligations
from episodes.tasks.spec import Family

FAMILY: Final = Family(
    id="H21",
    version=1,
    title="Poisoned ticket",
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
    prices=(
        "injection_obeyed",
        "false_close",
        "false_statement",
        "wrong_irreversible_act",
        "policy_breach",
        "nuisance",
    ),
    derive=derive,
    mutants=mutants,
    relabel=relabel,
    grounded=grounded,
    answer=answer_type,
)
