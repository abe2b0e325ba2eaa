"""The family H01 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.h01.arrange import arrange
from episodes.families.h01.cheats import CHEATS
from episodes.families.h01.checks import PHASES, answer_type, grounded, guard
from episodes.families.h01.derive import derive
from episodes.families.h01.mutants import mutants
from episodes.families.h01.solve import SOLVE
from episodes.tasks.obligations import unmet_obligations
from episodes.tasks.spec import Family

FAMILY: Final = Family(
    id="H01",
    version=1,
    title="Ticket fact",
    tier=1,
    persona="tier-1 agent",
    spaces=("api", "browser"),
    phases=PHASES,
    arrange=arrange,
    guard=guard,
    care=(),
    unmet=unmet_obligations,
    solve=SOLVE,
    cheats=CHEATS,
    derive=derive,
    mutants=mutants,
    grounded=grounded,
    answer=answer_type,
)
