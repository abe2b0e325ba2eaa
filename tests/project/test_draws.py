"""What property tests draw is the same on every machine, and an example that fails is printed."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import odd_calls, tiers
from tests.project.paths import ROOT

DRAWING = """
from hypothesis import given, strategies as st

@given(st.text(min_size=4))
def test_drawn(text):
    with open("drawn", "a") as file:
        file.write(ascii(text) + "\\n")
"""
# As odd calls are drawn.
DRAWING_ODDLY = DRAWING.replace(
    "@given",
    """from hypothesis import settings
from tests import tiers

@settings(derandomize=not tiers.DRAWS_ANEW)
@given""",
)


@dataclass(frozen=True)
class Query:
    """What a test draws."""

    text: str


def drawn(folder: Path, drawing: str = DRAWING, **environment: str) -> str:
    """Return what a property test draws in a process of its own."""
    (folder / "test_draws.py").write_text(drawing)
    (folder / "drawn").unlink(missing_ok=True)
    own = {name: value for name, value in os.environ.items() if name not in tiers.VARIABLES}
    own |= {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    plugins = ["-p", "hypothesispytest", "-p", "tests.selection", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugins, str(folder)],
        cwd=folder,
        env={**own, **environment},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return (folder / "drawn").read_text()


def test_a_merge_draws_the_same_examples_and_everything_new_ones(tmp_path: Path) -> None:
    always = drawn(tmp_path)
    assert drawn(tmp_path, CI="1") == always
    fifth = drawn(tmp_path, SANDLOT_EVERYTHING="1", SANDLOT_SEED="5")
    assert fifth != always
    assert drawn(tmp_path, SANDLOT_EVERYTHING="1", SANDLOT_SEED="5") == fifth
    assert drawn(tmp_path, SANDLOT_EVERYTHING="1", SANDLOT_SEED="6") != fifth


def test_odd_calls_that_are_asked_for_are_new_ones_and_repeated_by_their_seed(
    tmp_path: Path,
) -> None:
    fifth = drawn(tmp_path, DRAWING_ODDLY, SANDLOT_ODD="20", SANDLOT_SEED="5")
    assert drawn(tmp_path, DRAWING_ODDLY, SANDLOT_ODD="20", SANDLOT_SEED="5") == fifth
    assert drawn(tmp_path, DRAWING_ODDLY, SANDLOT_ODD="20") != fifth
    always = drawn(tmp_path, DRAWING_ODDLY)
    assert always != fifth
    assert drawn(tmp_path, DRAWING_ODDLY, SANDLOT_ODD="0") == always


def test_an_example_that_fails_is_printed_in_full() -> None:
    assert odd_calls.CALLS >= 0
    import schemathesis.generation.hypothesis.builder  # noqa: F401, PLC0415 - it would silence now

    @settings(database=None)
    @given(st.builds(Query, st.text(min_size=4)))
    def fail(query: Query) -> None:
        assert not query.text

    with pytest.raises(AssertionError) as caught:
        fail()
    assert "query=Query('0000')" in "".join(caught.value.__notes__)
