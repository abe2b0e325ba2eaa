"""Sandlot for Tinker's cookbook: an environment with the methods of its `MessageEnv`.

    EnvFromMessageEnv(renderer, SandlotMessageEnv(url, token, "H05@1/kestrel-tiny/1/0003"))

Tools are called as the renderer reads them (`tool_calls` of a message), or in the text.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

from sandlot.client import ControlClient
from sandlot.spaces.rollout import Rollout
from sandlot.spaces.tool_calls import NoToolCall, call_in, read_call
from sandlot.spaces.wording import told_tools

Message = dict[str, Any]


@dataclass
class MessageResult:
    """What a message came to, with the fields of the cookbook's `MessageStepResult`."""

    reward: float
    episode_done: bool
    next_messages: list[Message]
    metrics: dict[str, float] = field(default_factory=dict)
    logs: dict[str, str | int | float] = field(default_factory=dict)
    next_stop_condition: Any = None


class SandlotMessageEnv:
    """One episode. Every message is worth 0 but the last, which is worth R: Tinker takes the sum.

    `options` are those of `POST /v1/episodes` (`surface`, `max_steps`, ...).
    """

    def __init__(self, url: str, token: str, task: str, **options: Any) -> None:
        self._client = ControlClient(url, token)
        self._started = {"surface": "search_call", **options, "task": task}
        self._rollout: Rollout | None = None
        self._messages: list[Message] = []
        self.example_id = task

    async def initial_observation(self) -> list[Message]:
        """Begin the episode and return the conversation: the task and the tools.

        Raises:
            EnvironmentFailed: it could not begin.
        """
        return await asyncio.to_thread(self._begin)

    def _begin(self) -> list[Message]:
        self._rollout = Rollout(self._client, self._started)
        told = f"{self._rollout.prompt}\n\n{told_tools(self._rollout.space.tools())}"
        self._messages = [{"role": "user", "content": told}]
        return list(self._messages)

    async def step(self, message: Message) -> MessageResult:
        """Call the tool that the assistant's message calls; one that calls none is told so.

        Raises:
            EnvironmentFailed: the environment failed: there is no number.
        """
        return await asyncio.to_thread(self._step, message)

    def _step(self, message: Message) -> MessageResult:
        rollout = self._rollout
        if rollout is None:
            raise ValueError("initial_observation comes first")
        self._messages.append(message)
        try:
            text = rollout.call(*_call_of(message))
        except NoToolCall as mistake:
            text = str(mistake)
        role = "tool" if message.get("tool_calls") else "user"
        self._messages.append({"role": role, "content": text})
        worth = rollout.score() if rollout.done else 0.0
        metrics = {"success": float(bool(rollout.view["success"]))} if rollout.done else {}
        return MessageResult(
            reward=worth,
            episode_done=rollout.done,
            next_messages=list(self._messages),
            metrics=metrics,
            logs={"status": rollout.status, "episode": rollout.space.id},
        )

    async def observe_truncated_response(self, message: Message) -> list[Message] | None:
        """Keep an answer that was cut off, so that the model goes on after it."""
        self._messages.append(message)
        return list(self._messages)

    async def add_messages(self, messages: list[Message]) -> list[Message] | None:
        """Put messages of others into the conversation."""
        self._messages += messages
        return list(self._messages)

    async def cleanup(self) -> None:
        """Abandon the episode if it runs, and close the connections."""
        await asyncio.to_thread(self._leave)

    def _leave(self) -> None:
        if self._rollout is not None:
            self._rollout.close()
        self._client.close()


def _call_of(message: Message) -> tuple[str, dict[str, Any]]:
    """Return the tool that a message calls, and its arguments.

    Raises:
        NoToolCall: it calls none that can be read.
    """
    calls = message.get("tool_calls") or []
    if calls:
        call = calls[0]
        function = call["function"] if isinstance(call, dict) else call.function
        if not isinstance(function, dict):
            function = {"name": function.name, "arguments": function.arguments}
        return read_call(json.dumps(function))
    content = message.get("content") or ""
    if isinstance(content, list):
        content = "".join(part.get("text", "") for part in content if isinstance(part, dict))
    return call_in(content)
