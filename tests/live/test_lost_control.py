"""A control process that died: what it ran is lost and never scored, its sandboxes are free."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from episodes.browser import BrowserPool
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient, ControlError
from tests.live.apart import serve_apart, with_world
from tests.live.asking import Asking, check_answers, check_lost, check_tidy
from tests.tiers import EVERYTHING

pytestmark = pytest.mark.slow
BODY = {"task": "H05", "seed": 0, "space": "api"}
LOOK = {"tool": "helpdesk_ShowCurrentUser", "arguments": {}}
KILLS = 6 if EVERYTHING else 1


def test_episodes_of_a_killed_control_process_are_lost_and_sandboxes_free(tmp_path: Path) -> None:
    with_world(tmp_path)
    with serve_apart(tmp_path, "--workers", "1") as served:
        sandbox = served.control.post("/v1/sandboxes", {"size": "tiny"})["id"]
        running = served.control.post("/v1/episodes", {**BODY, "sandbox": sandbox})["id"]
        served.control.post(f"/v1/episodes/{running}/act", LOOK)
        ended = served.control.post("/v1/episodes", BODY)["id"]
        served.control.post(f"/v1/episodes/{ended}/abandon")
        os.kill(served.pid, signal.SIGKILL)
    torn = tmp_path / "episodes" / running / "steps.jsonl"
    torn.write_text(torn.read_text() + '{"step": 2, "at"')
    strange = tmp_path / "episodes" / "ep-aaaaaaaaaa" / "manifest.json"
    shutil.copytree(tmp_path / "episodes" / running, strange.parent, dirs_exist_ok=True)
    strange.write_text(strange.read_text().replace('"goal"', '"aim"'))
    before = strange.read_text()

    with serve_apart(tmp_path, "--workers", "1") as served:
        found = served.control.get(f"/v1/episodes/{running}/trajectory")
        manifest = found["manifest"]
        assert (manifest["outcome"], manifest["reward"]) == ("harness_error", None)
        assert manifest["error"] == {
            "type": "harness_lost", "detail": "the control process died", "step": 1,
        }  # fmt: skip
        (step,) = found["steps"]
        assert (step["reward"], step["potential"], step["phases"]) == (None, None, {})
        assert (manifest["withdrawn"], step["withdrawn"]) == ([1], True)
        other = served.control.get(f"/v1/episodes/{ended}/trajectory")["manifest"]
        assert (other["outcome"], other["error"]) == ("abandoned", None)
        assert strange.read_text() == before
        assert "ep-aaaaaaaaaa cannot be read" in served.said()
        again = served.control.post("/v1/episodes", {**BODY, "sandbox": sandbox})
        assert served.control.post(f"/v1/episodes/{again['id']}/act", LOOK)["status"] == "running"


@pytest.mark.in_turn
@pytest.mark.timeout(600)
def test_what_a_killed_control_process_was_asked_for_is_done_or_undone(tmp_path: Path) -> None:
    """It restores, forks, makes, deletes, keeps and plays as it is killed: nothing is half made."""
    with_world(tmp_path)
    asked = None
    for turn in range(KILLS + 1):
        with serve_apart(tmp_path, "--workers", "1") as served:
            if asked is not None:
                check_lost(served.control, asked)
                check_answers(served.control, asked)
                check_tidy(tmp_path, served.control)
            if turn == KILLS:
                return
            family = psutil.Process(served.pid).children(recursive=True)
            asked = Asking(served.control.url, served.token())
            asked.start()
            asked.all_done()
            time.sleep(turn * 0.07)
            os.kill(served.pid, signal.SIGKILL)
            asked.stop()
            assert asked.refused == []
            psutil.wait_procs(family, timeout=30)
            assert still_there(family) == []


def test_a_sandbox_in_which_an_episode_cannot_begin_is_free(
    running: RunningServer, control: ControlClient, sandbox: dict[str, Any]
) -> None:
    before = {entry["id"] for entry in control.get("/v1/episodes")["episodes"]}
    pool = running.host.browsers
    running.host.browsers = BrowserPool(Path("/bin/false"))
    try:
        with pytest.raises(ControlError, match="harness_browser") as refused:
            control.post("/v1/episodes", {**BODY, "space": "browser", "sandbox": sandbox["id"]})
    finally:
        running.host.browsers.close()
        running.host.browsers = pool
    assert refused.value.status == 503
    entries = control.get("/v1/episodes")["episodes"]
    found = [(one["outcome"], one["reward"]) for one in entries if one["id"] not in before]
    assert found == [("harness_error", None)]
    again = control.post("/v1/episodes", {**BODY, "sandbox": sandbox["id"]})["id"]
    control.post(f"/v1/episodes/{again}/abandon")
    control.post("/v1/failures/acknowledge")


@pytest.mark.browser
def test_a_killed_server_leaves_no_browser(tmp_path: Path) -> None:
    """Playwright's driver and the browser that it started end with the process that asked them."""
    with_world(tmp_path)
    with serve_apart(tmp_path, "--workers", "1") as served:
        started = served.control.post("/v1/episodes", {**BODY, "space": "browser"})
        assert started["status"] == "running"
        children = psutil.Process(served.pid).children(recursive=True)
        names = " ".join(child.name() for child in children)
        assert "node" in names, names
        assert "chrom" in names or "headless" in names, names
        os.kill(served.pid, signal.SIGKILL)
        deadline = time.monotonic() + 60
        while (left := still_there(children)) and time.monotonic() < deadline:
            time.sleep(0.2)
    assert left == []


def still_there(processes: list[psutil.Process]) -> list[str]:
    """Return the names of those that have not ended, though nobody may have asked how."""
    found = []
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.name())
    return found
