"""Rewards that were given before the environment failed are taken back, step by step."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from clones.core.server import server
from episodes.families.h05 import solve
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient, ControlError
from sandlot.spaces import RemoteSpace
from tests.live.conftest import play_script

LOOK = {"tool": "helpdesk_ShowCurrentUser", "arguments": {}}
NUMBERS = ("reward", "phase_reward", "potential", "collateral")


@pytest.fixture
def rewarded(control: ControlClient) -> dict[str, Any]:
    """An episode in which three rewards were given."""
    acts = play_script(control, solve.by_api, seed=13)["steps"][:3]
    started: dict[str, Any] = control.post("/v1/episodes", {"task": "H05", "seed": 13})
    space = RemoteSpace(control, started)
    for step in acts:
        space.act(step["act"]["tool"], **step["act"]["arguments"])
    assert sum(step["reward"] for step in space.steps) > 0
    return started


def check_withdrawn(control: ControlClient, episode: dict[str, Any], outcome: str) -> None:
    at = f"/v1/episodes/{episode['id']}"
    view, found = control.get(at), control.get(f"{at}/trajectory")
    manifest = found["manifest"]
    assert (view["status"], manifest["outcome"]) == (outcome, outcome)
    for told in (view, manifest):
        assert told["withdrawn"] == [1, 2, 3]
        assert (told["reward"], told["success"], told["clean"]) == (None, None, None)
        assert (told["components"], told["phases"], told["checks"]) == ({}, [], [])
    assert [step["withdrawn"] for step in found["steps"][:3]] == [True] * 3
    for step in found["steps"]:
        assert {step[name] for name in NUMBERS} == {None}
        assert step["phases"] == {}
    assert not any(step["withdrawn"] for step in found["steps"][3:])
    with pytest.raises(ControlError, match="the rewards of steps 1, 2, 3 are withdrawn"):
        control.post(f"{at}/act", LOOK)


def test_a_failing_environment_takes_its_rewards_back(
    control: ControlClient, rewarded: dict[str, Any]
) -> None:
    control.delete(f"/v1/sandboxes/{rewarded['sandbox']}")
    result = control.post(f"/v1/episodes/{rewarded['id']}/act?for=trainer", LOOK)
    assert (result["status"], result["done"], result["reward"]) == ("harness_error", True, None)
    assert result["withdrawn"] == [1, 2, 3]
    check_withdrawn(control, rewarded, "harness_error")
    control.post("/v1/failures/acknowledge")


def test_a_lost_worker_takes_them_back_between_two_steps(
    running: RunningServer, control: ControlClient, rewarded: dict[str, Any]
) -> None:
    running.host.episodes.lose(rewarded["id"], "worker 0 died")
    check_withdrawn(control, rewarded, "harness_error")
    control.post("/v1/failures/acknowledge")


def test_an_abandoned_episode_has_taken_them_back_too(
    control: ControlClient, rewarded: dict[str, Any]
) -> None:
    control.post(f"/v1/episodes/{rewarded['id']}/abandon")
    check_withdrawn(control, rewarded, "abandoned")
    command = [sys.executable, "-m", "sandlot.cli", "episode", "export", rewarded["id"]]
    done = subprocess.run(
        [*command, "--url", control.url, "--data", str(server().data)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    manifest, *steps = map(json.loads, done.stdout.splitlines())
    assert manifest["withdrawn"] == [step["step"] for step in steps if step["withdrawn"]] != []


def test_a_scored_episode_has_taken_nothing_back(control: ControlClient) -> None:
    found = play_script(control, lambda space: space.act("finish"))
    assert found["manifest"]["withdrawn"] == []
    assert not any(step["withdrawn"] for step in found["steps"])
