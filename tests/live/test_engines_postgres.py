"""Agents cannot tell the engines apart: the same world, answers, fingerprints and rewards."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from sandlot.cli.episodes import play
from sandlot.client import ControlClient
from tests.live.recording import SEED

SPACES = ("api", "browser")
PARTS = ("outcome", "reward", "success", "clean", "components", "phases", "checks", "people")


@pytest.fixture(scope="module")
def recorded_on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The demo episode as one server on SQLite recorded it, by space."""
    data = tmp_path_factory.mktemp("sqlite") / "data"
    command = [sys.executable, "-m", "tests.live.recording", str(data), *SPACES]
    done = subprocess.run(command, capture_output=True, text=True, timeout=270, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.in_turn
@pytest.mark.parametrize("space", SPACES)
@pytest.mark.browser
def test_the_demo_episode_is_the_same_on_both_engines(
    control: ControlClient, recorded_on_sqlite: dict[str, Any], space: str
) -> None:
    here = play(control, "H05", "oracle", {"space": space, "seed": SEED})
    there = recorded_on_sqlite[space]
    assert [found["manifest"]["provenance"]["engine"] for found in (here, there)] == [
        "postgres",
        "sqlite",
    ]
    assert [step["fingerprint"] for step in here["steps"]] == [
        step["fingerprint"] for step in there["steps"]
    ]
    for part in ("changes", "reward", "phases", "charges", "step_kind"):
        assert [step[part] for step in here["steps"]] == [step[part] for step in there["steps"]]
    for part in PARTS:
        one, other = here["manifest"][part], there["manifest"][part]
        assert without_requests(one) == without_requests(other)
    assert here["manifest"]["success"]


def without_requests(told: Any) -> Any:
    """Return part of a manifest without the names of requests, which each process gives its own."""
    if isinstance(told, list):
        return [without_requests(item) for item in told]
    if isinstance(told, dict):
        return {name: without_requests(value) for name, value in told.items() if name != "requests"}
    return told
