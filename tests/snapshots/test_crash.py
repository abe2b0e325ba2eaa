"""Killed at any instant, and started again: everything is wholly before or wholly after."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from snapshots.interface import engine
from tests import tiers
from tests.tiers import in_turn_on_postgres

REPORT = Path("reports") / "kills.txt"
# In each main phase. A start on PostgreSQL, and the look at everything after it, take seconds.
KILLS = {
    "sqlite": 30 if tiers.EVERYTHING else 6,
    "postgres": 3 if tiers.EVERYTHING else 1,
}[engine().name]
MAIN = ("capture", "clone", "rewind", "drain", "delete", "commit")
MORE = ("fork", "delete snapshot", "verify", "import", "pool", "recover")


@in_turn_on_postgres
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_kills_leave_nothing_torn(tmp_path: Path) -> None:
    """What is checked after each kill stands in `crash.py`, with the phases."""
    seed = tiers.SEED
    command = [sys.executable, "-m", "tests.snapshots.crash", str(tmp_path), str(KILLS), str(seed)]
    found = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=580, cwd=Path.cwd()
    )
    results = {line["phase"]: line for line in map(json.loads, found.stdout.splitlines())}
    columns = ("phase", "kills", "too late", "milliseconds", "from", "to")
    lines = [dict(zip(columns, columns, strict=True)), *results.values()]
    table = ["  ".join(f"{line[column]!s:>15}" for column in columns) for line in lines]
    report = "\n".join([f"seed {seed}; from, to: shares of the phase", *table, ""])
    print(report)
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(report)
    assert found.returncode == 0, found.stderr[-4000:]
    assert tuple(results) == MAIN + MORE
    assert all(results[phase]["kills"] == KILLS for phase in MAIN)
    assert all(results[phase]["kills"] for phase in MORE)
    if engine().name == "sqlite" and tiers.EVERYTHING:
        assert sum(line["kills"] for line in results.values()) >= 200
