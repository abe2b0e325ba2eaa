"""`sandlot.skyrl` and `sandlot.tinker`, whose models call tools in text, over a real server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import pytest

from episodes.families.h05 import solve
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient
from sandlot.skyrl import SandlotTextEnv
from sandlot.spaces import ScriptedSpace
from sandlot.spaces.rollout import EnvironmentFailed
from sandlot.spaces.tool_calls import NoToolCall, call_in
from sandlot.tinker import SandlotMessageEnv
from tests.live.conftest import play_script

TASK: Final = "H05@1/kestrel-tiny/1/0013"
LOOK: Final = (
    'I look.\n<tool_call>{"name": "call", "arguments": {"operation": "helpdesk_ShowCurrentUser"}}'
    "</tool_call>"
)
FINISH: Final = '<tool_call>{"name": "finish"}</tool_call>'


class WritingSpace(ScriptedSpace):
    """An oracle that writes what a model would: its acts are texts."""

    def __init__(self, client: ControlClient, rollout: Any, say: Callable[[str], Any]) -> None:
        super().__init__(client, rollout.view, rollout.view["surface"])
        self._say = say
        self.steps = rollout.space.steps

    def take(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Write a tool call and return what the clone answered."""
        self._say(f"<tool_call>{json.dumps({'name': tool, 'arguments': arguments})}</tool_call>")
        observation: dict[str, Any] = self.steps[-1]["observation"]
        return observation


@pytest.fixture(scope="module")
def oracle(control: ControlClient) -> float:
    """What the oracle is paid by the control plane."""
    played = play_script(control, solve.by_api, task=TASK)
    return float(played["manifest"]["reward"])


def text_env(running: RunningServer, **extras: Any) -> SandlotTextEnv:
    """Return SkyRL's environment of the task."""
    config = {"url": running.control_url, "token": running.token}
    return SandlotTextEnv(config, {"extra_info": {"task": TASK}, **extras})


def message_env(running: RunningServer, **options: Any) -> SandlotMessageEnv:
    """Return Tinker's environment of the task."""
    return SandlotMessageEnv(running.control_url, running.token, TASK, **options)


def test_skyrl_sums_to_what_the_oracle_is_paid(
    control: ControlClient, running: RunningServer, oracle: float
) -> None:
    env = text_env(running)
    prompt, _ = env.init([{"role": "system", "content": "Work."}])
    assert [message["role"] for message in prompt] == ["system", "user"]
    assert "find_operation" in prompt[-1]["content"]
    steps: list[dict[str, Any]] = []
    solve.by_api(
        WritingSpace(control, vars(env)["_rollout"], lambda text: steps.append(env.step(text)))
    )
    assert [step["done"] for step in steps] == [False] * (len(steps) - 1) + [True]
    assert sum(step["reward"] for step in steps) == steps[-1]["reward"] == oracle
    assert env.get_metrics() == {"steps": float(len(steps)), "success": 1.0, "reward": oracle}
    env.close()


def test_skyrl_tells_of_mistakes_and_ends_after_its_turns(running: RunningServer) -> None:
    env = text_env(running, max_turns=3)
    env.init([])
    first = env.step("I am thinking.")
    assert "no tool was called" in first["observations"][0]["content"]
    assert '"status": 200' in env.step(LOOK)["observations"][0]["content"]
    last = env.step("Done.")
    assert (last["done"], last["reward"], last["metadata"]["status"]) == (True, 0.0, "completed")
    env.close()
    told = [{"steps": 2.0, "reward": 1.0}, {"steps": 4.0}]
    assert SandlotTextEnv.aggregate_metrics(told) == {"steps": 3.0, "reward": 1.0}


def test_tinker_sums_to_what_the_oracle_is_paid(
    control: ControlClient, running: RunningServer, oracle: float
) -> None:
    env = message_env(running)
    (first,) = asyncio.run(env.initial_observation())
    assert "find_operation" in first["content"]
    results: list[Any] = []

    def said(text: str) -> None:
        results.append(asyncio.run(env.step({"role": "assistant", "content": text})))

    solve.by_api(WritingSpace(control, vars(env)["_rollout"], said))
    assert sum(result.reward for result in results) == results[-1].reward == oracle
    assert (results[-1].episode_done, results[-1].metrics) == (True, {"success": 1.0})
    assert len(results[-1].next_messages) == 1 + 2 * len(results)
    asyncio.run(env.cleanup())


def test_tinker_reads_calls_that_its_renderer_read(running: RunningServer) -> None:
    @dataclass
    class Function:
        name: str
        arguments: str

    @dataclass
    class Call:
        function: Function

    env = message_env(running, surface="app")
    asyncio.run(env.initial_observation())
    called = Call(Function("helpdesk_show_current_user", "{}"))
    seen = asyncio.run(env.step({"role": "assistant", "content": "", "tool_calls": [called]}))
    assert seen.next_messages[-1]["role"] == "tool"
    assert '"status": 200' in seen.next_messages[-1]["content"]
    parts = [{"type": "text", "text": FINISH}]
    last = asyncio.run(env.step({"role": "assistant", "content": parts}))
    assert (last.episode_done, last.reward) == (True, 0.0)
    asyncio.run(env.cleanup())


def test_a_failure_of_ours_is_raised_by_both(
    control: ControlClient, running: RunningServer
) -> None:
    text, messages = text_env(running), message_env(running)
    text.init([])
    asyncio.run(messages.initial_observation())
    for env in (text, messages):
        control.delete(f"/v1/sandboxes/{vars(env)['_rollout'].view['sandbox']}")
    for _ in range(2):
        with pytest.raises(EnvironmentFailed):
            text.step(LOOK)
        with pytest.raises(EnvironmentFailed):
            asyncio.run(messages.step({"role": "assistant", "content": LOOK}))
    assert "reward" not in text.get_metrics()
    text.close()
    asyncio.run(messages.cleanup())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<tool_call></tool_call>",
        '<tool_call>{"arguments": {}}</tool_call>',
        '<tool_call>{"name": "call", "arguments": [1]}</tool_call>',
        '<tool_call>{"name": "call", "arguments": "what"}</tool_call>',
        "<tool_call>" + "[" * 100_000 + "</tool_call>",
    ],
)
def test_what_is_no_call_is_told_in_a_sentence(text: str) -> None:
    with pytest.raises(NoToolCall) as told:
        call_in(text)
    assert "\n" not in str(told.value)


def test_arguments_may_be_a_text_of_json() -> None:
    call = '<tool_call>{"name": "say", "arguments": "{\\"text\\": \\"hello\\"}"}</tool_call>'
    assert call_in(call) == ("say", {"text": "hello"})
