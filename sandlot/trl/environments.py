"""The dataset and the environments of a trainer."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cached_property
from importlib import import_module
from typing import Any, ClassVar

from sandlot.client import ControlClient
from sandlot.service import Surface
from sandlot.service.splits import INSTANCES
from sandlot.spaces.instances import instances_of
from sandlot.spaces.rollout import EnvironmentFailed, Rollout
from sandlot.trl.methods import method_of


class TaskEpisode:
    """An environment: one episode after the other, the tools as methods.

    The tools of a surface are methods of the class that `Sandlot.factory` makes.
    """

    _client: ClassVar[ControlClient]
    _started: ClassVar[dict[str, Any]]

    def __init__(self) -> None:
        self._rollout: Rollout | None = None

    def reset(self, **row: Any) -> str:
        """Begin the episode of a row of the dataset and return what the model is to read.

        Raises:
            EnvironmentFailed: it could not begin.
        """
        if self._rollout is not None:
            self._rollout.close()
        self._rollout = None
        self._rollout = Rollout(self._client, {**self._started, "task": row["task"]})
        return self._rollout.prompt

    def get_reward(self) -> float | None:
        """Return the episode's R; None where the environment failed: TRL leaves it out then.

        An episode that runs is ended, and graded as it stands.
        """
        if self._rollout is None:
            return None
        try:
            return self._rollout.score()
        except EnvironmentFailed:
            return None

    def _call(self, tool: str, arguments: dict[str, Any]) -> str:
        """Call a tool.

        Raises:
            EnvironmentFailed: the environment failed, or there is no episode.
        """
        if self._rollout is None:
            raise EnvironmentFailed("no episode has begun")
        return self._rollout.call(tool, arguments)


class Sandlot:
    """Tasks of a server, for a trainer.

    `families` are all that the server has where none are named; of each there are `instances` in a
    split (`train`, `validation`, `test`). `token` is the control plane's: without one it is
    `SANDLOT_TOKEN` of the environment. Others are options of `POST /v1/episodes` (`max_steps`,
    `faults`, ...).

    Raises:
        ValueError: there is no such family, split or surface.
    """

    def __init__(
        self,
        url: str,
        *,
        families: Sequence[str] | None = None,
        split: str = "train",
        surface: Surface = "search_call",
        instances: int = INSTANCES,
        token: str | None = None,
        **options: Any,
    ) -> None:
        if "+" in surface:
            # They are an instance's own, and TRL reads the tools before there is one.
            raise ValueError(f"TRL has no tools that change by the task: leave out {surface!r}")
        token = os.environ.get("SANDLOT_TOKEN", "") if token is None else token
        self.client = ControlClient(url, token)
        self._options = {"surface": surface, **options}
        with ExitStack() as failing:
            failing.callback(self.close)
            tasks = instances_of(self.client, families, split, instances)
            failing.pop_all()
        self.rows: list[dict[str, Any]] = [
            {"prompt": [{"role": "user", "content": ""}], "task": task} for task in tasks
        ]

    def close(self) -> None:
        """Close the connections to the server."""
        self.client.close()

    @cached_property
    def dataset(self) -> Any:
        """The tasks as a `datasets.Dataset`: `prompt` and `task`.

        Raises:
            ModuleNotFoundError: `datasets` is not installed; `rows` are the same as dictionaries.
        """
        return import_module("datasets").Dataset.from_list(self.rows)

    @cached_property
    def factory(self) -> type[TaskEpisode]:
        """A class of environments, with a method for each tool.

        Raises:
            EnvironmentFailed: no episode could begin to ask for the tools.
        """
        members: dict[str, Any] = {"_client": self.client, "_started": self._options}
        families: dict[str, str] = {}
        for row in self.rows:
            families.setdefault(row["task"].partition("@")[0], row["task"])
        for task in families.values():
            for tool in self._tools(task):
                method = method_of(tool)
                members.setdefault(method.__name__, method)
            if self._options["surface"] not in ("app", "flat"):
                break  # each family has the same tools
        return type("SandlotEpisode", (TaskEpisode,), members)

    def _tools(self, task: str) -> list[dict[str, Any]]:
        """Return the tools of an episode, which is begun for it and abandoned."""
        rollout = Rollout(self.client, {**self._options, "task": task})
        try:
            found = rollout.space.tools()
        finally:
            rollout.close()
        return [_any_answer(tool) if tool["name"] == "finish" else tool for tool in found]


def _any_answer(finish: dict[str, Any]) -> dict[str, Any]:
    """Return `finish` with an answer of any type, in text: that of its task is told in the goal."""
    schema = finish["input_schema"]
    told = {"type": "string", "description": "What the task asks for, if it asks: text or JSON."}
    properties = {**schema["properties"], "answer": told}
    return {**finish, "input_schema": {**schema, "properties": properties}}
