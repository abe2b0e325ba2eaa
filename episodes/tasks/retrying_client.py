"""Acting where answers fail to come: repeat what is safe, look before repeating the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from episodes.tasks.acting import ActingSpace

# How often an act is tried. The longest incident is shorter.
TRIES: Final = 8
THROTTLED: Final = 429

Answer = Mapping[str, Any]
# Looks whether a write with these arguments was made; returns what shows it, None if it was not.
Look = Callable[[ActingSpace, Mapping[str, Any]], Answer | None]


class NotAnswered(Exception):
    """Raised when an act is refused, or no try of it is answered."""


class RetryingSpace:
    """An acting space that stands what a network and its servers do at times.

    Reads are repeated. A write whose answer was lost may have been made: it is repeated only after
    its `look` has shown that it was not. One that was throttled was not made, and a step takes
    longer than any vendor asks to wait.
    """

    def __init__(self, space: ActingSpace, looks: Mapping[str, Look]) -> None:
        self._space = space
        self._looks = looks

    @property
    def goal(self) -> str:
        """The goal as the agent reads it."""
        return self._space.goal

    @property
    def accounts(self) -> Mapping[str, Any]:
        """The agent's accounts by clone."""
        return self._space.accounts

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return self._space.done

    def observe(self) -> Answer:
        """Return what the agent sees now."""
        return self._space.observe()

    def tools(self) -> list[dict[str, Any]]:
        """Return the tools of the space and the verbs."""
        return self._space.tools()

    def try_act(self, tool: str, **arguments: Any) -> Answer:
        """Take one step and return its observation, whatever it says."""
        return self._space.try_act(tool, **arguments)

    def act(self, tool: str, **arguments: Any) -> Answer:
        """Take as many steps as it needs until an answer comes, and return it.

        Raises:
            NotAnswered: the answer is a refusal, or none came.
        """
        for _ in range(TRIES):
            observation = self._space.try_act(tool, **arguments)
            if self._space.done or not _is_failure(observation):
                break
            if tool in self._looks and observation.get("status") != THROTTLED:
                made = self._looks[tool](self, arguments)
                if made is not None:
                    return made
        status = observation.get("status")
        if observation["kind"] == "error" or (status is not None and status >= 400):
            text = observation.get("text") or observation.get("body")
            raise NotAnswered(f"{tool} was answered with {status or 'an error'}: {text}")
        return observation


def _is_failure(observation: Answer) -> bool:
    """Tell whether an answer is the server's or the network's failure, which may pass."""
    status = observation.get("status")
    if status is None:
        return bool(observation["kind"] == "error")
    return bool(status == THROTTLED or status >= 500)
