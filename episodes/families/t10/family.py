"""The family T10 as one object."""

from __future__ import annotations

from typing import Final

from episodes.families.t10.arrange import arrange
from episodes.families.t10.cheats import CHEATS
from episodes.families.t10.checks import PHASES, guard, probe
from episodes.families.t10.derive import derive
from episodes.families.t10.mutants import mutants
from episodes.families.t10.solve import SOLVE
from episodes.tasks.obligations import unmet_obligations
from episodes.tasks.spec import Family

# The vendor's public API has no write for a board's set-up, so the work is done on the pages.
FAMILY: Final = Family(
    id="T10",
    version=1,
    title="Board set-up",
    tier=3,
    persona="scrum master",
    spaces=("browser",),
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
