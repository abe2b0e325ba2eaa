"""Snapshots through the control plane and the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from clones.core.server import server
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient, ControlError, http_client
from tests.live.conftest import account
from tests.tiers import in_turn_on_postgres


def write_ticket(sandbox: dict[str, Any], subject: str) -> None:
    admin = account(sandbox, "helpdesk", "admin")
    with http_client(auth=(f"{admin['email']}/token", admin["api_token"])) as http:
        made = http.post(
            f"{sandbox['apps']['helpdesk']['url']}/api/v2/tickets.json",
            json={"ticket": {"subject": subject, "comment": {"body": "x"}}},
        )
    assert made.status_code == 201


def subjects(sandbox: dict[str, Any]) -> set[str]:
    admin = account(sandbox, "helpdesk", "admin")
    with http_client(auth=(f"{admin['email']}/token", admin["api_token"])) as http:
        found = http.get(
            f"{sandbox['origin']}/api/v2/tickets.json?sort_by=created_at&sort_order=desc"
        )
    return {ticket["subject"] for ticket in found.json()["tickets"]}


def test_a_snapshot_is_the_beginning_of_other_sandboxes(
    control: ControlClient, sandbox: dict[str, Any]
) -> None:
    write_ticket(sandbox, "kept in the snapshot")
    control.post("/v1/snapshots", {"sandbox": sandbox["id"], "name": "with-ticket"})
    write_ticket(sandbox, "written later")
    other = control.post("/v1/sandboxes", {"snapshot": "with-ticket"})
    assert "kept in the snapshot" in subjects(other)
    assert "written later" not in subjects(other)
    write_ticket(other, "in the other only")
    control.post(f"/v1/sandboxes/{other['id']}/reset")
    assert "in the other only" not in subjects(other)
    assert "kept in the snapshot" in subjects(other)
    assert control.post(f"/v1/sandboxes/{other['id']}/verify")["intact"]
    control.delete(f"/v1/sandboxes/{other['id']}")
    control.delete("/v1/snapshots/with-ticket")
    with pytest.raises(ControlError, match="no snapshot"):
        control.get("/v1/snapshots/with-ticket")


def test_a_fork_shares_the_past_and_not_the_future(
    control: ControlClient, sandbox: dict[str, Any]
) -> None:
    write_ticket(sandbox, "before the fork")
    control.post(f"/v1/sandboxes/{sandbox['id']}/marks", {"name": "here"})
    fork = control.post(f"/v1/sandboxes/{sandbox['id']}/fork")
    write_ticket(fork, "in the fork")
    write_ticket(sandbox, "in the source")
    assert {"before the fork", "in the fork"} <= subjects(fork)
    assert "in the source" not in subjects(fork)
    assert "in the fork" not in subjects(sandbox)
    control.post(f"/v1/sandboxes/{fork['id']}/rewind", {"name": "here"})
    assert "in the fork" not in subjects(fork)
    assert "before the fork" in subjects(fork)
    control.delete(f"/v1/sandboxes/{fork['id']}")


@in_turn_on_postgres
def test_a_snapshot_travels_as_a_file(
    control: ControlClient, running: RunningServer, sandbox: dict[str, Any], tmp_path: Path
) -> None:
    write_ticket(sandbox, "on its way")
    made = control.post("/v1/snapshots", {"sandbox": sandbox["id"], "name": "traveller"})
    file = tmp_path / "traveller.sandlot"

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "SANDLOT_DATA": str(server().data)}
        command = [sys.executable, "-m", "sandlot.cli", *arguments, "--url", running.control_url]
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=120, check=False
        )

    exported = run("snapshot", "export", "traveller", str(file))
    assert exported.returncode == 0, exported.stderr
    imported = run("snapshot", "import", str(file), "--name", "arrived")
    assert imported.returncode == 0, imported.stderr
    assert control.get("/v1/snapshots/arrived")["digest"] == made["digest"]
    file.write_bytes(file.read_bytes()[:-40])
    refused = run("snapshot", "import", str(file), "--name", "broken")
    assert refused.returncode == 1
    assert refused.stderr.count("\n") == 1
    assert "broken" not in {entry["name"] for entry in control.get("/v1/snapshots")["snapshots"]}
    for name in ("traveller", "arrived"):
        control.delete(f"/v1/snapshots/{name}")
