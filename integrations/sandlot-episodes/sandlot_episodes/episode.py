"""One attempt at a task: a prompt, answers to tool calls, and one number or none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from sandlot_episodes.control import Server, ServerError

SCORED: Final = frozenset({"completed", "truncated"})
# How the control plane answers what is no act: nothing was done then.
REFUSED: Final = frozenset({400, 413, 422})
OVER: Final = "the episode is over"


class EnvironmentFailed(Exception):
    """Raised when the environment failed: there is no number, and the attempt is not to be used."""


@dataclass(frozen=True, slots=True)
class Grade:
    """The numbers of an episode that is over.

    `reward` is R: above 0.5 where the task was done, 0 where nothing was, below 0 where harm was.
    """

    episode: str
    reward: float
    success: bool
    truncated: bool
    steps: int
    components: Mapping[str, Any]


class Episode:
    """One attempt at a task, which was begun already: by `begin`, or in another process.

    `prompt` is what the model is to read first; it is empty where another process began it.
    """

    def __init__(self, server: Server, id: str, prompt: str = "") -> None:
        self._server = server
        self.id = id
        self.prompt = prompt
        self.done = False

    async def tools(self) -> list[dict[str, Any]]:
        """Return the tools of its surface: `name`, `description`, `input_schema`.

        Raises:
            EnvironmentFailed: they cannot be had.
        """
        found: list[dict[str, Any]] = (await self._asked("GET", "/tools"))["tools"]
        return found

    async def status(self) -> str:
        """Return `running`, or how it ended.

        Raises:
            EnvironmentFailed: nobody knows.
        """
        return str((await self._asked("GET"))["status"])

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """Call a tool and return what it says, as JSON; a mistake of the model's is said as well.

        Raises:
            EnvironmentFailed: the environment failed: the episode is over, and has no number.
        """
        if self.done:
            return OVER
        act = {"tool": tool, "arguments": dict(arguments)}
        try:
            json.dumps(act, allow_nan=False, ensure_ascii=False).encode()
        except (TypeError, ValueError, RecursionError):
            return _mistake("these arguments are no JSON that can be sent")
        try:
            step = await self._server.ask("POST", f"/v1/episodes/{self.id}/act", act)
        except ServerError as error:
            if error.status in REFUSED:
                return _mistake(str(error))
            # It may have been done: whoever goes on would not know where they are.
            await self.abandon()
            raise EnvironmentFailed(str(error)) from error
        self.done = bool(step["done"])
        if self.done and step["status"] not in SCORED:
            raise EnvironmentFailed(f"the environment failed in episode {self.id}")
        return text_of(step["observation"])

    async def grade(self) -> Grade:
        """Return the episode's numbers; one that runs is ended, and graded as it stands.

        Raises:
            EnvironmentFailed: it has none.
        """
        view = await self._asked("GET")
        if view["status"] == "running":
            await self._asked("POST", "/finish", {})
            view = await self._asked("GET")
        self.done = True
        if view["status"] not in SCORED or view["reward"] is None:
            raise EnvironmentFailed(f"episode {self.id} has no number: {view['status']}")
        return Grade(
            episode=self.id,
            reward=float(view["reward"]),
            success=bool(view["success"]),
            truncated=view["status"] == "truncated",
            steps=int(view["steps"]),
            components=view["components"],
        )

    async def abandon(self) -> None:
        """End it without a number, if it runs and a server hears it; else its lease does."""
        self.done = True
        with suppress(ServerError):
            await self._server.ask("POST", f"/v1/episodes/{self.id}/abandon", {})

    async def _asked(
        self, method: str, what: str = "", body: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        try:
            return await self._server.ask(method, f"/v1/episodes/{self.id}{what}", body)
        except ServerError as error:
            raise EnvironmentFailed(str(error)) from error


async def begin(server: Server, task: str, **options: Any) -> Episode:
    """Begin an episode of a task, with options of `POST /v1/episodes` (`surface`, ...).

    Raises:
        EnvironmentFailed: it could not begin.
    """
    try:
        view = await server.ask("POST", "/v1/episodes", {**options, "task": task})
    except ServerError as error:
        raise EnvironmentFailed(str(error)) from error
    return Episode(server, view["id"], prompt_of(view))


def prompt_of(view: Mapping[str, Any]) -> str:
    """Return the task in words: always the same for one instance."""
    return (
        f"You are {view['persona']}.\n\n{view['goal']}\n\n"
        f"You may take {view['max_steps']} steps; every call of a tool is one. When you are done,"
        " call `finish`: only then does the work count as finished."
    )


def text_of(observation: Mapping[str, Any]) -> str:
    """Return what there is to read of an observation, as JSON, without what is not set."""
    found = {name: value for name, value in observation.items() if value not in (None, [])}
    found.pop("screenshot", None)
    return json.dumps(found, ensure_ascii=False)


def _mistake(told: str) -> str:
    return text_of({"kind": "error", "text": told})
