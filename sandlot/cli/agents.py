"""The agents that the command line can let play."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType

from sandlot.spaces import RemoteSpace

Agent = Callable[[RemoteSpace], None]


class UnknownAgent(Exception):
    """Raised when no agent has that name."""


def find_agent(name: str, task: str, space: str, seed: int) -> Agent:
    """Return the agent named `oracle`, `noop`, `random` or `path:callable`.

    The path is a Python file's, or a module's with dots.

    Raises:
        UnknownAgent: there is none of that name.
    """
    if name == "noop":
        return _noop
    if name == "random":
        from episodes.tasks.common_cheats import random_acts  # noqa: PLC0415 - server side

        return random_acts(Random(seed))  # noqa: S311 - a seeded walk, nothing secret
    if name == "oracle":
        return _script(task, space)
    if name.startswith("cheat:"):
        return _cheat(task, name.removeprefix("cheat:"))
    path, colon, attribute = name.rpartition(":")
    if not colon:
        raise UnknownAgent(f"there is no agent {name}: use oracle, noop, random or PATH:CALLABLE")
    try:
        found: Agent = getattr(_module(path), attribute)
    except (ImportError, AttributeError, OSError) as error:
        raise UnknownAgent(f"cannot load agent {name}: {error}") from error
    return found


def _module(path: str) -> ModuleType:
    """Return the module of a Python file, or of a name that can be imported."""
    if not path.endswith(".py"):
        return importlib.import_module(path)
    spec = spec_from_file_location(Path(path).stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _noop(space: RemoteSpace) -> None:
    space.act("finish")


def _script(task: str, space: str) -> Agent:
    module = f"episodes.families.{_family(task)}.solve"
    try:
        scripts: dict[str, Agent] = importlib.import_module(module).SOLVE
    except ImportError as error:
        raise UnknownAgent(f"task {task} has no oracle: {error}") from error
    if space not in scripts:
        raise UnknownAgent(f"the oracle of {task} does not play in the space {space}")
    return scripts[space]


def _cheat(task: str, name: str) -> Agent:
    cheats = importlib.import_module(f"episodes.families.{_family(task)}.cheats").CHEATS
    for cheat in cheats:
        if cheat.name == name:
            script: Agent = cheat.script
            return script
    known = ", ".join(cheat.name for cheat in cheats)
    raise UnknownAgent(f"task {task} has no cheat {name}: choose one of {known}")


def _family(task: str) -> str:
    return task.partition("@")[0].lower()
