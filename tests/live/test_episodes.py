"""An episode, from outside: who is told what, who is blamed for what, and what is recorded."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from clones.core.requestlog import LoggedRequest
from clones.core.server import server
from episodes.families.h05 import solve
from episodes.tasks.retrying_client import NotAnswered
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient, ControlError
from sandlot.spaces import RemoteSpace
from tests.live.conftest import play_script

PLAIN = 13


def rewards(found: dict[str, Any]) -> list[float | None]:
    return [step["reward"] for step in found["steps"]]


def test_the_oracle_is_paid_in_full(control: ControlClient) -> None:
    found = play_script(control, solve.by_api, seed=PLAIN)
    manifest = found["manifest"]
    assert manifest["outcome"] == "completed"
    assert manifest["success"] is True
    assert manifest["reward"] >= 0.95
    assert manifest["components"]["collateral"] == 0.0
    assert manifest["components"]["charged"] == 0.0
    total = sum(reward for reward in rewards(found) if reward is not None)
    assert total == pytest.approx(manifest["reward"], abs=1e-9)


def test_finishing_at_once_is_worth_exactly_nothing(control: ControlClient) -> None:
    found = play_script(control, lambda space: space.act("finish"))
    assert found["manifest"]["reward"] == 0.0
    assert found["manifest"]["success"] is False


def test_the_agent_sees_no_reward_and_only_its_own_accounts(control: ControlClient) -> None:
    started = control.post("/v1/episodes", {"task": "H05", "seed": PLAIN})
    helpdesk = started["apps"]["helpdesk"]["accounts"]
    assert [entry["role"] for entry in helpdesk] == ["agent"]
    space = RemoteSpace(control, started)
    observation = space.act("helpdesk_ShowCurrentUser")
    assert "reward" not in observation
    assert observation["body"]["user"]["email"] == helpdesk[0]["email"]
    control.post(f"/v1/episodes/{space.id}/abandon")


def test_an_unknown_tool_is_the_agents_mistake(control: ControlClient) -> None:
    started = control.post("/v1/episodes", {"task": "H05", "seed": PLAIN})
    space = RemoteSpace(control, started)
    observation = space.try_act("helpdesk_DoEverything")
    assert observation["kind"] == "error"
    assert space.steps[-1]["step_kind"] == "refused"
    assert space.steps[-1]["reward"] == 0.0
    control.post(f"/v1/episodes/{space.id}/abandon")


def test_a_limit_truncates_and_scores_partial_progress_only(control: ControlClient) -> None:
    def stroll(space: RemoteSpace) -> None:
        while not space.done:
            space.try_act("helpdesk_ShowCurrentUser")

    found = play_script(control, stroll, seed=PLAIN, max_steps=4)
    assert found["manifest"]["outcome"] == "truncated"
    assert len(found["steps"]) == 4
    assert found["manifest"]["success"] is False


def test_an_abandoned_episode_has_no_numbers(control: ControlClient) -> None:
    found = play_script(control, lambda space: space.act("helpdesk_ShowCurrentUser"))
    assert found["manifest"]["outcome"] == "abandoned"
    assert found["manifest"]["reward"] is None


def test_a_lost_sandbox_is_our_failure_and_never_scored(control: ControlClient) -> None:
    started = control.post("/v1/episodes", {"task": "H05", "seed": PLAIN})
    space = RemoteSpace(control, started)
    space.act("helpdesk_ShowCurrentUser")
    control.delete(f"/v1/sandboxes/{started['sandbox']}")
    result = control.post(
        f"/v1/episodes/{space.id}/act?for=trainer",
        {"tool": "helpdesk_ShowCurrentUser", "arguments": {}},
    )
    assert result["status"] == "harness_error"
    assert result["reward"] is None
    found = control.get(f"/v1/episodes/{space.id}/trajectory")["manifest"]
    assert found["error"]["type"] == "harness_lost"
    assert found["reward"] is None
    assert found["success"] is None


def test_a_reset_under_the_episode_is_our_failure(control: ControlClient) -> None:
    started = control.post("/v1/episodes", {"task": "H05", "seed": PLAIN})
    control.post(f"/v1/sandboxes/{started['sandbox']}/reset")
    result = control.post(
        f"/v1/episodes/{started['id']}/act", {"tool": "helpdesk_ShowCurrentUser", "arguments": {}}
    )
    assert result["status"] == "harness_error"
    found = control.get(f"/v1/episodes/{started['id']}")
    assert found["error"]["type"] == "harness_reset"


def test_a_stale_answer_is_our_failure(control: ControlClient) -> None:
    started = control.post("/v1/episodes", {"task": "H05", "seed": PLAIN})
    stale = LoggedRequest(
        id="stale-1", at=time.time() + 60, sandbox=started["sandbox"], generation=1,
        clone="helpdesk", account=None, operation="ShowTicket", method="GET",
        path="/api/v2/tickets/1.json", status=200, milliseconds=1.0, position=1, step=1,
        fault="harness_stale",
    )  # fmt: skip
    server().requests.write(stale)
    act = {"tool": "helpdesk_ShowCurrentUser", "arguments": {}}
    result = control.post(f"/v1/episodes/{started['id']}/act", act)
    assert result["status"] == "harness_error"
    assert control.get(f"/v1/episodes/{started['id']}")["error"]["type"] == "harness_stale"


def test_an_act_after_the_end_is_refused(control: ControlClient) -> None:
    found = play_script(control, lambda space: space.act("finish"))
    with pytest.raises(ControlError, match="is over"):
        control.post(
            f"/v1/episodes/{found['manifest']['id']}/act", {"tool": "finish", "arguments": {}}
        )


def test_an_episode_leaves_its_own_sandbox_as_it_found_it(
    control: ControlClient, sandbox: dict[str, Any]
) -> None:
    play_script(control, solve.by_api, seed=PLAIN, sandbox=sandbox["id"])
    control.post(f"/v1/sandboxes/{sandbox['id']}/reset")
    assert control.get(f"/v1/sandboxes/{sandbox['id']}/diff")["changes"] == []
    assert control.post(f"/v1/sandboxes/{sandbox['id']}/verify")["intact"]


def test_the_record_holds_what_a_reader_needs(control: ControlClient) -> None:
    found = play_script(control, solve.by_api, seed=PLAIN)
    folder = Path(found["folder"])
    assert folder.parent == server().data / "episodes"
    assert {"manifest.json", "steps.jsonl", "facts.json"} <= {
        path.name for path in folder.iterdir()
    }
    refund = next(step for step in found["steps"] if "PostRefunds" in step["act"]["tool"])
    tables = {change["table"] for change in refund["changes"]}
    assert {"billing_refund", "billing_charge"} <= tables
    assert refund["phases"]["remedied"] == 1.0
    assert refund["evidence"]["remedied"]["journal"]
    assert refund["step_kind"] == "write_goal"


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced_and_its_sandboxes_live_on(
    running: RunningServer, control: ControlClient, sandbox: dict[str, Any]
) -> None:
    import psutil  # noqa: PLC0415 - this test only

    started = control.post("/v1/episodes", {"task": "H05", "seed": PLAIN})
    keepers = [psutil.Process(pid) for pid in running.workers.pids()]
    for keeper in keepers:
        keeper.suspend()  # a worker is back before the act would miss it
        for child in keeper.children():
            os.kill(child.pid, signal.SIGKILL)
    act = {"tool": "helpdesk_ShowCurrentUser", "arguments": {}}
    cut_off = control.post(f"/v1/episodes/{started['id']}/act?for=trainer", act)
    for keeper in keepers:
        keeper.resume()
    assert cut_off["status"] == "harness_error"
    assert cut_off["reward"] is None
    deadline = time.monotonic() + 90
    while True:
        # An episode that fails counts towards what stops a run: none begins before workers answer.
        while not all(map(answers, running.options.ports)):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        again = play_script(control, patient, seed=PLAIN)
        if again["manifest"]["outcome"] == "completed":
            break
        assert again["manifest"]["outcome"] == "harness_error"
        assert time.monotonic() < deadline
    assert again["manifest"]["success"] is True
    assert control.post(f"/v1/sandboxes/{sandbox['id']}/verify")["intact"]


def answers(port: int) -> bool:
    """Tell whether a worker answers at a port: it refuses whoever brings no credential."""
    try:
        found = httpx.get(f"http://127.0.0.1:{port}/api/v2/users.json", timeout=2)
    except httpx.HTTPError:
        return False
    return found.status_code == 401


def patient(space: RemoteSpace) -> None:
    """Play the oracle; an environment that fails ends the episode, not the test."""
    with contextlib.suppress(NotAnswered):
        solve.by_api(space)
