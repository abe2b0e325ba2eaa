"""An episode whose client vanished ends by itself; one whose client is slow goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from clones.core.requestlog import LoggedRequest
from clones.core.server import server
from episodes.leases import Lease
from episodes.local import HeldEpisode
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient, ControlError, http_client
from tests.live.apart import serve_apart, with_world

LOOK = {"tool": "helpdesk_ShowCurrentUser", "arguments": {}}
LIMIT, LONG_AGO = 600.0, 5000.0
VANISHING = """
import time

def play(space):
    space.act("helpdesk_ShowCurrentUser")
    print("acted", flush=True)
    time.sleep(600)
"""


def started(control: ControlClient, **body: Any) -> dict[str, Any]:
    body = {"task": "H05", "seed": 0, "idle_seconds": LIMIT, **body}
    found: dict[str, Any] = control.post("/v1/episodes", body)
    return found


def held(running: RunningServer, episode: dict[str, Any]) -> HeldEpisode:
    return running.host.episodes._running[episode["id"]]


def outcome(control: ControlClient, episode: dict[str, Any]) -> str:
    """Return an episode's outcome without asking for it by name."""
    entries = control.get("/v1/episodes")["episodes"]
    return str(next(entry["outcome"] for entry in entries if entry["id"] == episode["id"]))


def pass_time(running: RunningServer, episode: dict[str, Any]) -> None:
    """Let nothing have been heard since long ago, and the server look."""
    held(running, episode).lease.heard -= LONG_AGO
    running.host.episodes.end_idle()


def test_what_nobody_asks_for_is_abandoned_and_its_sandbox_freed(
    running: RunningServer, control: ControlClient
) -> None:
    view = started(control)
    assert view["idle_seconds"] == LIMIT
    pass_time(running, view)
    assert outcome(control, view) == "abandoned"
    ended = control.get(f"/v1/episodes/{view['id']}")
    assert (ended["abandoned_by"], ended["reward"], ended["success"]) == ("lease", None, None)
    assert (ended["error"], ended["phases"]) == (None, [])
    with pytest.raises(ControlError, match="nothing was heard for 600 seconds") as refused:
        control.post(f"/v1/episodes/{view['id']}/act", LOOK)
    assert refused.value.status == 409
    with pytest.raises(ControlError, match=view["sandbox"]) as gone:
        control.get(f"/v1/sandboxes/{view['sandbox']}")
    assert gone.value.status == 404


def test_a_sandbox_of_the_callers_own_is_free_for_another(
    running: RunningServer, control: ControlClient, sandbox: dict[str, Any]
) -> None:
    view = started(control, sandbox=sandbox["id"])
    pass_time(running, view)
    assert outcome(control, view) == "abandoned"
    again = started(control, sandbox=sandbox["id"])
    assert control.post(f"/v1/episodes/{again['id']}/abandon")["abandoned_by"] == "caller"


def test_any_call_that_names_it_or_its_sandbox_renews_it(
    running: RunningServer, control: ControlClient
) -> None:
    view = started(control)
    at, lease = f"/v1/episodes/{view['id']}", held(running, view).lease
    sandbox = f"/v1/sandboxes/{view['sandbox']}"
    episode = [at, f"{at}/tools", f"{at}/observation", f"{at}/trajectory"]
    for path in (*episode, sandbox, f"{sandbox}/requests"):
        lease.heard -= LIMIT / 2
        control.get(path)
        assert lease.alone() < LIMIT / 2, path
    lease.heard -= LIMIT / 2
    control.post(f"{at}/act", LOOK)
    assert lease.alone() < LIMIT / 2
    lease.heard -= LIMIT / 2
    control.get("/v1/episodes")
    control.get("/v1/sandboxes")
    assert lease.alone() > LIMIT / 2
    control.post(f"{at}/abandon")


