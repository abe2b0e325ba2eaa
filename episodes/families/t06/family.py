"""The family T06 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.t06.arrange import arrange
from episodes.families.t06.cheats import CHEATS
from episodes.families.t06.checks import PHASES, guard, unmet
from episodes.families.t06.derive import derive
from episodes.families.t06.mutants import mutants
from episodes.families.t06.solve import SOLVE
from episodes.tasks.spec import Family

FAMILY: Final = Family(
    id="T06",
    version=1,
    title="Release notes",
    tier=3,
    persona="product manager",
    spaces=("api", "browser"),
    phases=PHASES,
    arrange=arrange,
    guard=guard,
    care=(),
    unmet=unmet,
    solve=SOLVE,
    cheats=CHEATS,
    prices=("false_close", "policy_breach", "wrong_irreversible_act"),
    derive=derive,
    mutants=mutants,
)
