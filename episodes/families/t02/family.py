"""The family T02 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.t02.arrange import arrange
from episodes.families.t02.cheats import CHEATS
from episodes.families.t02.checks import PHASES, guard, probe
from episodes.families.t02.derive import derive
from episodes.families.t02.mutants import mutants
from episodes.families.t02.solve import SOLVE
from episodes.tasks.obligations import unmet_obligations
from episodes.tasks.spec import Family

FAMILY: Final = Family(
    id="T02",
    version=1,
    title="Save a filter",
    tier=3,
    persona="engineering manager",
    spaces=("api", "browser"),
    phases=PHASES,
    arrange=arrange,
    guard=guard,
    care=(),
    unmet=unmet_obligations,
    solve=SOLVE,
    probe=probe,
    cheats=CHEATS,
    prices=("wrong_irreversible_act",),
    derive=derive,
    mutants=mutants,
)
