"""The family H17 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.h17.arrange import arrange
from episodes.families.h17.cheats import CHEATS
from episodes.families.h17.checks import PHASES, guard, probe
from episodes.families.h17.derive import derive
from episodes.families.h17.mutants import mutants
from episodes.families.h17.solve import SOLVE
from episodes.tasks.obligations import unmet_obligations
from episodes.tasks.spec import Family

FAMILY: Final = Family(
    id="H17",
    version=1,
    title="Build a view",
    tier=2,
    persona="support lead",
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
