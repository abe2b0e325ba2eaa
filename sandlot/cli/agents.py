"""The agents that the command line can let play."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from random import Random
from typing import Any

from sandlot.spaces import RemoteSpace

Agent = Callable[[RemoteSpace], None]


class UnknownAgent(Exception):
    """Raised when no agent has that name."""


def find_agent(name: str, task: str, space: str, seed: int) -> Agent:
    """Return the agent named `oracle`, `noop`, `random` or `module:callable`.

    Raises:
        UnknownAgent: there is none of that name.
    """
    if name == "noop":
        return _noop
    if name == "random":
        chance = Random(seed)  # noqa: S311 - a seeded walk, nothing secret
        return lambda played: _random(played, chance)
    if name == "oracle":
        return _script(task, space)
    if name.startswith("cheat:"):
        return _cheat(task, name.removeprefix("cheat:"))
    module, colon, attribute = name.partition(":")
    if not colon:
        raise UnknownAgent(f"there is no agent {name}: use oracle, noop, random or MODULE:CALLABLE")
    try:
        found: Agent = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise UnknownAgent(f"cannot load agent {name}: {error}") from error
    return found


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


def _random(space: RemoteSpace, chance: Random) -> None:
    """Call random tools with random arguments, then finish."""
    tools = [tool for tool in space.tools() if tool["name"] not in ("say", "finish", "wait")]
    for _ in range(10):
        if space.done:
            return
        tool = chance.choice(tools)
        space.try_act(tool["name"], **_random_arguments(tool["input_schema"], space, chance))
    if not space.done:
        space.try_act("finish")


def _random_arguments(schema: dict[str, Any], space: RemoteSpace, chance: Random) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in schema.get("required", []):
        kind = schema["properties"].get(name, {})
        if name == "ref":
            found[name] = _random_ref(space, chance)
        elif "enum" in kind:
            found[name] = chance.choice(kind["enum"])
        elif kind.get("type") == "integer":
            found[name] = chance.randrange(1, 300)
        elif kind.get("type") == "object" or name == "body":
            found[name] = {}
        else:
            found[name] = chance.choice(["billing", "1", "refund", "/api/v2/tickets", "solved"])
    return found


def _random_ref(space: RemoteSpace, chance: Random) -> str:
    tree = space.observe().get("tree") or ""
    refs = [part.partition("]")[0] for part in tree.split("[ref=")[1:]]
    return chance.choice(refs) if refs else "e1"
