"""Past 5 % of failures among the last 200 episodes no new one starts until somebody has looked."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from clones.core.requestlog import LoggedRequest
from clones.core.server import server
from episodes.failures import BORNE, WINDOW, Failures
from sandlot.client import ControlClient, ControlError
from sandlot.service.errors import TooManyFailures
from tests.live.conftest import play_script

TASK = {"task": "H05", "seed": 13}


@pytest.fixture
def anew(control: ControlClient) -> Iterator[None]:
    """Count from here, and leave nothing behind."""
    control.post("/v1/failures/acknowledge")
    yield
    control.post("/v1/failures/acknowledge")


def fail(control: ControlClient) -> dict[str, Any]:
    """Play an episode whose sandbox is lost under it."""
    started: dict[str, Any] = control.post("/v1/episodes", TASK)
    control.delete(f"/v1/sandboxes/{started['sandbox']}")
    result = control.post(
        f"/v1/episodes/{started['id']}/act",
        {"tool": "helpdesk_ShowCurrentUser", "arguments": {}},
    )
    assert result["status"] == "harness_error"
    return started


def fail_at(control: ControlClient, operation: str) -> None:
    """Play an episode in which the data plane fails at a request of an operation."""
    started = control.post("/v1/episodes", TASK)
    now = time.time()
    failed = LoggedRequest(
        id=f"made-{started['id']}", at=now, sandbox=started["sandbox"], generation=1,
        clone="helpdesk", account=None, operation=operation, method="GET", path="/x", status=500,
        milliseconds=1.0, position=None, step=None, fault="harness_5xx",
    )  # fmt: skip
    server().requests.write(failed)
    result = control.post(f"/v1/episodes/{started['id']}/act", {"tool": "wait", "arguments": {}})
    assert result["status"] == "harness_error", result


def failures_json(control: ControlClient, *options: str) -> dict[str, Any]:
    """Return what the command line tells of failures."""
    command = [sys.executable, "-m", "sandlot.cli", "episode", "failures", "--json", *options]
    done = subprocess.run(
        [*command, "--url", control.url, "--data", str(server().data)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.usefixtures("anew")
def test_a_run_over_a_broken_environment_stops_with_the_causes(control: ControlClient) -> None:
    play_script(control, lambda space: space.act("finish"), seed=13)
    play_script(control, lambda space: space.act("helpdesk_ShowCurrentUser"), seed=13)
    for _ in range(BORNE):
        fail(control)
    assert control.get("/v1/failures")["stopped"] is False
    last = fail(control)
    found = control.get("/v1/failures")
    assert found["causes"] == {"harness_lost": BORNE + 1}
    assert found["episodes"] == BORNE + 2
    assert found["latest"][-1] == last["id"]
    assert found["stopped"] is True
    with pytest.raises(ControlError) as refused:
        control.post("/v1/episodes", TASK)
    assert (refused.value.status, refused.value.code) == (503, "too_many_failures")
    assert f"harness_lost {BORNE + 1}" in str(refused.value)
    assert "sandlot episode failures --go-on" in str(refused.value)


@pytest.mark.usefixtures("anew")
def test_what_one_request_fails_at_is_counted_apart(control: ControlClient) -> None:
    """An agent can repeat it: it stops its task in the end, and no other."""
    for _ in range(2):
        fail_at(control, "ShowTicket")
    fail_at(control, "ListUsers")
    found = control.get("/v1/failures")
    assert found["apart"] == [
        {"task": "H05", "request": "helpdesk ShowTicket", "failures": 2},
        {"task": "H05", "request": "helpdesk ListUsers", "failures": 1},
    ]
    assert (found["failures"], found["counted"]) == (3, 2)
    for _ in range(BORNE - 2):
        fail_at(control, "ShowTicket")
    found = control.get("/v1/failures")
    assert found["stopped_tasks"] == {"H05": BORNE + 1}
    assert found["stopped"] is False
    with pytest.raises(ControlError, match=r"failed 11 of the last episodes of H05"):
        control.post("/v1/episodes", TASK)
    started = control.post("/v1/episodes", {"task": "H07", "seed": 13})
    control.post(f"/v1/episodes/{started['id']}/abandon")


@pytest.mark.usefixtures("anew")
def test_whoever_has_looked_goes_on(control: ControlClient) -> None:
    finished = play_script(control, lambda space: space.act("finish"), seed=13)
    for _ in range(BORNE + 1):
        fail(control)
    with pytest.raises(ControlError):
        control.post("/v1/episodes", TASK)
    # What was recorded can still be played again, to look into it.
    again = control.post(f"/v1/episodes/{finished['manifest']['id']}/replay")
    assert again["equal"] is True
    assert failures_json(control)["stopped"] is True
    assert failures_json(control, "--go-on")["failures"] == BORNE + 1
    assert control.get("/v1/failures")["failures"] == 0
    started = control.post("/v1/episodes", TASK)
    control.post(f"/v1/episodes/{started['id']}/abandon")


def test_few_failures_of_few_episodes_stop_nothing() -> None:
    found = Failures()
    for number in range(3):
        found.note(f"ep-{number}", "harness_error", "harness_timeout")
        found.check()
    assert found.view()["rate"] == 1.0
    assert found.view()["stopped"] is False


def test_what_a_request_or_a_task_has_of_failures_stops_its_task_and_no_other() -> None:
    found = Failures()
    for number in range(BORNE + 1):
        found.note(f"ep-{number}", "harness_error", "harness_5xx", task="H05", request="a Show")
    view = found.view()
    assert (view["failures"], view["counted"], view["stopped"]) == (BORNE + 1, 1, False)
    assert view["apart"] == [{"task": "H05", "request": "a Show", "failures": BORNE + 1}]
    assert view["stopped_tasks"] == {"H05": BORNE + 1}
    found.check("H06")
    with pytest.raises(TooManyFailures, match=r"of H05 \(a Show 11\).*other tasks go on"):
        found.check("H05")
    # Nor do other requests of the task, nor the same request in other tasks.
    for number in range(BORNE):
        found.note(f"ep-r{number}", "harness_error", "harness_5xx", task="H05", request=f"{number}")
        found.note(f"ep-t{number}", "harness_error", "harness_5xx", task=f"{number}", request="b")
    found.check("H06")
    # What many requests of many tasks meet is the environment.
    for number in range(BORNE):
        task, request = f"T{number}", f"request {number}"
        found.note(f"ep-e{number}", "harness_error", "harness_5xx", task=task, request=request)
    with pytest.raises(TooManyFailures, match="of the last"):
        found.check("H06")


def test_what_no_request_brought_about_counts_whole() -> None:
    found = Failures()
    for number in range(BORNE + 1):
        found.note(f"ep-{number}", "harness_error", "harness_lost", task="H05", request="a Show")
    with pytest.raises(TooManyFailures, match="harness_lost 11"):
        found.check("H06")


def test_old_failures_leave_the_window_and_abandoned_episodes_are_not_in_it() -> None:
    found = Failures()
    for number in range(BORNE + 1):
        found.note(f"ep-{number}", "harness_error", "harness_browser")
    for _ in range(3):
        found.note("ep-abandoned", "abandoned")
    with pytest.raises(TooManyFailures, match="failed 11 of the last 11 episodes"):
        found.check()
    for number in range(WINDOW - BORNE):
        found.note(f"ep-good-{number}", "completed")
    found.check()
    assert found.view()["failures"] == BORNE
    assert found.view()["episodes"] == WINDOW
