"""What gives invented data away at once, and what no seed may change."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Hashable, Iterable
from pathlib import Path

import pytest

from clones.core.journal import content_digest
from seeds.measures.tickets import StoreFacts
from seeds.worlds import BuildReport
from tests.seeds.conftest import stored_world

DIGEST = """
import sys
from seeds.temporary import temporary_world
with temporary_world("kestrel", sys.argv[1], int(sys.argv[2])) as report:
    from clones.core.journal import content_digest
    print(content_digest(), len(report.ledger))
"""


@pytest.fixture
def desk(small: BuildReport) -> StoreFacts:
    return StoreFacts()


def test_no_set_of_categories_is_uniform(desk: StoreFacts) -> None:
    columns = {
        "category": desk.categories(),
        "group": Counter(course.row["group_id"] for course in desk.customers),
        "assignee": Counter(course.row["assignee_id"] for course in desk.customers),
        "channel": Counter(course.row["via"]["channel"] for course in desk.customers),
        "status": Counter(course.row["status"] for course in desk.customers),
        "priority": Counter(course.row["priority"] for course in desk.customers),
        "type": Counter(course.row["type"] for course in desk.customers),
    }
    for name, counts in columns.items():
        mean = sum(counts.values()) / len(counts)
        assert max(counts.values()) > 1.1 * mean, name
        assert min(counts.values()) < 0.9 * mean, name


def test_what_is_related_in_real_desks_is_related_here(desk: StoreFacts) -> None:
    closed = [course for course in desk.customers if course.solved is not None]
    pairs: dict[str, Iterable[tuple[Hashable, Hashable]]] = {
        "category and group": [
            (course.row["custom_fields"].get(desk.category), course.row["group_id"])
            for course in closed
        ],
        "group and assignee": [(c.row["group_id"], c.row["assignee_id"]) for c in closed],
        "transfers and duration": [
            (min(course.transfers, 4), (course.hours or 0) > 24) for course in closed
        ],
        "transfers and breach": [(min(c.transfers, 3), broke) for c, broke in desk.breaches()],
        "priority and duration": [
            (course.row["priority"], (course.hours or 0) > 48)
            for course in closed
            if course.row["priority"]
        ],
    }
    for name, values in pairs.items():
        assert chi_square_p(values) < 0.05, name


def chi_square_p(pairs: Iterable[tuple[Hashable, Hashable]]) -> float:
    """Return how likely such a dependence is by chance (Wilson and Hilferty's approximation)."""
    cells = Counter(pairs)
    rows: Counter[Hashable] = Counter()
    columns: Counter[Hashable] = Counter()
    for (row, column), count in cells.items():
        rows[row] += count
        columns[column] += count
    total = sum(rows.values())
    square = sum(
        (cells.get((r, c), 0) - rows[r] * columns[c] / total) ** 2 / (rows[r] * columns[c] / total)
        for r in rows
        for c in columns
    )
    freedom = max((len(rows) - 1) * (len(columns) - 1), 1)
    z = ((square / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom))
    return 0.5 * math.erfc(z / math.sqrt(2))


def test_same_seed_gives_the_same_digest_in_every_process(tiny: BuildReport) -> None:
    assert _digest_elsewhere("tiny", tiny.seed, "31337") == _digest_here(tiny)


def test_another_seed_gives_another_digest() -> None:
    found = set()
    for seed in (1, 2):
        with stored_world("tiny", seed) as world, world.bound():
            found.add(content_digest())
    assert len(found) == 2


@pytest.mark.slow
@pytest.mark.everything
def test_same_seed_gives_the_same_digest_at_small_size(small: BuildReport) -> None:
    assert _digest_elsewhere("small", small.seed, "1") == _digest_here(small)


def _digest_here(report: BuildReport) -> str:
    """Return what `DIGEST` prints, of the bound world, which another process may have built."""
    return f"{content_digest()} {len(report.ledger)}"


def _digest_elsewhere(size: str, seed: int, hashing: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hashing, "PYTHONPATH": str(Path.cwd())}
    environment.pop("SANDLOT_DATA", None)
    done = subprocess.run(
        [sys.executable, "-c", DIGEST, size, str(seed)],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return done.stdout.strip()
