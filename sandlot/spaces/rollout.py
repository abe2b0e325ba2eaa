"""One attempt at a task for a trainer's loop: a prompt, answers to tool calls, one number or none.

A failure of the environment ends the attempt: it is raised, at every later call again, and there is
no number. Nothing that may have been done is done twice.
"""

from __future__ import annotations

import json
from typing import Any, Final, Literal

from sandlot.client import ControlClient, ControlError, NoServer
from sandlot.service.protocol import Status
from sandlot.spaces.remote import RemoteSpace
from sandlot.spaces.wording import prompt_of, text_of

SCORED: Final = frozenset({"completed", "truncated"})
# How the control plane answers what is no act: nothing was done then.
REFUSED: Final = frozenset({400, 413, 422})
OVER: Final = "the episode is over"


class EnvironmentFailed(Exception):
    """Raised when the environment failed: there is no number, and the attempt is not to be used."""


class Rollout:
    """One attempt at a task.

    `started` holds what `POST /v1/episodes` takes: `task`, `surface`, `faults`, ...

    Raises:
        EnvironmentFailed: it could not begin.
    """

    def __init__(self, client: ControlClient, started: dict[str, Any]) -> None:
        self._client = client
        self._failure: str | None = None
        view = self._asked("POST", "/v1/episodes", json=started)
        self.prompt = prompt_of(view)
        self.space = RemoteSpace(client, view)
        self.view: dict[str, Any] = view

    @property
    def done(self) -> bool:
        """Whether it is over, with a number or without."""
        return self._failure is not None or self.space.done

    @property
    def status(self) -> Status | Literal["lost"]:
        """The episode's status; `lost` where nobody knows it."""
        if self._failure is not None:
            return "harness_error" if self.space.done else "lost"
        found: Status = self.space.steps[-1]["status"] if self.space.steps else "running"
        return found

    def call(self, tool: str, arguments: dict[str, Any]) -> str:
        """Call a tool and return what it says, as text; once it is over, that it is.

        Raises:
            EnvironmentFailed: the environment failed, now or before.
        """
        self._check()
        if self.space.done:
            return OVER
        return text_of(self.observe_act(tool, arguments))

    def observe_act(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Call a tool and return its observation; what cannot be sent is the agent's mistake.

        Raises:
            EnvironmentFailed: the environment failed.
        """
        try:
            json.dumps(arguments, allow_nan=False, ensure_ascii=False).encode()
        except (TypeError, ValueError, RecursionError):
            return {"kind": "error", "text": "these arguments are no JSON that can be sent"}
        try:
            observation = self.space.take(tool, arguments)
        except (ControlError, NoServer) as error:
            if isinstance(error, ControlError) and error.status in REFUSED:
                return {"kind": "error", "text": str(error)}
            raise self._failed(str(error)) from error
        if self.space.steps[-1]["status"] not in SCORED | {"running"}:
            raise self._failed("the environment failed")
        return observation

    def score(self) -> float:
        """Return the episode's R; one that runs is ended and graded as it stands.

        Raises:
            EnvironmentFailed: it has none, for the environment failed.
        """
        self._check()
        if not self.space.done:
            self.observe_act("finish", {})
        self.view = self._asked("GET", f"/v1/episodes/{self.space.id}")
        reward = self.view["reward"]
        if reward is None:
            raise self._failed(f"the episode has no score: {self.view['status']}")
        return float(reward)

    def close(self) -> None:
        """Abandon what still runs, if a server is there to hear it."""
        if not self.space.done:
            self._failure = self._failure or "it was abandoned"
            try:
                self._client.post(f"/v1/episodes/{self.space.id}/abandon")
            except (ControlError, NoServer):
                return  # what nothing is heard of ends by its lease

    def _check(self) -> None:
        if self._failure is not None:
            raise EnvironmentFailed(self._failure)

    def _failed(self, why: str) -> EnvironmentFailed:
        self._failure = why
        return EnvironmentFailed(why)

    def _asked(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        try:
            found: dict[str, Any] = self._client.request(method, path, **options)
        except (ControlError, NoServer) as error:
            raise self._failed(str(error)) from error
        return found
