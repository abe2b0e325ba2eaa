"""Unmodified clients of OpenEnv play H05, and are told what the control plane says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient
from tests.clients import client_python, run_client
from tests.live.gateway_plays import (
    INDEX,
    LOOK,
    MARKED,
    Acts,
    OraclePlay,
    killing_workers,
    none_runs,
    oracle_play,
    status_of,
)

# What they load takes them longer than all that they are asked to do: each is run once.
pytestmark = [pytest.mark.slow(shares="plays"), pytest.mark.in_turn(at=4)]

SCRIPT = Path(__file__).with_name("openenv_clients.py")
# What they need but for Gradio, which their pages alone load, and which is larger than the rest.
NEEDED = (
    "fastapi==0.163.2", "uvicorn==0.54.0", "websockets==17.4", "httpx==0.28.1", "fastmcp==3.4.10",
    "requests", "typer", "rich", "pyyaml", "huggingface_hub", "openai", "jsonschema", "tomli",
    "tomli-w", "packaging",
)  # fmt: skip
OPENENV: dict[str, Any] = {
    "name": "openenv", "requirements": NEEDED, "alone": ("openenv==0.10.0",)
}  # fmt: skip
# By the name that it had before.
OPENENV_CORE = {**OPENENV, "name": "openenv-core", "alone": ("openenv-core==0.3.0",)}

Plays = Mapping[str, dict[str, Any]]


@pytest.fixture(scope="module")
def oracle(control: ControlClient) -> OraclePlay:
    """What the oracle does, and what it is paid."""
    return oracle_play(control)


@pytest.fixture(scope="module")
def url(running: RunningServer) -> str:
    """The address of the environment of H05."""
    assert running.gateways is not None
    return f"{running.gateways.openenv_url}/H05"


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(OPENENV, id="openenv"),
        pytest.param(OPENENV_CORE, id="openenv-core", marks=pytest.mark.everything),
    ],
)
def plays(
    request: pytest.FixtureRequest,
    running: RunningServer,
    control: ControlClient,
    url: str,
    oracle: OraclePlay,
    tmp_path_factory: pytest.TempPathFactory,
) -> Plays:
    """What a client saw of each play."""

    def plan_of(acts: Acts, **reset: Any) -> dict[str, Any]:
        return {"url": url, "reset": {"split": "train", "index": INDEX, **reset}, "acts": acts}

    plans = {
        "oracle": plan_of(oracle.acts, seed=7, episode_id="mine"),
        "nothing": plan_of([["finish", {}], LOOK]),
        "short": plan_of([LOOK, ["helpdesk_DoEverything", {}], LOOK], max_steps=3),
        "killed": plan_of([LOOK] * 60, max_steps=MARKED),
    }
    file = tmp_path_factory.mktemp("plans") / "plans.json"
    file.write_text(json.dumps(plans))
    python = client_python(**request.param)
    with killing_workers(running, control) as hit:
        ran = run_client(python, SCRIPT, str(file))
    assert ran.returncode == 0, ran.stderr[-3000:]
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    found["killed"]["episodes"] = hit
    return found


def test_the_oracle_is_paid_what_the_control_plane_says(
    control: ControlClient, oracle: OraclePlay, plays: Plays
) -> None:
    found = plays["oracle"]
    assert "error" not in found, found["error"]
    *before, last = found["rewards"]
    assert (set(before), last) == ({None}, oracle.reward)
    assert found["done"] == [False] * len(before) + [True]
    steps = [observation["step"] for observation in found["observations"]]
    assert steps == list(range(1, len(oracle.acts) + 1))
    told = found["observations"][-1]["metadata"]
    assert (told["success"], told["truncated"], told["status"]) == (True, False, "completed")
    assert status_of(control, told["episode"]) == ("completed", oracle.reward)
    view = control.get(f"/v1/episodes/{told['episode']}")
    begun = found["begun"]["observation"]
    assert (view["task"], view["goal"] in begun["text"]) == (oracle.instance, True)
    names = {tool["name"] for tool in begun["available_tools"]}
    assert {"helpdesk_ShowTicket", "http_request", "finish"} <= names
    assert found["begun"]["reward"] is None
    assert (found["state"]["episode_id"], found["state"]["step_count"]) == ("mine", len(steps))


def test_who_does_nothing_is_paid_nothing(control: ControlClient, plays: Plays) -> None:
    found = plays["nothing"]
    assert (found["rewards"], found["done"]) == ([0.0], [True])
    assert "is over" in found["error"][1]  # and nothing comes after it
    assert status_of(control, found["state"]["episode"]) == ("completed", 0.0)


def test_a_limit_of_steps_truncates(control: ControlClient, plays: Plays) -> None:
    found = plays["short"]
    assert [observation["error"] for observation in found["observations"]] == [False, True, False]
    assert found["done"] == [False, False, True]
    assert found["observations"][-1]["truncated"] is True
    assert found["rewards"][:2] == [None, None]
    assert status_of(control, found["state"]["episode"]) == ("truncated", found["rewards"][-1])


def test_a_killed_worker_gives_no_number(control: ControlClient, plays: Plays) -> None:
    found = plays["killed"]
    assert set(found["rewards"]) <= {None}
    (episode,) = found["episodes"]
    assert status_of(control, episode) == ("harness_error", None)
    assert f"episode {episode} has no number" in found["error"][1]
    assert "this session has ended" in found["ended"]
    assert none_runs(control)


VALIDATE = """
import sys
from openenv.cli.__main__ import main
sys.argv = ["openenv", "validate", "--url", sys.argv[1], "--json", "--timeout", "60"]
main()
"""


def test_its_own_validation_passes(url: str, tmp_path: Path) -> None:
    script = tmp_path / "validate.py"
    script.write_text(VALIDATE)
    ran = run_client(client_python(**OPENENV), script, url)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    report = json.loads(ran.stdout)
    assert (report["passed"], report["mode"]) == (True, "simulation")
    assert report["summary"]["failed_criteria"] == []
    assert report["summary"]["passed_count"] == report["summary"]["total_count"] == 6
