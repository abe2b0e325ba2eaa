"""An episode replays bit for bit: in other processes, other sandboxes, on other days."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from clones.core.server import server
from sandlot.cli.episodes import play
from sandlot.client import ControlClient
from tests import tiers
from tests.faketime import have_faketime

# A server's database takes its time: there, where everything is checked, a quarter of them.
REPLAYS = (25 if tiers.ON_POSTGRES else 100) if tiers.EVERYTHING else 10
# Starting a process takes seconds: before a merge five start, and each is forked for one more.
STARTS = REPLAYS if tiers.EVERYTHING else 5
SHIFT_DAYS = 400
DEMO = {"space": "api", "seed": 13}


@pytest.fixture(scope="module")
def recorded(control: ControlClient) -> dict[str, Any]:
    """Return the demo episode, played by the oracle."""
    return play(control, "H05", "oracle", DEMO)


def replays_elsewhere(folder: Path, number: int) -> list[dict[str, Any]]:
    """Replay in a new process with another hash seed, 400 days away, and in forks of it."""
    environment = {
        **os.environ,
        "SANDLOT_DATA": str(server().data),
        "SANDLOT_PROCESS": f"replay{number % 2}",
        "PYTHONHASHSEED": str(number + 1),
    }
    sign = "+" if number % 2 else "-"
    command = [
        "faketime",
        "-f",
        f"{sign}{SHIFT_DAYS}d",
        sys.executable,
        "-m",
        "tests.live.replaying",
        str(folder),
        str(REPLAYS // STARTS),
    ]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_replays_elsewhere_are_equal(recorded: dict[str, Any]) -> None:
    assert recorded["manifest"]["outcome"] == "completed"
    have_faketime()
    folder = Path(recorded["folder"])
    with ThreadPoolExecutor(2) as pool:
        starts = list(pool.map(lambda number: replays_elsewhere(folder, number), range(STARTS)))
    found = [entry for start in starts for entry in start]
    assert [entry["differences"] for entry in found] == [[]] * REPLAYS
    today = date.today()  # noqa: DTZ011 - the machine's own day is what was shifted
    days = {date.fromisoformat(entry["machine_day"]) for entry in found}
    assert all(abs((day - today).days) >= SHIFT_DAYS - 1 for day in days)
    assert days >= {today + timedelta(days=SHIFT_DAYS)} or len(days) >= 2
    assert len({entry["hash_of_a"] for entry in found}) == STARTS
    assert len({entry["process"] for entry in found}) == REPLAYS
    assert len({entry["episode"] for entry in found}) == REPLAYS


def test_the_server_replays_its_own_episodes(
    control: ControlClient, recorded: dict[str, Any]
) -> None:
    found = control.post(f"/v1/episodes/{recorded['manifest']['id']}/replay")
    assert found["differences"] == []
    assert found["equal"]


def test_a_branch_stands_where_the_record_stood(
    control: ControlClient, recorded: dict[str, Any]
) -> None:
    steps = recorded["steps"]
    middle = len(steps) // 2
    view = control.post(f"/v1/episodes/{recorded['manifest']['id']}/branch", {"step": middle})
    assert view["status"] == "running"
    assert view["steps"] == middle
    body = {"tool": "finish", "arguments": {}}
    ended = control.post(f"/v1/episodes/{view['id']}/act", body)
    assert ended["done"]
    branched = control.get(f"/v1/episodes/{view['id']}/trajectory")
    prints = [step["fingerprint"] for step in branched["steps"][:middle]]
    assert prints == [step["fingerprint"] for step in steps[:middle]]
