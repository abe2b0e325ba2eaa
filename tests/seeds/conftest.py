"""Worlds to measure: each is built once a run."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from seeds.measures.report import properties
from seeds.temporary import TemporaryWorld, temporary_store, temporary_world
from seeds.worlds import BuildReport
from tests import tiers

# One seed for all processes of a run; it stands in the tests' names. Before a merge it is the same
# one, as examples of property tests are: of fifteen worlds of as many seeds two had one property
# out by chance, which is no fault of the change.
DRAWN = random.Random(tiers.SEED if tiers.EVERYTHING else "judged").randrange(50, 9_950)
SEEDS = (1, 7, DRAWN)
BUCKET = 5


@cache
def measured(seed: int) -> dict[str, float]:
    """Return the properties of the small world of a seed."""
    with temporary_world("kestrel", "small", seed) as report:
        return properties(report, BUCKET)


@pytest.fixture(scope="session", params=SEEDS)
def small_properties(request: pytest.FixtureRequest) -> dict[str, float]:
    """The measured properties of the small world, for each seed."""
    print(f"world kestrel/small, seed {request.param}")
    return measured(request.param)


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
