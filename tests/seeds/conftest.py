"""Worlds to measure: each is built once a run."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from seeds.measures.report import properties
from seeds.measures.targets import TOLERANCE
from seeds.temporary import TemporaryWorld, temporary_store, temporary_world
from seeds.worlds import BuildReport

# One seed for all processes of a run, another for each run; it stands in the tests' names.
DRAWN = random.Random(os.environ.get("PYTEST_XDIST_TESTRUNUID")).randrange(50, 9_950)
SEEDS = (1, 7, DRAWN)
BUCKET = 5


@cache
def measured(seed: int) -> dict[str, float]:
    """Return the properties of the small world of a seed."""
    with temporary_world("kestrel", "small", seed) as report:
        return properties(report, BUCKET)


@dataclass(frozen=True, slots=True)
class Measured:
    """The properties of a small world, and how far each may be out of its bounds.

    Of fifteen worlds of as many seeds two had one property out by more than `TOLERANCE`: 4 of 2,000
    rows at midnight where 5 are the least, 1.6 for 1.9 of a ratio of small groups. Another world is
    drawn in each run, and what chance does in some is no fault of any: it has twice as much.
    """

    values: dict[str, float]
    tolerance: float


@pytest.fixture(scope="session", params=SEEDS)
def small_properties(request: pytest.FixtureRequest) -> Measured:
    """The measured properties of the small world, for each seed."""
    print(f"world kestrel/small, seed {request.param}")
    tolerance = 2 * TOLERANCE if request.param == DRAWN else TOLERANCE
    return Measured(measured(request.param), tolerance)


@pytest.fixture(scope="session")
def small_store() -> Iterator[TemporaryWorld]:
    """The small world of seed 1."""
    with temporary_store("kestrel", "small", 1) as world:
        yield world


@pytest.fixture(scope="session")
def tiny_store() -> Iterator[TemporaryWorld]:
    """The tiny world of seed 1."""
    with temporary_store("kestrel", "tiny", 1) as world:
        yield world


@pytest.fixture
def small(small_store: TemporaryWorld) -> Iterator[BuildReport]:
    """The small world of seed 1, bound; what a test writes is undone."""
    with small_store.bound() as report:
        yield report


@pytest.fixture
def tiny(tiny_store: TemporaryWorld) -> Iterator[BuildReport]:
    """The tiny world of seed 1, bound; what a test writes is undone."""
    with tiny_store.bound() as report:
        yield report


def kinds(report: BuildReport) -> set[Any]:
    """Return the kinds of corruption in a world's ledger."""
    return {entry["kind"] for entry in report.ledger}
