"""What a trainer's attempt makes of what a control plane answers, whatever it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from sandlot.client import ControlClient
from sandlot.spaces.rollout import EnvironmentFailed, Rollout
from tests.receiving import Receiver, answer, receiving

VIEW = {"id": "ep-a", "goal": "Do it.", "persona": "an agent", "max_steps": 3, "apps": {}}
Answer = Callable[[BaseHTTPRequestHandler], None]


def told(handler: BaseHTTPRequestHandler, status: int, body: Any) -> None:
    """Answer with JSON."""
    answer(handler, status, json.dumps(body).encode(), Content_Type="application/json")


@contextmanager
def begun(respond: Answer) -> Iterator[tuple[Rollout, Receiver]]:
    """An attempt whose acts are answered so, and what was asked."""

    def answered(number: int, handler: BaseHTTPRequestHandler) -> None:
        told(handler, 201, VIEW) if number == 0 else respond(handler)

    with (
        receiving(answered) as host,
        ControlClient(f"http://127.0.0.1:{host.port}", "") as client,
    ):
        yield Rollout(client, {"task": "H05"}), host


def step(status: str, reward: float | None) -> dict[str, Any]:
    """Return a step's result."""
    observation = {"kind": "message", "now": "", "text": "seen", "status": None}
    done = status != "running"
    return {"observation": observation, "done": done, "status": status, "reward": reward}


def test_arguments_have_any_names() -> None:
    arguments = {"tool": 1, "self": 2, "arguments": {}}
    with begun(lambda handler: told(handler, 200, step("running", 0.0))) as (found, host):
        assert json.loads(found.call("call", arguments))["text"] == "seen"
        assert json.loads(host.received[1].body) == {"tool": "call", "arguments": arguments}


@pytest.mark.parametrize("status", [500, 503, 409, 404, 502])
def test_what_is_no_answer_ends_it_and_is_not_repeated(status: int) -> None:
    with begun(lambda handler: told(handler, status, {"detail": "no"})) as (found, host):
        for _ in range(3):
            with pytest.raises(EnvironmentFailed):
                found.call("call", {})
        with pytest.raises(EnvironmentFailed):
            found.score()
        assert len(host.received) == 2
        assert (found.done, found.status) == (True, "lost")


def test_a_broken_connection_is_no_number() -> None:
    def break_off(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "100")
        handler.end_headers()
        handler.close_connection = True

    with begun(break_off) as (found, _):
        with pytest.raises(EnvironmentFailed, match="broke off"):
            found.call("call", {})
        with pytest.raises(EnvironmentFailed):
            found.score()


@pytest.mark.parametrize("value", [float("nan"), "\ud800", {1, 2}], ids=["nan", "half", "set"])
def test_what_cannot_be_sent_is_the_agents(value: Any) -> None:
    with begun(lambda handler: told(handler, 500, {})) as (found, host):
        assert "no JSON" in found.call("call", {"arguments": value})
        assert (found.done, len(host.received)) == (False, 1)


def test_what_is_refused_is_the_agents() -> None:
    with begun(lambda handler: told(handler, 422, {"detail": "that is no act"})) as (found, _):
        assert json.loads(found.call("call", {})) == {"kind": "error", "text": "that is no act"}
        assert not found.done


@pytest.mark.parametrize("status", ["harness_error", "abandoned"])
def test_an_end_without_a_number_is_raised(status: str) -> None:
    with begun(lambda handler: told(handler, 200, step(status, None))) as (found, _):
        with pytest.raises(EnvironmentFailed):
            found.call("call", {})
        with pytest.raises(EnvironmentFailed):
            found.score()


def test_a_score_is_the_episodes_and_zero_is_one() -> None:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        view = {**VIEW, "status": "completed", "reward": 0.0}
        told(handler, 200, view if handler.command == "GET" else step("completed", -0.25))

    with begun(respond) as (found, _):
        assert found.score() == 0.0
        assert found.call("call", {}) == "the episode is over"
