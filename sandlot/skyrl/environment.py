"""Sandlot for SkyRL: a text environment with the methods of `skyrl_gym`'s `BaseTextEnv`.

    skyrl_gym.register(id="sandlot", entry_point="sandlot.skyrl:SandlotTextEnv")

A row of the data set has `extra_info={"task": "H05@1/kestrel-tiny/1/0003"}`. The model calls tools
in its text: `<tool_call>{"name": ..., "arguments": {...}}</tool_call>`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sandlot.client import ControlClient
from sandlot.spaces.rollout import Rollout
from sandlot.spaces.tool_calls import NoToolCall, call_in
from sandlot.spaces.wording import told_tools

Message = dict[str, Any]


class SandlotTextEnv:
    """One episode. Every step is worth 0 but the last, which is worth R: SkyRL takes the sum.

    `env_config` has `url` and `token` of the control plane, and options of `POST /v1/episodes`
    (`surface`, `max_steps`, ...); `extras["extra_info"]["task"]` names the task, and
    `extras["max_turns"]` says after how many answers the episode is ended.
    """

    def __init__(
        self, env_config: Mapping[str, Any], extras: Mapping[str, Any] | None = None
    ) -> None:
        extras = extras or {}
        options = {"surface": "search_call", **env_config}
        self._client = ControlClient(options.pop("url"), options.pop("token", ""))
        task = extras.get("extra_info", {}).get("task") or options.get("task")
        self._started = {**options, "task": task}
        self._rollout: Rollout | None = None
        self.turns = 0
        self.max_turns = int(extras.get("max_turns", 1_000))

    def init(self, prompt: Sequence[Message]) -> tuple[list[Message], dict[str, Any]]:
        """Begin the episode and return the conversation so far, with the task at its end.

        Raises:
            EnvironmentFailed: it could not begin.
        """
        self._rollout = Rollout(self._client, self._started)
        tools = self._rollout.space.tools()
        told = f"{self._rollout.prompt}\n\n{told_tools(tools)}"
        return [*prompt, {"role": "user", "content": told}], {"tools": tools}

    def step(self, action: str) -> dict[str, Any]:
        """Call the tool that the model's text calls; a text that calls none is told so.

        Raises:
            EnvironmentFailed: the environment failed: there is no number.
        """
        if self._rollout is None:
            raise ValueError("init comes first")
        self.turns += 1
        rollout = self._rollout
        try:
            text = rollout.call(*call_in(action))
        except NoToolCall as mistake:
            text = str(mistake)
        done = rollout.done or self.turns >= self.max_turns
        worth = rollout.score() if done else 0.0
        return {
            "observations": [] if done else [{"role": "user", "content": text}],
            "reward": worth,
            "done": done,
            "metadata": {"status": rollout.status, "episode": rollout.space.id},
        }

    def close(self) -> None:
        """Abandon the episode if it runs, and close the connections."""
        if self._rollout is not None:
            self._rollout.close()
        self._client.close()

    def get_metrics(self) -> dict[str, Any]:
        """Return what became of the episode: `success` and R, once it has them."""
        view = {} if self._rollout is None else self._rollout.view
        steps = 0 if self._rollout is None else len(self._rollout.space.steps)
        found = {"steps": float(steps)}
        if view.get("reward") is not None:
            found |= {"success": float(bool(view["success"])), "reward": float(view["reward"])}
        return found

    @staticmethod
    def aggregate_metrics(metrics: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return the mean of each number, over the episodes that have it."""
        names = sorted({name for found in metrics for name in found})
        having = {name: [found[name] for found in metrics if name in found] for name in names}
        return {name: sum(found) / len(found) for name, found in having.items()}
