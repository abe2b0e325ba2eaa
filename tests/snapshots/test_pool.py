"""Ready clones: made in idle time, handed out by renaming, never more than the pool may hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from clones.core.journal import store_digest
from clones.core.models import Blob
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.manifest import Manifest
from snapshots.pool import ClonePool
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind


@pytest.fixture
def stocked(library: Library, empty_image: Manifest) -> Iterator[Sandboxes]:
    """Sandboxes with a pool of four, which no other server of this run fills or empties."""
    made = with_pool(library, server().data / "pool-under-test", 4)
    yield made
    empty(made.pool)


@pytest.fixture
def images(stocked: Sandboxes, empty_image: Manifest) -> Iterator[list[Manifest]]:
    """Three images of different content."""
    made = []
    for name in ("pool-a", "pool-b", "pool-c"):
        row = stocked.create(empty_image)
        with bind(row), unit_of_work("write"):
            Blob.objects.create(sha256=name, data=b"")
        made.append(stocked.capture(row.id, name))
        stocked.delete(row.id)
    stocked.pool.discard(empty_image.digest)
    yield made
    for name in ("pool-a", "pool-b", "pool-c"):
        if name in stocked.library.named():
            stocked.delete_snapshot(name)


def with_pool(library: Library, folder: Path, size: int) -> Sandboxes:
    made = Sandboxes(library, pool_size=size)
    made.pool.folder = folder
    return made


def empty(pool: ClonePool) -> None:
    for folder in pool.folder.glob("*"):
        pool.discard(folder.name)


def fill(pool: ClonePool) -> int:
    made = 0
    while pool.refill():
        made += 1
        assert made < 50
    return made


def want(sandboxes: Sandboxes, manifest: Manifest) -> None:
    """Ask for a sandbox, and have no further need of it."""
    sandboxes.delete(sandboxes.create(manifest).id)


def digest_of(row: SandboxRow) -> str:
    with bind(row), unit_of_work("read"):
        return store_digest()


def test_nothing_is_made_that_nobody_asked_for(stocked: Sandboxes) -> None:
    assert not stocked.pool.refill()
    assert stocked.pool.ready() == []


def test_clones_are_made_in_idle_time_and_handed_out(
    stocked: Sandboxes, images: list[Manifest], monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = images[0]
    want(stocked, wanted)
    while stocked.idle():
        pass
    assert len(stocked.pool.ready(wanted.digest)) == 4

    def copy(image: Path, target: Path) -> None:
        raise AssertionError("a clone was ready, and yet one was made")

    with monkeypatch.context() as patch:
        patch.setattr(engine(), "copy_sealed", copy, raising=False)
        rows = [stocked.create(wanted) for _ in range(4)]
        assert stocked.pool.ready() == []
        with pytest.raises(AssertionError, match="was ready"):
            stocked.create(wanted)
    for row in rows:
        assert digest_of(row) == wanted.rows_digest
        with bind(row), unit_of_work("write"):
            Blob.objects.create(sha256="x", data=b"")
        assert stocked.reset(row.id).changes > 0
        assert stocked.verify(row.id).intact
        stocked.delete(row.id)


def test_the_pool_is_bounded_and_shared_among_what_was_asked_for_last(
    stocked: Sandboxes, images: list[Manifest]
) -> None:
    want(stocked, images[0])
    assert fill(stocked.pool) == 4
    want(stocked, images[1])
    fill(stocked.pool)
    assert [len(stocked.pool.ready(image.digest)) for image in images] == [2, 2, 0]
    want(stocked, images[2])
    fill(stocked.pool)
    assert len(stocked.pool.ready()) <= 4
    assert all(stocked.pool.ready(image.digest) for image in images)


def test_a_pool_of_none_makes_none(library: Library, images: list[Manifest]) -> None:
    without = with_pool(library, server().data / "pool-under-test", 0)
    want(without, images[0])
    assert not without.pool.refill()


def test_clones_of_a_deleted_snapshot_go(stocked: Sandboxes, images: list[Manifest]) -> None:
    want(stocked, images[0])
    fill(stocked.pool)
    stocked.delete_snapshot("pool-a")
    assert stocked.pool.ready() == []
    assert not stocked.pool.refill()


def test_a_restart_keeps_whole_clones_and_sweeps_the_rest(
    stocked: Sandboxes, images: list[Manifest]
) -> None:
    want(stocked, images[0])
    fill(stocked.pool)
    ready = stocked.pool.ready()
    half = ready[0].with_name(f"half{engine().suffix}.tmp")
    half.write_bytes(b"x")
    orphan = stocked.pool.folder / ("0" * 64) / f"left{engine().suffix}"
    orphan.parent.mkdir()
    orphan.write_bytes(b"x")
    again = with_pool(stocked.library, stocked.pool.folder, 4)
    removed = again.recover()
    assert {half, orphan} <= set(removed)
    assert again.pool.ready() == ready
    assert not orphan.parent.exists()
    row = again.create(images[0])
    assert len(again.pool.ready()) == 3
    assert digest_of(row) == images[0].rows_digest
    again.delete(row.id)


def test_a_clone_that_somebody_else_took_is_passed_over(
    stocked: Sandboxes, images: list[Manifest], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    want(stocked, images[0])
    fill(stocked.pool)
    ready = stocked.pool.ready()
    monkeypatch.setattr(stocked.pool, "ready", lambda digest=None: ready)
    ready[0].unlink()
    assert stocked.pool.take(images[0], tmp_path / f"1{engine().suffix}")
    assert (tmp_path / f"1{engine().suffix}").exists()
    assert not ready[1].exists()


def test_a_pool_over_a_spoilt_image_gives_up(stocked: Sandboxes, images: list[Manifest]) -> None:
    want(stocked, images[0])
    stocked.library.store(images[0]).write_bytes(b"x")
    assert not stocked.pool.refill()
    assert stocked.pool.ready() == []
    assert server().data in stocked.pool.folder.parents
