"""What `solve` and `cheats` may touch: the goal, the accounts and the acts of a space."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol


class NotHere(Exception):
    """Raised by a cheat that an instance gives no occasion for."""


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

    def tools(self) -> list[dict[str, Any]]:
        """Return the tools of the space and the verbs."""

    @property
    def done(self) -> bool:
        """Whether the episode is over."""


Script = Callable[[ActingSpace], None]


@dataclass(frozen=True, slots=True)
class Cheat:
    """An attempt to be paid without doing the job. `veto` ones must end at or below 0.

    `asked` tells from a goal whether there can be occasion for it, None of one that has it always.
    """

    name: str
    script: Script
    veto: bool = False
    asked: Callable[[str], bool] | None = None


@dataclass(frozen=True, slots=True)
class RecordedAct:
    """One act of a recorded run, as it may be taken again."""

    tool: str
    arguments: Mapping[str, Any]


Acts = Sequence[RecordedAct]


@dataclass(frozen=True, slots=True)
class Mutant:
    """The oracle's acts, changed: a `harmful` one must fail, an `equivalent` one succeed.

    A `careless` one leaves out what only care and looking are read from: it succeeds and is worth
    less. `relabelled` is why the label is not the operator's own. `beside` is the number of the
    ticket, of which nothing was asked, that something is done to.
    """

    operator: str
    label: Literal["harmful", "equivalent", "careless"]
    name: str
    acts: Acts
    relabelled: str | None = None
    beside: int | None = None