def test_a_slow_agent_with_a_client_of_its_own_keeps_its_lease(
    running: RunningServer, control: ControlClient
) -> None:
    view = started(control, client="own")
    app = view["apps"]["helpdesk"]
    account = app["accounts"][0]
    with http_client() as http:
        for path in ("/api/v2/users/me.json", "/access/unauthenticated"):  # by API, and a page
            answer = http.get(
                app["url"] + path, auth=(f"{account['email']}/token", account["api_token"])
            )
            assert answer.status_code < 400
            pass_time(running, view)
            assert outcome(control, view) == "running"
            assert held(running, view).lease.alone() < LIMIT
    # Of what came before nobody asks again.
    server_side = held(running, view).lease
    server_side.heard = time.monotonic()
    control.post(f"/v1/episodes/{view['id']}/abandon")


def test_who_acts_is_there(running: RunningServer, control: ControlClient) -> None:
    view = started(control)
    episode = held(running, view)
    with episode.lock:
        episode.lease.heard -= LONG_AGO
        running.host.episodes.end_idle()
    assert outcome(control, view) == "running"
    control.post(f"/v1/episodes/{view['id']}/abandon")


def requested(sandbox: str, clone: str, path: str) -> None:
    server().requests.write(
        LoggedRequest(
            id=f"lease-{path}-{time.time()}", at=time.time(), sandbox=sandbox, generation=1,
            clone=clone, account=None, operation=None, method="GET", path=path, status=200,
            milliseconds=1.0, position=1, step=1, fault=None,
        )
    )  # fmt: skip


def test_pages_in_the_servers_own_browser_keep_nothing(running: RunningServer) -> None:
    sandbox = f"sb-{time.time()}"
    lease = Lease(LIMIT, heard=time.monotonic() - LONG_AGO)
    lease.hear(sandbox, "browser")
    assert lease.is_over
    requested(sandbox, "helpdesk", "/agent/presence/tickets/1")
    lease.hear(sandbox, "browser")
    assert lease.is_over
    page = Lease(LIMIT, heard=time.monotonic() - LONG_AGO)
    page.hear(sandbox, "api")
    assert not page.is_over
    requested(sandbox, "helpdesk", "/api/v2/tickets/1.json")
    lease.hear(sandbox, "browser")
    assert not lease.is_over


def test_there_are_episodes_that_last_for_ever(running: RunningServer) -> None:
    assert running.host.idle_seconds == 900.0
    assert not Lease(None, heard=time.monotonic() - LONG_AGO).is_over


def test_a_lease_has_bounds(control: ControlClient) -> None:
    for wrong in (0, -1, 1e9):
        with pytest.raises(ControlError, match="idle_seconds") as refused:
            started(control, idle_seconds=wrong)
        assert refused.value.status == 422


@pytest.mark.slow
def test_a_killed_clients_episode_ends_and_a_living_ones_goes_on(tmp_path: Path) -> None:
    with_world(tmp_path)
    agent = tmp_path / "vanishing.py"
    agent.write_text(VANISHING)
    with serve_apart(tmp_path, "--workers", "1", "--episode-idle", "4s") as served:
        command = [sys.executable, "-m", "sandlot.cli", "episode", "run", "H05", "--seed", "0"]
        command += ["--agent", f"{agent}:play", "--url", served.control.url]
        with subprocess.Popen(
            [*command, "--data", str(tmp_path)], stdout=subprocess.PIPE, text=True
        ) as client:
            assert client.stdout is not None
            assert client.stdout.readline() == "acted\n"
            os.kill(client.pid, signal.SIGKILL)
        (vanished,) = served.control.get("/v1/episodes")["episodes"]
        living = started(served.control, idle_seconds=300)
        deadline = time.monotonic() + 120
        while outcome(served.control, vanished) == "running":
            assert time.monotonic() < deadline
            time.sleep(0.2)
        manifest = json.loads(
            (tmp_path / "episodes" / vanished["id"] / "manifest.json").read_text()
        )
        assert (manifest["outcome"], manifest["abandoned_by"]) == ("abandoned", "lease")
        assert manifest["limits"]["idle_seconds"] == 4.0
        left = [one["id"] for one in served.control.get("/v1/sandboxes")["sandboxes"]]
        assert left == [living["sandbox"]]
        assert outcome(served.control, living) == "running"
    manifest = json.loads((tmp_path / "episodes" / living["id"] / "manifest.json").read_text())
    assert (manifest["outcome"], manifest["abandoned_by"]) == ("abandoned", "server")
