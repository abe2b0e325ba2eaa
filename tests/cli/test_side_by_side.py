"""Commands that run beside each other."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from sandlot.cli.side_by_side import Ended, run_side_by_side

MEETING = """
import pathlib, sys, time
own, other = map(pathlib.Path, sys.argv[1:])
own.touch()
until = time.monotonic() + 60
while not other.exists():
    if time.monotonic() > until:
        sys.exit(9)
    time.sleep(.01)
print(own.name)
print("met", other.name, file=sys.stderr)
"""


def python(script: str, *arguments: object) -> list[str]:
    return [sys.executable, "-c", script, *map(str, arguments)]


def test_commands_run_at_a_time_and_end_in_their_order(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    commands = [python(MEETING, one, two), python(MEETING, two, one)]
    assert list(run_side_by_side(commands, 2)) == [Ended(0, "one\n"), Ended(0, "two\n")]
    assert sorted(capfd.readouterr().err.splitlines()) == ["met one", "met two"]


def test_one_that_fails_stops_no_other() -> None:
    commands = [python("print(1); raise SystemExit(4)"), python("print(2)")]
    assert list(run_side_by_side(commands, 1)) == [Ended(4, "1\n"), Ended(0, "2\n")]


def test_who_stops_asking_leaves_nothing_running(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    script = "import pathlib, sys, time; pathlib.Path(sys.argv[1]).touch(); time.sleep(600)"
    commands = [python("print(1)"), python(script, begun), python(script, tmp_path / "third")]
    before = time.monotonic()
    running = run_side_by_side(commands, 2)
    assert next(running) == Ended(0, "1\n")
    while not begun.exists():
        assert time.monotonic() - before < 60
        time.sleep(0.01)
    running.close()
    assert time.monotonic() - before < 300
