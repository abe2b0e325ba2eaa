"""Open stores: none is kept that is gone, and no more than memory is there for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import connection

from clones.core.tenancy import SandboxRow, stores, unit_of_work
from clones.core.tenancy.stores import StorePool
from snapshots.interface import engine, remove_stores
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes

PATIENCE = 10.0


@pytest.fixture
def looking(monkeypatch: pytest.MonkeyPatch) -> Iterator[StorePool]:
    """A pool that looks often, as another process has one."""
    monkeypatch.setattr(stores, "LOOK_EVERY", 0.02)
    pool = StorePool(10, looks=True)
    yield pool
    pool.close()


def read(pool: StorePool, row: SandboxRow) -> None:
    with pool.bind(row.store, row.id), unit_of_work("read"), connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM core_state")
        assert cursor.fetchone() == (1,)


def comes(true: Callable[[], bool]) -> bool:
    """Tell whether something comes true before long."""
    until = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


def looker(pool: StorePool) -> threading.Thread | None:
    return pool._looking


def descriptors_of(folder: Path) -> list[str]:
    """Return what this process has open in a sandbox's folder, whatever that is called now."""
    found = []
    for number in Path("/proc/self/fd").iterdir():
        try:
            target = str(number.readlink())
        except FileNotFoundError:
            continue
        if folder.name in target:
            found.append(target)
    return found


def test_a_deleted_store_is_closed_by_whoever_has_it_open(
    looking: StorePool, sandboxes: Sandboxes, empty_image: Manifest
) -> None:
    gone, stays = sandboxes.create(empty_image), sandboxes.create(empty_image)
    read(looking, gone)
    read(looking, stays)
    sandboxes.delete(gone.id)
    assert comes(lambda: len(looking) == 1)
    assert descriptors_of(gone.store.parent) == []
    read(looking, stays)
    sandboxes.delete(stays.id)
    assert comes(lambda: len(looking) == 0)


def test_what_was_in_use_as_its_store_was_deleted_is_closed_afterwards(
    looking: StorePool, sandboxes: Sandboxes, empty_image: Manifest
) -> None:
    row = sandboxes.create(empty_image)
    read(looking, row)
    with looking.bind(row.store, row.id):
        sandboxes.delete(row.id)
    assert comes(lambda: len(looking) == 0)
    assert descriptors_of(row.store.parent) == []


def test_a_store_that_was_replaced_is_closed(
    looking: StorePool, sandboxes: Sandboxes, empty_sandbox: SandboxRow
) -> None:
    read(looking, empty_sandbox)
    sandboxes.replace(empty_sandbox.id)
    assert comes(lambda: len(looking) == 0)
    read(looking, sandboxes.get(empty_sandbox.id))


def test_a_copy_that_was_looked_into_is_closed(
    looking: StorePool, empty_sandbox: SandboxRow, tmp_path: Path
) -> None:
    copy = empty_sandbox.store.with_name(f"copy{engine().suffix}")
    engine().copy_live(empty_sandbox.store, copy)
    with looking.bind(copy), unit_of_work("read"):
        pass
    engine().remove(copy)
    assert comes(lambda: len(looking) == 0)


def test_looking_begins_with_the_first_store_and_ends_with_the_pool(
    looking: StorePool, empty_sandbox: SandboxRow
) -> None:
    assert looker(looking) is None
    read(looking, empty_sandbox)
    first = looker(looking)
    assert first is not None
    assert first.is_alive()
    read(looking, empty_sandbox)
    assert looker(looking) is first
    looking.close()
    assert len(looking) == 0
    assert not first.is_alive()  # a fork right after it would find it otherwise
    read(looking, empty_sandbox)
    second = looker(looking)
    assert second is not None
    assert second.is_alive()


def test_one_failed_look_is_not_the_last(
    looking: StorePool,
    sandboxes: Sandboxes,
    empty_image: Manifest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = sandboxes.create(empty_image)
    look, failed = looking.discard_gone, threading.Event()

    def fail_once() -> int:
        if not failed.is_set():
            failed.set()
            raise OSError("the disk is away")
        return look()

    monkeypatch.setattr(looking, "discard_gone", fail_once)
    read(looking, row)
    sandboxes.delete(row.id)
    assert failed.wait(PATIENCE)
    assert comes(lambda: len(looking) == 0)


def test_who_keeps_a_pool_for_a_moment_has_no_thread(empty_sandbox: SandboxRow) -> None:
    pool = StorePool(1)
    read(pool, empty_sandbox)
    assert looker(pool) is None
    pool.close()


def test_the_store_used_least_recently_is_closed_first(
    sandboxes: Sandboxes, empty_image: Manifest
) -> None:
    pool, rows = StorePool(2), [sandboxes.create(empty_image) for _ in range(3)]
    for row in (rows[0], rows[1], rows[0], rows[2]):
        read(pool, row)
    remove_stores(rows[0].store.parent)
    assert (pool.discard_gone(), len(pool)) == (1, 1)
    remove_stores(rows[1].store.parent)
    assert pool.discard_gone() == 0, "it was still open"
    pool.close()
    for row in rows:
        sandboxes.delete(row.id)
