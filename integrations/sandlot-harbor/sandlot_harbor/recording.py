"""What a task folder holds of an instance: what its agent is told, and how its oracle acts."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final

from sandlot.cli.agents import UnknownAgent, find_agent
from sandlot.client import ControlClient
from sandlot.spaces import ScriptedSpace
from sandlot.spaces.rollout import Rollout

# What an oracle is worth at least.
WORTH: Final = 0.95


class NoSolution(Exception):
    """Raised when an instance has no solution that can be written down."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One instance: its id, the surface of its tools, its prompt, its oracle's acts and their R.

    An act is a tool's name and its arguments.
    """

    task: str
    surface: str
    prompt: str
    acts: tuple[tuple[str, dict[str, Any]], ...]
    reward: float


class _Recording(ScriptedSpace):
    """A space that keeps what is done in it."""

    def __init__(self, client: ControlClient, episode: dict[str, Any], surface: str) -> None:
        super().__init__(client, episode, surface)
        self.acts: list[tuple[str, dict[str, Any]]] = []

    def take(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Take one step, keep it, and return its observation."""
        self.acts.append((tool, arguments))
        return super().take(tool, arguments)


def record(client: ControlClient, task: str, surface: str = "search_call") -> Recorded:
    """Let the oracle play an instance by the tools of a surface, and then once more by its record.

    Raises:
        NoSolution: there is no oracle, it fails, or its acts are not worth the same again.
        EnvironmentFailed: the environment failed.
        ControlError, NoServer: the server refused, or there is none.
    """
    try:
        oracle = find_agent("oracle", task, "api", 0)
    except UnknownAgent as error:
        raise NoSolution(str(error)) from error
    with closing(_begun(client, task, surface)) as rollout:
        space = _Recording(client, rollout.view, surface)
        rollout.space = space
        oracle(space)
        worth = rollout.score()
        found = Recorded(task, surface, rollout.prompt, tuple(space.acts), worth)
    if worth < WORTH:
        raise NoSolution(f"the oracle of {task} is worth {worth}, less than {WORTH}")
    with closing(_begun(client, task, surface)) as rollout:
        for tool, arguments in found.acts:
            rollout.observe_act(tool, arguments)
        again = rollout.score()
    if again != worth:
        raise NoSolution(f"the acts of {task}'s oracle are worth {worth}, and {again} again")
    return found


def _begun(client: ControlClient, task: str, surface: str) -> Rollout:
    return Rollout(client, {"task": task, "surface": surface})
