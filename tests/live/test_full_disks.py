"""A sandbox that is full says so in the vendor's words; a full disk stops writes and no reads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from clones.core.server import server
from sandlot.client import ControlClient, http_client
from tests import tiers
from tests.live.test_tenancy import auth_of
from tests.serving import serving
from tests.snapshots.test_full_disk import own_mounts

ON_SQLITE = pytest.mark.skipif(tiers.ON_POSTGRES, reason="a quota is of SQLite's stores")


@ON_SQLITE
def test_a_sandbox_that_is_full_takes_no_more_and_is_read(
    control: ControlClient, sandbox: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    size = server().registry.get(sandbox["id"]).store.stat().st_size
    monkeypatch.setenv("SANDLOT_SANDBOX_QUOTA", str(size + 2_000_000))
    with serving() as address, http_client(auth=auth_of(sandbox), timeout=60) as http:
        url = f"http://helpdesk.{sandbox['id']}.localhost:{address.rpartition(':')[2]}"

        def upload() -> int:
            answer = http.post(
                f"{url}/api/v2/uploads.json?filename=a.bin",
                content=os.urandom(500_000),  # of equal files one is kept
                headers={"Content-Type": "application/binary"},
            )
            return answer.status_code

        statuses = [upload() for _ in range(8)]
        assert statuses[0] == 201
        assert statuses[-1] == 413
        assert set(statuses) == {201, 413}
        assert http.get(f"{url}/api/v2/tickets.json").status_code == 200
        faults = {entry.fault for entry in server().requests.read(sandbox["id"])}
        assert faults == {None, "over_quota"}
        # Whoever owns the sandbox undoes it all, and there is room again.
        control.post(f"/v1/sandboxes/{sandbox['id']}/reset", {})
        assert upload() == 201


@pytest.mark.slow
def test_a_full_disk_stops_no_reads_and_voids_the_episode(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    command = [*own_mounts(disk), sys.executable, "-m", "tests.live.full_disk", str(disk)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=280, cwd=Path.cwd()
    )
    assert done.returncode == 0, done.stderr[-4000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found == {
        "before": [200],
        "other before": [200],
        "read": [503],  # of an agent's own client each is a step, which has to be written
        "other read": [200],
        "mark": 507,
        "create": 507,
        "metrics": 200,
        "after": [200],
        "outcome": "harness_error",
        "error": "harness_unlogged",
    }
