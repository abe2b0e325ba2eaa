"""`sandlot-browsergym` in an environment of BrowserGym's: what is done by pages is what is paid."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest

from episodes.browser.finding import find_browser
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient
from tests.clients import client_python, run_client
from tests.live.conftest import play_script
from tests.live.gateway_plays import INDEX, MARKED, killing_workers, none_runs, status_of

# Each play starts two browsers.
pytestmark = [pytest.mark.browser, pytest.mark.slow(shares="found"), pytest.mark.everything]

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGE: Final = ROOT / "integrations" / "sandlot-browsergym"
SCRIPT: Final = Path(__file__).with_name("browsergym_plays.py")
REQUIREMENTS: Final = ("browsergym-core==0.14.3", "httpx==0.28.1", "pydantic==2.14.3")
LOOKED_UP: Final = 3

Plays = Mapping[str, Any]


def browsergym(asked: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Run plays in BrowserGym and return what came of them."""
    browser = find_browser()
    if browser is None:
        pytest.skip("no Chromium found: run `make setup`")
    file = folder / "plays.json"
    paths = [str(PACKAGE), str(ROOT)]
    file.write_text(json.dumps({"paths": paths, "browser": str(browser), **asked}))
    ran = run_client(client_python("browsergym", REQUIREMENTS), SCRIPT, str(file))
    assert ran.returncode == 0, ran.stderr[-3000:]
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return found


def a_play(
    running: RunningServer, family: str, seed: int, acts: list[str], **options: Any
) -> dict[str, Any]:
    """Return a plan as the script reads it."""
    kwargs = {"url": running.control_url, "token": running.token, **options}
    return {
        "env": f"browsergym/sandlot.{family}",
        "seed": seed,
        "task_kwargs": kwargs,
        "acts": acts,
    }


@pytest.fixture(scope="module")
def found(
    running: RunningServer, control: ControlClient, tmp_path_factory: pytest.TempPathFactory
) -> Plays:
    """What BrowserGym saw of each play."""
    plays = {
        "oracle": a_play(running, "h05", INDEX, ["noop(0)", "cheat"]),
        "nothing": a_play(
            running,
            "h05",
            INDEX,
            [
                "let_time_pass(30)",
                "let_time_pass(-1)",
                f"goto('{running.control_url}/v1/episodes')",
                "send_msg_to_user('done')",
            ],
        ),
        "killed": a_play(
            running,
            "h05",
            INDEX,
            ["let_time_pass(1)", *["noop(100)", "goto('ORIGIN/agent/filters')"] * 40],
            max_steps=MARKED,
        ),
        "nowhere": a_play(running, "h05", INDEX, [], url="http://127.0.0.1:9"),
    }
    with killing_workers(running, control) as hit:
        seen = browsergym({"plays": plays}, tmp_path_factory.mktemp("plays"))
    seen["killed"] = hit
    return seen


def test_the_oracle_is_paid_what_the_control_plane_says(
    control: ControlClient, found: Plays
) -> None:
    played = found["plays"]["oracle"]
    assert played["raised"] is None
    first, last = played["steps"]
    assert (first["reward"], first["over"]) == (0.0, [False, False])
    assert last["over"] == [True, False]
    assert last["reward"] > 0.5
    assert status_of(control, played["begun"]["episode"]) == ("completed", last["reward"])
    assert last["info"]["success"] is True
    view = control.get(f"/v1/episodes/{played['begun']['episode']}")
    assert played["begun"]["task"] == view["task"] == f"H05@1/kestrel-tiny/1/{INDEX:04d}"
    assert view["goal"] in played["goal"]
    assert played["url"].endswith("/agent/dashboard")  # signed in


def test_who_does_nothing_is_paid_nothing(control: ControlClient, found: Plays) -> None:
    played = found["plays"]["nothing"]
    waited, refused, walled, last = played["steps"]
    assert [step["reward"] for step in played["steps"]] == [0.0] * 4
    assert (waited["error"], refused["error"]) == (
        "",
        "ValueError: wait needs minutes, a number above 0",
    )
    assert "ERR_ACCESS_DENIED" in walled["error"]
    assert last["over"] == [True, False]
    episode = played["begun"]["episode"]
    assert status_of(control, episode) == ("completed", 0.0)
    steps = control.get(f"/v1/episodes/{episode}/trajectory")["steps"]
    assert [step["act"]["tool"] for step in steps] == ["wait", "wait", "finish"]


def test_a_killed_worker_gives_no_number(control: ControlClient, found: Plays) -> None:
    played = found["plays"]["killed"]
    assert {step["reward"] for step in played["steps"]} == {0.0}
    assert not any(step["over"][0] for step in played["steps"])
    (episode,) = found["killed"]
    assert played["raised"] is not None
    assert played["raised"][0] == "EnvironmentFailed"
    status, reward = status_of(control, episode)
    assert (status in ("abandoned", "harness_error"), reward) == (True, None)
    assert none_runs(control)


def test_a_server_that_is_not_there_gives_no_number(found: Plays) -> None:
    name, told = found["plays"]["nowhere"]["raised"]
    assert (name, "no server at http://127.0.0.1:9" in told) == ("EnvironmentFailed", True)


def test_each_family_is_registered_and_django_is_not_loaded(
    control: ControlClient, found: Plays
) -> None:
    families = [card["id"].lower() for card in control.get("/v1/tasks")["tasks"]]
    assert found["ids"] == [f"sandlot.{family}" for family in sorted(families)]
    assert not {"django", "clones"} & set(found["loaded"])


def test_an_answer_and_a_refusal_are_what_the_agent_says(
    running: RunningServer, control: ControlClient, tmp_path: Path
) -> None:
    solve = import_module("episodes.families.t01.solve").SOLVE["api"]
    record = play_script(control, solve, task="T01", seed=LOOKED_UP)
    said = record["steps"][-1]["act"]["arguments"]["answer"]
    issue = next(
        step["act"]["arguments"]["issueIdOrKey"]
        for step in record["steps"]
        if "issueIdOrKey" in step["act"]["arguments"]
    )
    acts = [f"goto('ORIGIN/browse/{issue}')", f"send_msg_to_user({said!r})"]
    infeasible = ["report_infeasible('nobody knows that')"]
    plays = {
        "answer": a_play(running, "t01", LOOKED_UP, acts),
        "refusal": a_play(running, "t01", LOOKED_UP, infeasible),
    }
    found = browsergym({"plays": plays}, tmp_path)["plays"]
    assert record["manifest"]["instance"] == found["answer"]["begun"]["task"]
    assert found["answer"]["steps"][-1]["reward"] > 0.5, found["answer"]
    assert found["refusal"]["steps"][-1]["reward"] == 0.0
    episode = found["refusal"]["begun"]["episode"]
    last = control.get(f"/v1/episodes/{episode}/trajectory")["steps"][-1]["act"]
    assert last["arguments"] == {"status": "declined", "reason": "nobody knows that"}
