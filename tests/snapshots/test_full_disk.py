"""On a full disk every operation says so, and leaves nothing half-made."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.tiers import in_turn_on_postgres

REASON = "no small filesystem can be mounted here"
OPERATIONS = (
    "new store",
    "create",
    "fork",
    "capture",
    "pool",
    "verify",
    "export",
    "import",
    "rewind",
)


def own_mounts(folder: Path) -> list[str]:
    """Return the command that starts another with mounts of its own.

    Only as a user who may mount, here or in a user namespace; else the test cannot be run.
    """
    for command in (["unshare", "--mount"], ["unshare", "--user", "--map-root-user", "--mount"]):
        trial = [*command, "mount", "-t", "tmpfs", "-o", "size=1m", "none", str(folder)]
        try:
            if subprocess.run(trial, capture_output=True, check=False).returncode == 0:
                return command
        except FileNotFoundError:
            continue
    pytest.skip(REASON)


@in_turn_on_postgres
@pytest.mark.slow
def test_a_full_disk_is_said_so_and_nothing_is_left(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    command = [*own_mounts(disk), sys.executable, "-m", "tests.snapshots.full_disk", str(disk)]
    found = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=240, cwd=Path.cwd()
    )
    assert found.returncode == 0, found.stderr[-4000:]
    print(found.stdout)
    assert [line.partition(":")[0] for line in found.stdout.splitlines()] == list(OPERATIONS)
    assert list(disk.iterdir()) == []
