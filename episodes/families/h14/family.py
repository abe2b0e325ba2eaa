"""The family H14 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.h14.arrange import arrange
from episodes.families.h14.cheats import CHEATS
from episodes.families.h14.checks import PHASES, guard
from episodes.families.h14.derive import derive
from episodes.families.h14.mutants import mutants
from episodes.families.h14.probing import probe
from episodes.families.h14.solve import SOLVE
from episodes.tasks.obligations import unmet_obligations
from episodes.tasks.spec import Family

FAMILY: Final = Family(
    id="H14",
    version=1,
    title="Write a trigger",
    tier=4,
    persona="helpdesk admin",
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
