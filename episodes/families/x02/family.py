"""The family X02 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.x02.arrange import arrange
from episodes.families.x02.cheats import CHEATS
from episodes.families.x02.checks import CARE, PHASES, guard
from episodes.families.x02.derive import derive
from episodes.families.x02.mutants import mutants
from episodes.families.x02.solve import SOLVE
from episodes.families.x02.standing import unmet_obligations
from episodes.tasks.spec import Family

FAMILY: Final = Family(
    id="X02",
    version=1,
    title="Raise a bug",
    tier=3,
    persona="tier-2 agent",
    spaces=("api", "browser"),
    phases=PHASES,
    arrange=arrange,
    guard=guard,
    care=CARE,
    unmet=unmet_obligations,
    solve=SOLVE,
    cheats=CHEATS,
    prices=("false_close", "nuisance"),
    derive=derive,
    mutants=mutants,
)
