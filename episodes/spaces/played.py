"""What came of an act, and what a space must do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from sandlot.service import Act, Observation


@dataclass(frozen=True, slots=True)
class MetFault:
    """An injected fault that a request met, as the request log has it.

    `applied` says that its write was made all the same.
    """

    request: str
    kind: str
    method: str
    path: str
    applied: bool

    @property
    def answered(self) -> bool:
        """Whether the agent got an error in place of the answer; a late answer is an answer."""
        return self.kind != "latency"

    @property
    def leaves_doubt(self) -> bool:
        """Whether a write was lost of which the agent cannot know that without looking."""
        return self.method != "GET" and self.answered and self.kind != "429" and not self.applied


@dataclass(frozen=True, slots=True)
class Played:
    """An act carried out: what the agent sees, and what a replay needs.

    `handle` is the act with stable targets in place of refs. `accepted` is False when the act was
    refused before it reached a clone (`refused` ones reached it and were answered with an error).
    `faults` are the injected faults that its requests met. `looked_up` says that it asked what the
    API is like and reached no clone: who is not given every tool's description must read them.
    """

    observation: Observation
    handle: dict[str, Any] | None = None
    requests: tuple[str, ...] = field(default_factory=tuple)
    accepted: bool = True
    refused: bool = False
    faults: tuple[MetFault, ...] = ()
    looked_up: bool = False

    @classmethod
    def mistake(cls, now: str, text: str) -> Played:
        """Return what an agent's mistake looks like: an error it can read."""
        return cls(Observation(kind="error", now=now, text=text), accepted=False, refused=True)

    @property
    def struck(self) -> bool:
        """Whether an injected fault answered it."""
        return any(fault.answered for fault in self.faults)


class PlayingSpace(Protocol):
    """An action space of one episode."""

    def start(self) -> None:
        """Get ready, after the graded state began."""

    def tools(self) -> list[dict[str, Any]]:
        """Return the tools: name, description, input_schema."""

    def observe(self, now: str) -> Observation:
        """Return what the agent sees, without a step."""

    def play(self, act: Act, now: str) -> Played:
        """Carry out one act.

        Raises:
            BadCall: the act does not fit: the agent's mistake.
            HarnessFailure: ours.
        """

    def name_of(self, act: Act) -> str:
        """Return what an act has in common with others that ask for the same."""

    def close(self) -> None:
        """Let go of browsers and connections."""
