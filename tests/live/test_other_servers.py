"""Two servers have nothing in common but files: and a folder whose files are gone, or another's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient, http_client
from tests.faketime import shifted
from tests.live.apart import Apart, serve_apart, with_world
from tests.live.conftest import account

TICKETS = "/api/v2/tickets.json?per_page=5"


def auth(sandbox: dict[str, Any]) -> tuple[str, str]:
    admin = account(sandbox, "helpdesk", "admin")
    return (f"{admin['email']}/token", admin["api_token"])


def agents_status(base: str, sandbox: dict[str, Any]) -> int:
    """Return how a server answers an agent of a sandbox that may be of another."""
    with http_client() as http:
        return http.get(base + TICKETS, auth=auth(sandbox)).status_code


def write(sandbox: dict[str, Any], subject: str) -> None:
    with http_client(auth=auth(sandbox)) as http:
        body = {"ticket": {"subject": subject, "comment": {"body": "x"}}}
        url = f"{sandbox['apps']['helpdesk']['url']}/api/v2/tickets.json"
        assert http.post(url, json=body).status_code == 201


def subjects(sandbox: dict[str, Any]) -> set[str]:
    with http_client(auth=auth(sandbox)) as http:
        url = f"{sandbox['apps']['helpdesk']['url']}/api/v2/tickets.json?page[size]=20&sort=-id"
        return {ticket["subject"] for ticket in http.get(url).json()["tickets"]}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Apart]:
    """A server beside the shared one."""
    with_world(tmp_path)
    with serve_apart(tmp_path, "--workers", "1") as found:
        yield found


@pytest.mark.in_turn
@pytest.mark.slow
def test_snapshots_go_from_server_to_server_and_proofs_do_not(
    control: ControlClient,
    running: RunningServer,
    sandbox: dict[str, Any],
    served: Apart,
    tmp_path: Path,
) -> None:
    write(sandbox, "on its way elsewhere")
    made = control.post("/v1/snapshots", {"sandbox": sandbox["id"], "name": "goes"})
    file = tmp_path / "goes.sandlot"

    def run(url: str, token: str, *arguments: str) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "sandlot.cli", "snapshot", *arguments, "--url", url],
            env={**os.environ, "SANDLOT_TOKEN": token},
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr

    run(running.control_url, running.token, "export", "goes", str(file))
    run(served.control.url, served.token(), "import", str(file), "--name", "came")
    assert served.control.get("/v1/snapshots/came")["digest"] == made["digest"]
    there = served.control.post("/v1/sandboxes", {"snapshot": "came"})
    assert "on its way elsewhere" in subjects(there)
    # Equal rows, other keys: what proves somebody to one server proves nobody to the other.
    assert agents_status(there["apps"]["helpdesk"]["url"], there) == 200
    assert agents_status(there["apps"]["helpdesk"]["url"], sandbox) == 401
    assert agents_status(there["origin"], sandbox) == 401
    assert agents_status(sandbox["apps"]["helpdesk"]["url"], there) == 401
    assert agents_status(sandbox["origin"], there) == 401
    control.delete("/v1/snapshots/goes")


@pytest.mark.in_turn
@pytest.mark.slow
def test_a_server_without_its_registry_begins_anew(tmp_path: Path) -> None:
    with_world(tmp_path)
    with serve_apart(tmp_path, "--workers", "1") as served:
        before = served.control.post("/v1/sandboxes", {"size": "tiny"})
    for path in tmp_path.glob("registry.sqlite*"):
        path.unlink()
    with serve_apart(tmp_path, "--workers", "1") as served:
        assert served.control.get("/v1/sandboxes")["sandboxes"] == []
        after = served.control.post("/v1/sandboxes", {"size": "tiny"})
        assert agents_status(after["apps"]["helpdesk"]["url"], after) == 200
        assert agents_status(after["origin"], before) == 401
        assert after["id"] != before["id"]
        assert [path.name for path in (tmp_path / "sandboxes").iterdir()] == [after["id"]]


@pytest.mark.in_turn
@pytest.mark.slow
def test_the_registry_of_another_server_gives_nothing_of_its_sandboxes(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir(mode=0o700)
        with_world(folder)
    with serve_apart(first, "--workers", "1") as served:
        foreign = served.control.post("/v1/sandboxes", {"size": "tiny"})
        write(foreign, "the first's own")
    before = sorted(path.name for path in (first / "sandboxes" / foreign["id"]).iterdir())
    shutil.copy(first / "registry.sqlite", second / "registry.sqlite")
    with serve_apart(second, "--workers", "1") as served:
        found = served.control.get("/v1/sandboxes")["sandboxes"]
        for sandbox in found:
            served.control.delete(f"/v1/sandboxes/{sandbox['id']}")
        made = served.control.post("/v1/sandboxes", {"size": "tiny"})
        assert agents_status(made["apps"]["helpdesk"]["url"], made) == 200
        assert agents_status(made["origin"], foreign) == 401
    # Whatever the second did with the row, the first has its sandbox as it was.
    assert sorted(path.name for path in (first / "sandboxes" / foreign["id"]).iterdir()) == before
    with serve_apart(first, "--workers", "1") as served:
        again = served.control.get(f"/v1/sandboxes/{foreign['id']}")
        assert "the first's own" in subjects(again)


@pytest.mark.in_turn
@pytest.mark.slow
@pytest.mark.parametrize("years", [-2, 30])
def test_the_machines_clock_may_be_years_off(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, years: int
) -> None:
    faked = shifted(tmp_path_factory.mktemp("shift"), years * 365)
    with_world(tmp_path)
    with serve_apart(tmp_path, "--workers", "1") as served:
        sandbox = served.control.post("/v1/sandboxes", {"size": "tiny"})
        write(sandbox, "by the true clock")
        now = served.control.get(f"/v1/sandboxes/{sandbox['id']}")["now"]
    with serve_apart(tmp_path, "--workers", "1", **faked) as served:
        there = served.control.get(f"/v1/sandboxes/{sandbox['id']}")
        assert there["now"] == now
        assert "by the true clock" in subjects(there)
        write(there, "by a false clock")
        served.control.post(f"/v1/sandboxes/{sandbox['id']}/advance", {"seconds": 3600})
        live = {"mode": "live", "speed": 1}
        served.control.post(f"/v1/sandboxes/{sandbox['id']}/clock", live)
        seen = served.control.get(f"/v1/sandboxes/{sandbox['id']}")["now"]
        # A live clock would go on by years with the machine's, and all of their timers run.
        served.control.post(f"/v1/sandboxes/{sandbox['id']}/clock", {"mode": "stepped"})
        made = served.control.post("/v1/sandboxes", {"size": "tiny"})
        assert agents_status(made["apps"]["helpdesk"]["url"], made) == 200
        episode = served.control.post("/v1/episodes", {"task": "H01", "seed": 0})
        act = {"tool": "helpdesk_ShowCurrentUser", "arguments": {}}
        assert served.control.post(f"/v1/episodes/{episode['id']}/act", act)["status"] == "running"
        assert served.control.post(f"/v1/episodes/{episode['id']}/finish", {"arguments": {}})[
            "done"
        ]
    with serve_apart(tmp_path, "--workers", "1") as served:
        there = served.control.get(f"/v1/sandboxes/{sandbox['id']}")
        # The machine's clock is set right: the sandbox's never goes back.
        assert there["now"] >= seen
        assert {"by the true clock", "by a false clock"} <= subjects(there)
        served.control.post(f"/v1/sandboxes/{sandbox['id']}/reset", {})
        assert "by a false clock" not in subjects(there)
        assert served.control.post(f"/v1/sandboxes/{sandbox['id']}/verify")["intact"]
