"""Agents cannot tell the engines apart: the same world, answers, fingerprints and rewards."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sandlot.cli.episodes import play
from sandlot.client import ControlClient
from tests.live.recording import SEED

PARTS = ("outcome", "reward", "success", "clean", "components", "phases", "checks", "people")


def recorded_on_sqlite(data: Path, space: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.live.recording", str(data), space]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found[space]  # type: ignore[no-any-return]


@pytest.mark.parametrize("space", ["api", pytest.param("browser", marks=pytest.mark.browser)])
def test_the_demo_episode_is_the_same_on_both_engines(
    control: ControlClient, tmp_path: Path, space: str
) -> None:
    here = play(control, "H05", "oracle", {"space": space, "seed": SEED})
    there = recorded_on_sqlite(tmp_path / "data", space)
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
        assert here["manifest"][part] == there["manifest"][part]
    assert here["manifest"]["success"]
