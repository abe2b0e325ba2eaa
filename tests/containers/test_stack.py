"""The containers do what `sandlot serve` does: sandboxes, episodes by API and browser, resets."""

from __future__ import annotations

from typing import Any

import pytest

from sandlot.cli.episodes import play
from sandlot.client import http_client
from tests.containers.stack import Stack

SEED = 13


@pytest.fixture(params=["embedded", "stack"])
def running(request: pytest.FixtureRequest) -> Stack:
    """Each of the two."""
    found: Stack = request.getfixturevalue(request.param)
    return found


def played(stack: Stack, space: str) -> dict[str, Any]:
    with stack.client() as client:
        return play(client, "H05", "oracle", {"space": space, "seed": SEED})


def test_a_sandbox_is_made_used_and_reset_from_this_machine(running: Stack) -> None:
    made = running.sandlot("sandbox", "create")
    account = made["apps"]["helpdesk"]["accounts"][0]
    api = f"{made['origin']}/api/v2"
    with http_client(auth=(f"{account['email']}/token", account["api_token"])) as http:
        ticket = http.get(f"{api}/tickets.json").json()["tickets"][0]
        changed = {"ticket": {"subject": "Changed from outside"}}
        assert http.put(f"{api}/tickets/{ticket['id']}.json", json=changed).status_code == 200
        page = http.get(made["apps"]["helpdesk"]["url"] + "/access/unauthenticated")
        assert page.status_code < 500
        assert running.sandlot("sandbox", "diff", made["id"])["changes"]
        assert running.sandlot("sandbox", "reset", made["id"])["changes"] > 0
        assert running.sandlot("sandbox", "diff", made["id"])["changes"] == []
        again = http.get(f"{api}/tickets/{ticket['id']}.json").json()["ticket"]
    assert again["subject"] == ticket["subject"]
    assert running.sandlot("sandbox", "verify", made["id"])["intact"]
    running.sandlot("sandbox", "delete", made["id"])


@pytest.mark.parametrize("space", ["api", "browser"])
def test_the_demo_episode_is_the_same_in_both(stack: Stack, embedded: Stack, space: str) -> None:
    there, here = played(stack, space), played(embedded, space)
    assert [found["manifest"]["provenance"]["engine"] for found in (there, here)] == [
        "postgres",
        "sqlite",
    ]
    for part in ("fingerprint", "changes", "reward", "phases", "charges", "step_kind"):
        assert [step[part] for step in there["steps"]] == [step[part] for step in here["steps"]]
    for part in ("outcome", "reward", "success", "clean", "components"):
        assert there["manifest"][part] == here["manifest"][part]
    assert there["manifest"]["success"]


def test_a_live_clocks_timers_run_through_worker_and_beat(stack: Stack) -> None:
    made = stack.sandlot("sandbox", "create")
    with stack.client() as client:
        path = f"/v1/sandboxes/{made['id']}"
        before = client.get(f"{path}/jobs")["jobs"]
        assert before, "the world has timers"
        client.post(f"{path}/clock", {"mode": "live", "speed": 86400.0})
        stack.until(
            lambda: len(client.get(f"{path}/jobs", state="done")["jobs"]) > 0,
            "no timer ran",
            60.0,
        )
        client.delete(path)


def test_nobody_is_root_and_nothing_but_volumes_can_be_written(running: Stack) -> None:
    for container in running.containers():
        _, who = container.exec_run(["id", "-u"])
        assert who.decode().strip() not in ("", "0"), container.name
        # What a process says as it ends may be lost on its way through the engine.
        tried = "touch /written /usr/written; status=$?; sleep 0.3; exit $status"
        status, said = container.exec_run(["sh", "-c", tried])
        assert status != 0
        assert said.decode().count("Read-only file system") == 2, said
        limits = container.attrs["HostConfig"]
        assert limits["Memory"] > 0
        assert limits["NanoCpus"] > 0
        assert limits["PidsLimit"] > 0
        assert limits["CapDrop"] == ["ALL"]
        assert limits["NetworkMode"] != "host"
