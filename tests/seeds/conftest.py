"""Worlds to measure, from the images that all processes share; what is about building builds."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from clones.core.server import server
from clones.core.tenancy.stores import StorePool
from episodes.worlds import WorldKey, world_image, world_papers
from seeds.draw import Draws
from seeds.kestrel.build import tell
from seeds.kestrel.story.whole import Story
from seeds.ledger import Corruption, Ledger
from seeds.measures.report import properties
from seeds.pools import half_of
from seeds.temporary import TemporaryWorld, temporary_store
from seeds.worlds import BuildReport, world_version
from snapshots.interface import engine
from snapshots.library import Library
from tests import tiers

# One seed for all processes of a run; it stands in the tests' names. Before a merge it is the same
# one, as examples of property tests are: of fifteen worlds of as many seeds two had one property
# out by chance, which is no fault of the change.
DRAWN = random.Random(tiers.SEED if tiers.EVERYTHING else "judged").randrange(50, 9_950)
SEEDS = (1, *(pytest.param(seed, marks=pytest.mark.everything) for seed in (7, DRAWN)))
BUCKET = 5


@contextmanager
def stored_world(size: str, seed: int) -> Iterator[TemporaryWorld]:
    """A copy of a world's image, which may have been built by another process or an earlier run."""
    library = Library(server().data)
    manifest = world_image(library, WorldKey("kestrel", size, seed))
    papers = world_papers(library, manifest)
    ledger = Ledger([Corruption(**entry) for entry in papers["ledger"]["ledger"]])
    facts, counts = papers["facts"]["facts"], papers["counts"]["counts"]
    report = BuildReport(
        "kestrel",
        size,
        seed,
        half_of(seed),
        world_version(),
        ledger.plain(),
        facts,
        counts,
        ledger.counts(),
    )
    pool = StorePool(1)
    with tempfile.TemporaryDirectory(prefix="sandlot-seeds-") as folder:
        store = Path(folder) / f"world{engine().suffix}"
        engine().copy_sealed(library.store(manifest), store)
        try:
            yield TemporaryWorld(report, pool, store)
        finally:
            pool.close()


@cache
def measured(seed: int) -> dict[str, float]:
    """Return the properties of the small world of a seed."""
    with stored_world("small", seed) as world, world.bound() as report:
        return properties(report, BUCKET)


@pytest.fixture(scope="session", params=SEEDS)
def small_properties(request: pytest.FixtureRequest) -> dict[str, float]:
    """The measured properties of the small world, for each seed."""
    print(f"world kestrel/small, seed {request.param}")
    return measured(request.param)


@pytest.fixture(scope="session")
def small_store() -> Iterator[TemporaryWorld]:
    """The small world of seed 1."""
    with stored_world("small", 1) as world:
        yield world


@pytest.fixture(scope="session")
def tiny_store() -> Iterator[TemporaryWorld]:
    """The tiny world of seed 1."""
    with stored_world("tiny", 1) as world:
        yield world


@pytest.fixture(scope="session")
def small_story() -> Story:
    """The whole story of the small world of seed 1, its words included: tests only read it."""
    return tell(Draws("kestrel|1|small"), half_of(1), "small")


@pytest.fixture(scope="session")
def built_store() -> Iterator[TemporaryWorld]:
    """The tiny world of seed 1 as this process has just built it, no image of it."""
    with temporary_store("kestrel", "tiny", 1) as world:
        yield world


@pytest.fixture
def built(built_store: TemporaryWorld) -> Iterator[BuildReport]:
    """The tiny world of seed 1 on the connection that built it; what a test writes is undone."""
    with built_store.bound() as report:
        yield report


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
