"""The same questions have the same answers on both engines: nothing is accepted as different."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from episodes.worlds import WorldKey, world_image
from snapshots.library import Library
from snapshots.sandboxes import Sandboxes
from tests import tiers
from tests.live.differential.seat import WORLD, Answered, answers, written

QUESTIONS = 10_000 if tiers.EVERYTHING else 1_000
WRITES = 3_000 if tiers.EVERYTHING else 300


@pytest.mark.in_turn
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_thousands_of_searches_and_filters_find_the_same_on_both_engines(
    library: Library, sandboxes: Sandboxes, tmp_path: Path
) -> None:
    statuses = compared(library, sandboxes, tmp_path, answers, QUESTIONS)
    assert statuses[200] > QUESTIONS / 2, statuses


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_many_writes_do_the_same_on_both_engines(
    library: Library, sandboxes: Sandboxes, tmp_path: Path
) -> None:
    """What they answer, and every row of what came of it: NUL, half characters, lengths, sizes."""
    statuses = compared(library, sandboxes, tmp_path, written, WRITES)
    assert sum(statuses[code] for code in (200, 201, 204)) > WRITES / 10, statuses


def compared(
    library: Library,
    sandboxes: Sandboxes,
    folder: Path,
    ask: Callable[[Any, int, int], Answered],
    count: int,
) -> Counter[int]:
    """Ask here and, in another process, on SQLite; compare, and return the statuses."""
    print(f"seed {tiers.SEED}")
    module, data = "tests.live.differential.seat", str(folder / "data")
    there = subprocess.Popen(
        [sys.executable, "-m", module, data, ask.__name__, str(tiers.SEED), str(count)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        row = sandboxes.create(world_image(library, WorldKey(*WORLD)))
        here = ask(row, tiers.SEED, count)
        sandboxes.delete(row.id)
        printed, _ = there.communicate(timeout=1700)
    finally:
        there.kill()
    assert there.returncode == 0
    other = [tuple(entry) for entry in json.loads(printed)]
    different = [(one, two) for one, two in zip(here, other, strict=True) if one != two]
    assert not different, f"{len(different)}: {different[:10]}"
    statuses = Counter(status for _, status, _ in here)
    assert not any(status >= 500 for status in statuses), statuses
    return statuses
