"""What property tests draw is the same on every machine, and an example that fails is printed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import tiers
from tests.project.paths import ROOT

SETUP = """
import django
django.setup()
pytest_plugins = ["tests.selection"]
"""
DRAWING = """
from dataclasses import dataclass
from hypothesis import given, strategies as st
from tests import odd_calls


@dataclass(frozen=True)
class Query:
    text: str


@given(st.builds(Query, st.text(min_size=4)))
def test_drawn(query):
    with open("drawn", "a") as file:
        file.write(ascii(query) + "\\n")
    assert not query.text
"""


def drawn(folder: Path, **environment: str) -> tuple[str, str]:
    """Run a property test that fails, in a process of its own; return its draws and its output."""
    (folder / "conftest.py").write_text(SETUP)
    (folder / "test_draws.py").write_text(DRAWING)
    (folder / "drawn").unlink(missing_ok=True)
    own = {name: value for name, value in os.environ.items() if name not in tiers.VARIABLES}
    own |= {"PYTHONPATH": str(ROOT), "DJANGO_SETTINGS_MODULE": "clones.config.settings.test"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:django", "-p", "no:schemathesis"]
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider", str(folder)],
        cwd=folder,
        env={**own, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return (folder / "drawn").read_text(), done.stdout


@pytest.mark.slow
def test_a_merge_draws_the_same_examples_and_everything_new_ones(tmp_path: Path) -> None:
    first, said = drawn(tmp_path)
    assert "query=Query('0000')" in said
    assert drawn(tmp_path, CI="1")[0] == first
    fresh, _ = drawn(tmp_path, SANDLOT_EVERYTHING="1", SANDLOT_SEED="5")
    assert fresh != first
    assert drawn(tmp_path, SANDLOT_EVERYTHING="1", SANDLOT_SEED="5")[0] == fresh
    assert drawn(tmp_path, SANDLOT_EVERYTHING="1", SANDLOT_SEED="6")[0] != fresh
