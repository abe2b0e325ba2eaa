"""A pytest plugin: which of the tests run, by the tier (`tests.tiers`) and the engine.

Before a merge, tests marked `everything` are left out, and on PostgreSQL all that no engine can
change: `tests/engine_tests.txt` and the lists of witnesses say what stays. Files of which nothing
stays there are not even imported: each process of a run imports all that it collects.
"""

from __future__ import annotations

import fnmatch
import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from tests.tiers import DRAWS_ANEW, EVERYTHING, ON_POSTGRES, SEED

ROOT = Path(__file__).resolve().parent.parent
ENGINE_TESTS = ROOT / "tests" / "engine_tests.txt"
WITNESSED = ("billing", "helpdesk", "tracker")


def patterns(file: Path) -> dict[str, str]:
    """Return the patterns of node ids in a file, each with its reason.

    Raises:
        pytest.UsageError: a line has not two columns.
    """
    found = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        columns = [column.strip() for column in line.split(" | ")]
        if len(columns) != 2 or not all(columns):
            raise pytest.UsageError(f"{file}: not `nodeid pattern | reason`: {line}")
        found[columns[0]] = columns[1]
    return found


def witnesses(clone: str) -> frozenset[str]:
    """Return the node ids of the tests that vouch for a clone's operations."""
    folder = ROOT / "tests" / clone
    chosen = json.loads((folder / "witnesses.json").read_text(encoding="utf-8"))
    return frozenset(
        f"tests/{clone}/{test}" for tests in chosen.values() for test in tests.values()
    )


class EngineTests:
    """Tells which tests see what an engine can change."""

    def __init__(self) -> None:
        found = patterns(ENGINE_TESTS)
        self._matching = _any_of(found)
        self._in_files = _any_of(pattern.partition("::")[0] for pattern in found)
        self._named = frozenset[str]().union(*map(witnesses, WITNESSED))
        self._files = frozenset(nodeid.partition("::")[0] for nodeid in self._named)

    def has(self, nodeid: str) -> bool:
        """Tell whether PostgreSQL is asked this test before a merge."""
        return nodeid in self._named or self._matching.match(nodeid) is not None

    def are_in(self, file: str) -> bool:
        """Tell whether PostgreSQL may be asked a test of this file before a merge."""
        return file in self._files or self._in_files.match(file) is not None


def _any_of(found: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(fnmatch.translate, found)))


@cache
def _engine_tests() -> EngineTests | None:
    """Return what selects here, None where no engine does."""
    return EngineTests() if ON_POSTGRES and not EVERYTHING else None


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out the files of which no test stays."""
    chosen = _engine_tests()
    if chosen is None or not fnmatch.fnmatch(collection_path.name, "test_*.py"):
        return None
    return None if chosen.are_in(collection_path.relative_to(ROOT).as_posix()) else True


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Draw the examples of property tests by the run's seed, unless they are always the same."""
    if DRAWS_ANEW and config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = str(SEED)


def pytest_report_header() -> str:
    """Say which tests run and how their draws are repeated."""
    tier = "everything" if EVERYTHING else "what a merge needs (SANDLOT_EVERYTHING=1: everything)"
    return f"tests: {tier}; draws: SANDLOT_SEED={SEED}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only `make test-everything` runs."""
    if EVERYTHING:
        return
    engine_tests = _engine_tests()
    stay, go = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        left = item.get_closest_marker("everything") is not None
        left = left or (engine_tests is not None and not engine_tests.has(item.nodeid))
        (go if left else stay).append(item)
    if go:
        config.hook.pytest_deselected(items=go)
        items[:] = stay
