"""Stores as SQLite files."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from django.core.management import call_command
from django.db import OperationalError, connection, transaction

from clones.core.journal import journal
from clones.core.tenancy.stores import StorePool
from snapshots.errors import CorruptSnapshot, NoSpace
from snapshots.files import TEMPORARY, can_reflink, copy_file, temporary
from snapshots.interface import Capabilities

COMPANIONS = ("-wal", "-shm", "-journal")
WAL_LIMIT = 4 * 1024 * 1024


class SqliteSnapshots:
    """Implement `SnapshotEngine` on SQLite files."""

    def capabilities(self, folder: Path) -> Capabilities:
        """Return what the engine can do for stores in `folder`."""
        return Capabilities("sqlite", reflink=can_reflink(folder))

    def new_store(self, target: Path) -> None:
        """Make an empty store: migrate, install the journal, seal, rename."""
        making = temporary(target)
        self.remove(making)
        pool = StorePool(1)
        try:
            with pool.bind(making):
                with connection.cursor() as cursor:
                    cursor.execute("PRAGMA journal_mode = WAL")
                call_command("migrate", verbosity=0, interactive=False)
                with transaction.atomic():
                    journal().install()
        except OperationalError as error:
            pool.close()
            self.remove(making)
            if "full" in str(error):
                raise NoSpace(f"no space left to make {target}: free some, then try again") from error
            raise
        pool.close()
        self.seal(making)
        making.replace(target)

    def seal(self, store: Path) -> None:
        """Fold the write-ahead log into the file."""
        raw = sqlite3.connect(store, timeout=10, isolation_level=None)
        try:
            busy, _, _ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:
                raise CorruptSnapshot(f"{store} is in use: close it before sealing it")
        finally:
            raw.close()
        for suffix in COMPANIONS:
            store.with_name(store.name + suffix).unlink(missing_ok=True)

    def copy_sealed(self, image: Path, target: Path) -> None:
        """Copy one file to a temporary name, then rename it."""
        making = temporary(target)
        try:
            copy_file(image, making)
        except FileNotFoundError as error:
            raise CorruptSnapshot(f"{image} is gone: build the world again") from error
        making.replace(target)

    def copy_live(self, store: Path, target: Path) -> None:
        """Copy the file, then its log, under the write lock; then fold the log in and rename."""
        making = temporary(target)
        self.remove(making)
        log, log_copy = store.with_name(store.name + "-wal"), making.with_name(making.name + "-wal")
        raw = sqlite3.connect(store, timeout=30, isolation_level=None)
        try:
            raw.execute("BEGIN IMMEDIATE")
            copy_file(store, making)
            if log.exists():
                copy_file(log, log_copy)
            raw.execute("ROLLBACK")
        except NoSpace:
            self.remove(making)
            raise
        finally:
            raw.close()
        try:
            self.seal(making)
        except sqlite3.OperationalError as error:
            self.remove(making)
            if "full" in str(error):
                raise NoSpace(f"no space left to make {target}: free some, then try again") from error
            raise
        making.replace(target)

    def check(self, store: Path) -> None:
        """Run SQLite's own check."""
        try:
            raw = sqlite3.connect(f"file:{store}?mode=ro", uri=True, isolation_level=None)
            try:
                (verdict,) = raw.execute("PRAGMA quick_check(1)").fetchone()
            finally:
                raw.close()
        except sqlite3.DatabaseError as error:
            raise CorruptSnapshot(f"{store} is damaged: {error}") from error
        if verdict != "ok":
            raise CorruptSnapshot(f"{store} is damaged: {verdict}")

    def remove(self, store: Path) -> None:
        """Remove the file and its companions, the file first: a log without its file is nothing."""
        store.unlink(missing_ok=True)
        for suffix in COMPANIONS:
            store.with_name(store.name + suffix).unlink(missing_ok=True)

    def sweep(self, folder: Path) -> list[Path]:
        """Remove temporary files, and companions of files that are gone."""
        removed: list[Path] = []
        if not folder.exists():
            return removed
        for path in sorted(folder.rglob("*")):
            if not path.is_file():
                continue
            name = path.name
            is_temporary = TEMPORARY in name
            for suffix in COMPANIONS:
                if name.endswith(suffix):
                    # Never touch the log of a file that exists: it holds committed rows.
                    is_temporary |= not path.with_name(name.removesuffix(suffix)).exists()
            if is_temporary:
                path.unlink(missing_ok=True)
                removed.append(path)
        return removed

    def tidy(self) -> None:
        """Truncate a write-ahead log that has grown, if nobody reads from it just now."""
        store = Path(connection.settings_dict["NAME"])
        log = store.with_name(store.name + "-wal")
        if not log.exists() or log.stat().st_size < WAL_LIMIT:
            return
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout")
            (patience,) = cursor.fetchone()
            cursor.execute("PRAGMA busy_timeout = 0")
            try:
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                cursor.execute(f"PRAGMA busy_timeout = {int(patience)}")
