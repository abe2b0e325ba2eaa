"""The family T15 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.t15.arrange import arrange
from episodes.families.t15.cheats import CHEATS
from episodes.families.t15.checks import CARE, PHASES, guard
from episodes.families.t15.derive import derive
from episodes.families.t15.mutants import mutants
from episodes.families.t15.owed import unmet
from episodes.families.t15.solve import SOLVE
from episodes.tasks.spec import Family

FAMILY: Final = Family(
    id="T15",
    version=1,
    title="Service desk queue",
    tier=3,
    persona="desk agent",
    spaces=("api", "browser"),
    phases=PHASES,
    arrange=arrange,
    guard=guard,
    care=CARE,
    unmet=unmet,
    solve=SOLVE,
    cheats=CHEATS,
    prices=("false_close", "nuisance", "private_data_shown", "policy_breach"),
    derive=derive,
    mutants=mutants,
)
