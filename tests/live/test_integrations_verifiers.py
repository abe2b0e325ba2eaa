"""`sandlot-verifiers`: `vf-eval` and `vf-validate` say of episodes what the control plane says."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient
from sandlot.spaces.wording import prompt_of
from tests.clients import FOLDER, UNREACHABLE, client_python, run_client
from tests.live.gateway_plays import (
    INDEX,
    MARKED,
    SEARCHED_LOOK,
    OraclePlay,
    killing_workers,
    none_runs,
    oracle_play,
    status_of,
)
from tests.live.integration_packages import installed_packages
from tests.live.scripted_model import ScriptedModel, serving_model
from tests.live.test_train_page import snippets

# Installing the framework may take minutes.
pytestmark = [pytest.mark.slow(shares="plays"), pytest.mark.everything, pytest.mark.timeout(1_200)]

SCRIPT = Path(__file__).with_name("verifiers_plays.py")
VERIFIERS: Final[dict[str, Any]] = {
    "name": "verifiers",
    "requirements": ("verifiers==0.4.0", "uv==0.13.9"),
}
TASK: Final = f"H05@1/kestrel-tiny/1/{INDEX:04d}"
COMMAND: Final = str(Path(sys.executable).with_name("sandlot"))

Plays = Mapping[str, dict[str, Any]]


@pytest.fixture(scope="module")
def oracle(control: ControlClient) -> OraclePlay:
    """What the oracle does by the tools that models are offered, and what it is paid."""
    return oracle_play(control, "search_call")


@pytest.fixture(scope="module")
def model(oracle: OraclePlay) -> Any:
    """A model that plays by the script whose name it has."""
    scripts = {
        "oracle": oracle.acts,
        "nothing": [["finish", {}]],
        "silent": [],
        "short": [SEARCHED_LOOK, ["do_everything", {}], SEARCHED_LOOK, SEARCHED_LOOK],
        "shell": [["bash", {"command": "env | grep SANDLOT"}], ["finish", {}]],
        "killed": [SEARCHED_LOOK] * 60,
    }
    with serving_model(scripts) as found:
        yield found


@pytest.fixture(scope="module")
def plays(
    running: RunningServer,
    control: ControlClient,
    model: ScriptedModel,
    tmp_path_factory: pytest.TempPathFactory,
) -> Plays:
    """What was written of each play."""
    folder = tmp_path_factory.mktemp("verifiers")

    def evaluated(script: str, *options: str, harness: str = "null") -> list[str]:
        (command,) = snippets("verifiers", "sh")
        put = {"MODEL": script, "URL": model.url, "KEY": "FAKE_KEY", "null": harness}
        words = [put.get(word, word) for word in shlex.split(command.replace("\\\n", ""))]
        return [*words, *taskset("--env.taskset.", *options)]

    def validated(command: str) -> list[str]:
        options = taskset("--taskset.", "families", '["H05"]', "task.command", command)
        return ["vf-validate", "sandlot-verifiers", "--runtime.type", "subprocess", *options]

    def taskset(prefix: str, *options: str) -> list[str]:
        words = ["task.control-url", running.control_url, *options]
        named = [f"{prefix}{word}" if place % 2 == 0 else word for place, word in enumerate(words)]
        return [*named, "--select.include.ids", json.dumps([TASK])]

    plans = {
        "oracle": evaluated("oracle"),
        "nothing": evaluated("nothing"),
        "silent": evaluated("silent"),
        "short": evaluated("short", "task.max-steps", "3"),
        "shell": evaluated("shell", harness="bash"),
        "valid": validated(COMMAND),
        "unchecked": validated("no-such-sandlot"),
    }
    found = written(plans, running, folder)
    with killing_workers(running, control) as hit:
        killed = {"killed": evaluated("killed", "task.max-steps", str(MARKED))}
        found |= written(killed, running, folder)
    found["killed"]["episodes"] = hit
    return found


def written(plans: Mapping[str, list[str]], running: RunningServer, folder: Path) -> dict[str, Any]:
    """Run some programs, one after the other, and return what each has written."""
    place = folder / "-".join(plans)
    place.mkdir()
    file = place / "plans.json"
    file.write_text(json.dumps(plans))
    # Its harness is a script, whose packages `uv` fetches once.
    given = {name: value for name, value in os.environ.items() if name.startswith(("UV_", "SSL_"))}
    given |= {"UV_CACHE_DIR": str(FOLDER / "uv"), "FAKE_KEY": "x", "SANDLOT_TOKEN": running.token}
    python = client_python(**VERIFIERS)
    given["PATH"] = f"{python.parent}:{os.environ['PATH']}"
    packages = str(installed_packages(place))
    ran = run_client(python, SCRIPT, packages, str(file), **given)
    if UNREACHABLE.search(ran.stderr) and "failed to prepare uv script" in ran.stderr:
        pytest.skip("no registry answers uv")
    assert ran.returncode == 0, ran.stderr[-3000:]
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    assert all(play["rows"] for play in found.values()), ran.stderr[-3000:]
    return found


def trace_of(plays: Plays, name: str) -> dict[str, Any]:
    """Return the one trace of a play."""
    (episode,) = plays[name]["rows"]
    (trace,) = episode["traces"]
    found: dict[str, Any] = trace
    return found


def test_the_oracle_is_paid_what_the_control_plane_says(
    control: ControlClient, oracle: OraclePlay, model: ScriptedModel, plays: Plays
) -> None:
    trace = trace_of(plays, "oracle")
    assert (trace["ok"], trace["errors"], trace["stop_condition"]) == (True, [], "episode_over")
    assert trace["rewards"] == {"reward": {"score": oracle.reward, "weight": 1.0}}
    steps = len(oracle.acts)
    assert trace["metrics"] == {"success": 1.0, "truncated": 0.0, "steps": float(steps)}
    told = trace["info"]["sandlot"]
    assert status_of(control, told["episode"]) == ("completed", oracle.reward)
    view = control.get(f"/v1/episodes/{told['episode']}")
    assert (view["task"], trace["task"]["key"]) == (TASK, TASK)
    question = model.asked["oracle"]
    assert question["messages"][0]["content"] == prompt_of(view)
    names = [tool["function"]["name"] for tool in question["tools"]]
    assert names == ["find_operation", "call", "wait", "say", "finish"]


@pytest.mark.parametrize("script", ["nothing", "silent"])
def test_who_does_nothing_is_paid_nothing(
    control: ControlClient, plays: Plays, script: str
) -> None:
    trace = trace_of(plays, script)
    assert trace["rewards"]["reward"]["score"] == 0.0
    assert (trace["ok"], trace["metrics"]["success"]) == (True, 0.0)
    assert status_of(control, trace["info"]["sandlot"]["episode"]) == ("completed", 0.0)


def test_a_limit_of_steps_truncates(control: ControlClient, plays: Plays) -> None:
    trace = trace_of(plays, "short")
    assert (trace["metrics"]["truncated"], trace["metrics"]["steps"]) == (1.0, 3.0)
    said = [node["message"] for node in trace["nodes"] if node["message"]["role"] == "tool"]
    assert "do_everything" in said[1]["content"]  # a mistake of the model's, who goes on
    told = trace["info"]["sandlot"]
    assert status_of(control, told["episode"]) == ("truncated", told["reward"])


def test_an_agents_processes_have_no_token(plays: Plays) -> None:
    trace = trace_of(plays, "shell")
    said = [node["message"] for node in trace["nodes"] if node["message"]["role"] == "tool"]
    assert said[0]["content"] == "SANDLOT_TOKEN=\n"


def test_a_killed_worker_is_an_error_without_a_number(control: ControlClient, plays: Plays) -> None:
    trace = trace_of(plays, "killed")
    (episode,) = plays["killed"]["episodes"]
    assert status_of(control, episode) == ("harness_error", None)
    assert (trace["ok"], trace["rewards"], trace["metrics"]) == (False, {}, {})
    (error,) = trace["errors"]
    assert error["type"] == "TaskError"
    assert f"EnvironmentFailed: episode {episode} has no number" in error["message"]
    assert none_runs(control)


def test_the_oracle_validates_a_task_and_nobody_does_not(plays: Plays) -> None:
    (row,) = plays["valid"]["rows"]
    assert row["error"] is None
    assert (row["gold"]["reason"], row["noop"]["reason"]) == ("valid", "valid")
    assert row["noop"]["rewards"] == {"reward": 0.0}


def test_without_a_server_of_its_own_nothing_is_checked(plays: Plays) -> None:
    (row,) = plays["unchecked"]["rows"]
    assert (row["gold"]["valid"], row["gold"]["reason"]) == (None, "unchecked")
