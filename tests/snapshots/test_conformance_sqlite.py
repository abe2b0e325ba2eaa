"""The SQLite engine keeps the promises of `snapshots`."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from clones.core.server import server
from clones.core.tenancy import SandboxRow
from snapshots.conformance import House, SnapshotConformance, build_image
from snapshots.library import Library
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes


class SqliteSabotage:
    """Harm done to SQLite stores."""

    def write_round_journal(self, row: SandboxRow) -> None:
        """Write while the trigger is away."""
        raw = sqlite3.connect(row.store, isolation_level=None)
        ((name, sql),) = raw.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
            " AND tbl_name = 'core_message' AND name LIKE 'j%u'"
        ).fetchall()
        raw.execute("BEGIN IMMEDIATE")
        raw.execute(f"DROP TRIGGER {name}")
        raw.execute("UPDATE core_message SET sender = 'mallory@x.example' WHERE id = 17")
        raw.execute(sql)
        raw.execute("COMMIT")
        raw.close()

    def damage(self, store: Path) -> None:
        """Overwrite pages in the middle of the file."""
        server().stores.discard(store)
        raw = sqlite3.connect(store, isolation_level=None)
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        raw.close()
        content = bytearray(store.read_bytes())
        for offset in range(4096, len(content), 4096):
            content[offset : offset + 64] = b"\xa5" * 64
        store.write_bytes(content)


@pytest.fixture(scope="session")
def conformance_image(library: Library) -> Manifest:
    return build_image(library)


class TestSqlite(SnapshotConformance):
    @pytest.fixture
    def house(self, library: Library, sandboxes: Sandboxes, conformance_image: Manifest) -> House:
        return House(library, sandboxes, conformance_image, SqliteSabotage())
