"""Unmodified clients of Open Reward Standard play H05, and are told what the control plane says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient
from tests.clients import client_python, run_client
from tests.gateways.conftest import serving_gateways
from tests.live.gateway_plays import (
    LOOK,
    MARKED,
    OraclePlay,
    killing_workers,
    none_runs,
    oracle_play,
    plan_of,
    status_of,
)

# What they load takes them longer than all that they are asked to do: each is run once.
pytestmark = [pytest.mark.slow(shares="plays"), pytest.mark.in_turn(by="client")]

SCRIPT = Path(__file__).with_name("ors_clients.py")
OPENREWARD = ("openreward==0.1.167",)
ENVIRONMENTS: dict[str, dict[str, Any]] = {
    "ors": {"name": "ors", "requirements": ("ors-sdk==0.1.0",)},
    "openreward": {"name": "openreward", "requirements": OPENREWARD},
    "openreward-bare": {"name": "openreward", "requirements": OPENREWARD},
    "trl": {"name": "trl", "requirements": OPENREWARD, "alone": ("trl==1.16.0",)},
}
# They name no environment: theirs has every family, and the task is given whole.
BARE = ("openreward-bare", "trl")
LENGTHS = (300_000, 8_000_000)

Plays = Mapping[str, dict[str, Any]]


@pytest.fixture(scope="module")
def oracle(control: ControlClient) -> OraclePlay:
    """What the oracle does, and what it is paid."""
    return oracle_play(control)


@pytest.fixture(scope="module", params=list(ENVIRONMENTS))
def client(request: pytest.FixtureRequest) -> str:
    """A client's name."""
    return str(request.param)


@pytest.fixture(scope="module")
def plays(
    running: RunningServer,
    control: ControlClient,
    client: str,
    oracle: OraclePlay,
    tmp_path_factory: pytest.TempPathFactory,
) -> Plays:
    """What a client saw of each play."""
    assert running.gateways is not None
    url = running.gateways.ors_url
    task = {"task": oracle.instance}
    whole = {"task": task} if client in BARE else {}
    with serving_gateways() as served, killing_workers(running, control) as hit:
        plans = {
            "oracle": plan_of(url, oracle.acts, **whole),
            "nothing": plan_of(url, [["finish", {}]], **whole),
            "short": plan_of(url, [LOOK] * 3, task={**task, "max_steps": 3}),
            # Every fourth letter is a blank: of those that begin a piece clients take some away.
            **{
                f"long {length}": plan_of(
                    served.gateways.ors_url,
                    [
                        ["repeat", {"text": "abc ", "times": length // 4}],
                        ["echo", {"text": "abc " * (length // 4)}],
                    ],
                    index=0,
                )
                for length in LENGTHS
            },
            "killed": plan_of(url, [LOOK] * 60, task={**task, "max_steps": MARKED}),
        }
        file = tmp_path_factory.mktemp("plans") / "plans.json"
        file.write_text(json.dumps(plans))
        # Some of them say so in red letters where they find no key.
        python = client_python(**ENVIRONMENTS[client])
        ran = run_client(python, SCRIPT, client, str(file), OPENREWARD_API_KEY="none")
    assert ran.returncode == 0, ran.stderr[-3000:]
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    found["killed"]["episodes"] = hit
    return found


def test_the_oracle_is_paid_what_the_control_plane_says(
    control: ControlClient, client: str, oracle: OraclePlay, plays: Plays
) -> None:
    found = plays["oracle"]
    assert "error" not in found, found["error"]
    *before, last = found["rewards"]
    assert set(before) == {None}
    assert last == oracle.reward, found["metadata"]
    told = found["metadata"][-1]
    assert (told["success"], told["truncated"], told["status"]) == (True, False, "completed")
    assert status_of(control, told["episode"]) == ("completed", oracle.reward)
    view = control.get(f"/v1/episodes/{told['episode']}")
    assert (view["task"], view["goal"] in found["prompt"]) == (oracle.instance, True)
    assert {"helpdesk_ShowTicket", "http_request", "finish"} <= set(found["tools"])
    if client == "trl":
        assert (found["reward"], found["finished"], found["by_method"]) == (last, True, True)
    else:
        assert found["splits"] == ["train", "validation", "test"]
        assert found["counted"]
        assert found["task"] == oracle.instance or client in BARE


def test_who_does_nothing_is_paid_nothing(plays: Plays) -> None:
    assert plays["nothing"]["rewards"] == [0.0]
    assert plays["nothing"]["metadata"][-1]["success"] is False


def test_a_limit_of_steps_truncates(control: ControlClient, plays: Plays) -> None:
    found = plays["short"]
    told = found["metadata"][-1]
    assert (told["truncated"], told["terminated"], told["success"]) == (True, False, False)
    assert found["rewards"][:2] == [None, None]
    assert status_of(control, told["episode"]) == ("truncated", found["rewards"][-1])


def test_a_killed_worker_gives_no_number(control: ControlClient, client: str, plays: Plays) -> None:
    found = plays["killed"]
    assert set(found["rewards"]) <= {None}
    (episode,) = found["episodes"]
    assert status_of(control, episode) == ("harness_error", None)
    if client == "trl":  # it goes on, and is told that there is nothing any more
        assert (found["reward"], found["finished"]) == (None, False)
        assert "Error" in found["last"]
    else:
        assert f"episode {episode} has no number" in found["error"][1]
    assert none_runs(control)


@pytest.mark.parametrize("length", LENGTHS)
def test_long_results_and_requests_arrive_whole(plays: Plays, length: int) -> None:
    found = plays[f"long {length}"]
    assert "error" not in found
    assert found["lengths"][0] == found["lengths"][1] > length
