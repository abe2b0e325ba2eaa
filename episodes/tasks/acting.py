"""What `solve` and `cheats` may touch: the goal, the accounts and the acts of a space."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol


class ActingSpace(Protocol):
    """One running episode, as an agent holds it."""

    @property
    def goal(self) -> str:
        """The goal as the agent reads it."""

    @property
    def accounts(self) -> Mapping[str, Any]:
        """The agent's accounts by clone."""

    def act(self, tool: str, **arguments: Any) -> Mapping[str, Any]:
        """Take one step and return its observation; an error in answer raises."""

    def try_act(self, tool: str, **arguments: Any) -> Mapping[str, Any]:
        """Take one step and return its observation, whatever it says."""

    def observe(self) -> Mapping[str, Any]:
        """Return what the agent sees now."""


Script = Callable[[ActingSpace], None]


@dataclass(frozen=True, slots=True)
class Cheat:
    """An attempt to be paid without doing the job. `veto` ones must end at or below 0."""

    name: str
    script: Script
    veto: bool = False
