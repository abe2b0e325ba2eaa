"""`sandlot-inspect`: an evaluation scores samples as the control plane does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient
from sandlot.spaces.wording import prompt_of
from tests.clients import client_python, run_client
from tests.live.gateway_plays import (
    MARKED,
    SEARCHED_LOOK,
    Acts,
    OraclePlay,
    killing_workers,
    none_runs,
    oracle_play,
    status_of,
)
from tests.live.integration_packages import installed_packages

# Installing the framework may take minutes.
pytestmark = [pytest.mark.slow(shares="plays"), pytest.mark.everything, pytest.mark.timeout(1_200)]

SCRIPT = Path(__file__).with_name("inspect_plays.py")
INSPECT: Final[dict[str, Any]] = {"name": "inspect", "requirements": ("inspect-ai==0.3.285",)}

Plays = Mapping[str, dict[str, Any]]


@pytest.fixture(scope="module")
def oracle(control: ControlClient) -> OraclePlay:
    """What the oracle does, and what it is paid."""
    return oracle_play(control, "search_call")


@pytest.fixture(scope="module")
def plays(
    running: RunningServer,
    control: ControlClient,
    oracle: OraclePlay,
    tmp_path_factory: pytest.TempPathFactory,
) -> Plays:
    """What became of the sample of each play."""
    folder = tmp_path_factory.mktemp("inspect")
    named = {"families": "H05", "split": "train", "url": running.control_url}

    def plan_of(acts: Acts, shown: str = "finish", **more: Any) -> dict[str, Any]:
        arguments = named | more
        return {"acts": acts, "arguments": arguments, "sample": oracle.instance, "shown": shown}

    plans = {
        "oracle": plan_of(oracle.acts),
        "nothing": plan_of([["finish", {}]], surface="app", shown="helpdesk_update_ticket"),
        "silent": plan_of([]),
        "short": plan_of([SEARCHED_LOOK, ["do_everything", {}], SEARCHED_LOOK], max_steps=2),
        "killed": plan_of([SEARCHED_LOOK] * 60, max_steps=MARKED),
    }
    file = folder / "plans.json"
    file.write_text(json.dumps(plans))
    python = client_python(**INSPECT)
    packages = str(installed_packages(folder))
    with killing_workers(running, control) as hit:
        ran = run_client(python, SCRIPT, packages, str(file), SANDLOT_TOKEN=running.token)
    assert ran.returncode == 0, ran.stderr[-3000:]
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    found["killed"]["episodes"] = hit
    return found


def test_the_oracle_is_paid_what_the_control_plane_says(
    control: ControlClient, oracle: OraclePlay, plays: Plays
) -> None:
    found = plays["oracle"]
    assert (found["status"], found["error"]) == ("success", None)
    assert found["score"] == {"reward": oracle.reward, "success": 1.0}
    assert [metric["mean"] for metric in found["metrics"]] == [oracle.reward, 1.0]
    told = found["metadata"]
    assert (told["truncated"], told["steps"]) == (False, len(oracle.acts))
    assert status_of(control, told["episode"]) == ("completed", oracle.reward)
    view = control.get(f"/v1/episodes/{told['episode']}")
    assert (view["task"], found["prompt"]) == (oracle.instance, prompt_of(view))
    assert found["tools"] == ["find_operation", "call", "wait", "say", "finish"]
    assert found["shown"]["properties"]["status"]["enum"] == ["done", "declined", "blocked"]


@pytest.mark.parametrize("script", ["nothing", "silent"])
def test_who_does_nothing_is_paid_nothing(
    control: ControlClient, plays: Plays, script: str
) -> None:
    found = plays[script]
    assert found["score"] == {"reward": 0.0, "success": 0.0}
    assert status_of(control, found["metadata"]["episode"]) == ("completed", 0.0)


def test_what_schemas_define_is_in_its_place(plays: Plays) -> None:
    shown = plays["nothing"]["shown"]
    (comment,) = [
        kind for kind in shown["properties"]["comment"]["anyOf"] if kind["type"] == "object"
    ]
    assert comment["properties"]["body"]
    assert "$ref" not in json.dumps(shown)


def test_a_limit_of_steps_truncates(control: ControlClient, plays: Plays) -> None:
    found = plays["short"]
    assert (found["metadata"]["truncated"], found["metadata"]["steps"]) == (True, 2)
    assert len(found["said"]) == 3  # a tool that is not there is no step: Inspect says so itself
    ended = status_of(control, found["metadata"]["episode"])
    assert ended == ("truncated", found["score"]["reward"])


def test_a_killed_worker_is_an_error_without_a_score(control: ControlClient, plays: Plays) -> None:
    found = plays["killed"]
    (episode,) = found["episodes"]
    assert status_of(control, episode) == ("harness_error", None)
    assert (found["score"], found["metrics"]) == (None, [])
    assert "EnvironmentFailed" in found["error"]
    assert none_runs(control)
