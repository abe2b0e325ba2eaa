"""One class of tasks for each family, and its name in BrowserGym."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Final

import gymnasium
from browsergym.core.registration import register_task

from sandlot_browsergym.task import SandlotTask


def _families() -> list[str]:
    """Return the ids of the families that the installed `sandlot` has, without importing them."""
    spec = find_spec("episodes.families")
    places = spec.submodule_search_locations if spec is not None else None
    return sorted(found.name.upper() for found in pkgutil.iter_modules(places) if found.ispkg)


def _class_of(family: str) -> type[SandlotTask]:
    about = {"family": family, "__doc__": f"Tasks of {family}.", "__module__": __name__}
    return type(f"Sandlot{family}Task", (SandlotTask,), about)


TASKS: Final[Mapping[str, type[SandlotTask]]] = {
    found.get_task_id(): found for found in map(_class_of, _families())
}


def register_all() -> None:
    """Register every family in Gymnasium, unless that has been done."""
    for name, found in TASKS.items():
        if f"browsergym/{name}" not in gymnasium.registry:
            register_task(name, found)
