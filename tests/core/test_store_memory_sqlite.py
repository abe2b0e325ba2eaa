"""Open stores take memory, which is measured and bounded."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection

from clones.core.tenancy import SandboxRow, unit_of_work
from clones.core.tenancy.backend import base
from clones.core.tenancy.backend.memory import bytes_in_use
from clones.core.tenancy.stores import StorePool
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes


@pytest.fixture
def rows(sandboxes: Sandboxes, empty_image: Manifest) -> Iterator[list[SandboxRow]]:
    found = [sandboxes.create(empty_image) for _ in range(6)]
    yield found
    for row in found:
        sandboxes.delete(row.id)


def read(pool: StorePool, row: SandboxRow) -> None:
    with pool.bind(row.store, row.id), unit_of_work("read"), connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM core_state")


def used() -> int:
    found = bytes_in_use()
    assert found is not None, "this machine's SQLite does not say"
    return found


def test_stores_are_closed_where_they_take_more_memory_than_there_is(
    rows: list[SandboxRow],
) -> None:
    pool, before = StorePool(100), used()
    read(pool, rows[0])
    each = used() - before
    assert each > 100_000, "a store's schema is parsed and kept"
    pool.memory = before + 3 * each + each // 2
    for row in rows:
        read(pool, row)
    assert len(pool) == 3
    assert used() <= pool.memory
    pool.memory = before
    read(pool, rows[-1])
    assert len(pool) == 1, "the one that was just used stays"
    pool.close()
    assert used() < before + each // 2


def test_where_sqlite_does_not_say_what_it_takes_a_guess_is_made(
    rows: list[SandboxRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "bytes_in_use", lambda: None)
    pool = StorePool(100, memory=2 * base.CONNECTION_BYTES)
    for row in rows:
        read(pool, row)
    assert len(pool) == 2
    pool.close()
