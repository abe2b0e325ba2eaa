"""Stores as SQLite files."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

from django.db import DatabaseError, connection

from clones.core.journal.sqlite import TABLES as JOURNAL_TABLES
from clones.core.tables import make_tables
from clones.core.tenancy.stores import StorePool
from clones.core.word_index import PREFIX
from snapshots.errors import CorruptSnapshot
from snapshots.files import (
    TEMPORARY,
    can_reflink,
    copy_descriptor,
    copy_file,
    open_descriptor,
    out_of_space,
    temporary,
)
from snapshots.interface import Capabilities

COMPANIONS = ("-wal", "-shm", "-journal")
LOG_LIMIT = 4 * 1024 * 1024
PATIENCE = 30  # seconds to wait for a writer
UNDO_CACHE = 8 * 1024  # KiB: a rewind touches more pages than a request


def _sorted_parts(statement: str) -> str:
    """Return a table's statement with columns and constraints in one order; others as they are."""
    if not statement.startswith("CREATE TABLE"):
        return statement
    head, _, inside = statement.partition("(")
    parts, depth, quote, begun = list[str](), 0, "", 0
    for place, letter in enumerate(inside):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "()":
            depth += 1 if letter == "(" else -1
        if (letter == "," and depth == 0 and not quote) or depth < 0:
            parts.append(inside[begun:place].strip())
            begun = place + 1
        if depth < 0:
            break
    tail = inside[begun:].strip()
    return f"{head.strip()} ({', '.join(sorted(parts))}) {tail}"


class SqliteSnapshots:
    """Implement `SnapshotEngine` on SQLite files."""

    name = "sqlite"
    suffix = ".sqlite"

    def home(self) -> str:
        """Return the version of SQLite: files know no other place."""
        return f"sqlite {sqlite3.sqlite_version}"

    def capabilities(self, folder: Path) -> Capabilities:
        """Return what the engine can do for stores in `folder`."""
        return Capabilities(self.name, reflink=can_reflink(folder))

    def new_store(self, target: Path, *, at: Sequence[tuple[str, str]] | None = None) -> None:
        """Make an empty store: tables, journal, seal, rename."""
        with self._making(target) as making:
            pool = StorePool(1)
            try:
                with pool.bind(making):
                    with connection.cursor() as cursor:
                        cursor.execute("PRAGMA journal_mode = WAL")
                    make_tables(at)
            finally:
                pool.close()
            self.seal(making)

    def structure(self) -> list[str]:
        """Return what made the tables and indexes, without regard to the order of columns."""
        with connection.cursor() as cursor:
            rows = cursor.execute(
                "SELECT sql, tbl_name FROM sqlite_master"
                " WHERE sql IS NOT NULL AND type <> 'trigger'"
            ).fetchall()
        return sorted(
            _sorted_parts(sql)
            for sql, table in rows
            if table not in JOURNAL_TABLES and not table.startswith(PREFIX)
        )

    def seal(self, store: Path) -> None:
        """Fold the write-ahead log into the file."""
        with out_of_space(store), _reading(store), closing(_connect(store, 1)) as raw:
            busy, _, _ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:
                raise CorruptSnapshot(f"{store} is in use: close it before sealing it")
        for suffix in COMPANIONS:
            store.with_name(store.name + suffix).unlink(missing_ok=True)

    @contextmanager
    def compacting(self, store: Path) -> Iterator[None]:
        """Write the rows that are there to another file, which takes the store's place.

        A thread of its own does it: SQLite needs no Python for that.
        """
        with self._making(store) as making:
            with ThreadPoolExecutor(max_workers=1) as pool:
                written = pool.submit(_write_compact, store, making)
                yield
                written.result()
            self.seal(store)

    def copy_sealed(self, image: Path, target: Path) -> None:
        """Copy one file to a temporary name, then rename it."""
        with self._making(target) as making:
            try:
                copy_file(image, making)
            except FileNotFoundError as error:
                raise CorruptSnapshot(f"{image} is gone: build the world again") from error

    def copy_image(self, image: Path, target: Path, *, shared: bool = False) -> None:
        """Copy one file."""
        self.copy_sealed(image, target)

    def copy_live(self, store: Path, target: Path) -> None:
        """Copy the file, then its log, under the write lock; then fold the log in and rename.

        Under the lock nobody can restart the log, so it has every page that a checkpoint may be
        writing to the file while that is copied.
        """
        log = store.with_name(store.name + "-wal")
        with self._making(target) as making:
            with _reading(store), closing(_connect(store)) as raw:
                raw.execute("BEGIN IMMEDIATE")
                copy_descriptor(open_descriptor(store), making)
                if log.exists():
                    copy_file(log, making.with_name(making.name + "-wal"))
                raw.execute("ROLLBACK")
            self.seal(making)

    def hand_over(self, ready: Path, target: Path) -> bool:
        """Rename one file."""
        try:
            ready.replace(target)
        except FileNotFoundError:
            return False
        return True

    def check(self, store: Path) -> None:
        """Run SQLite's own check."""
        with _reading(store), closing(_connect(store)) as raw:
            (verdict,) = raw.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise CorruptSnapshot(f"{store} is damaged: {verdict}")

    def is_damage(self, error: Exception) -> bool:
        """Tell whether SQLite says that the file is malformed or no database."""
        cause = error.__cause__ if isinstance(error, DatabaseError) else error
        return isinstance(cause, sqlite3.Error) and _is_damage(cause)

    def state_of(self, store: Path) -> tuple[object, ...]:
        """Return the file's inode, size and time."""
        found = store.stat()
        return (found.st_ino, found.st_size, found.st_mtime_ns)

    def seal_of(self, store: Path) -> str:
        """Return the SHA-256 of the file."""
        with store.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def size_of(self, store: Path) -> int:
        """Return the size of the file."""
        return store.stat().st_size

    def remove(self, store: Path) -> None:
        """Remove the file and its companions, the file first: a log without its file is nothing."""
        store.unlink(missing_ok=True)
        for suffix in COMPANIONS:
            store.with_name(store.name + suffix).unlink(missing_ok=True)

    def sweep(self, folder: Path) -> list[Path]:
        """Remove temporary files, and companions of files that are gone."""
        removed: list[Path] = []
        for path in sorted(folder.rglob("*")):
            if not path.is_file():
                continue
            name = path.name
            is_leftover = TEMPORARY in name
            for suffix in COMPANIONS:
                if name.endswith(suffix):
                    # Never touch the log of a file that exists: it holds committed rows.
                    is_leftover |= not path.with_name(name.removesuffix(suffix)).exists()
            if is_leftover:
                path.unlink(missing_ok=True)
                removed.append(path)
        return removed

    @contextmanager
    def building(self) -> Iterator[None]:
        """Write pages to their place at once, not to the log first, and wait for no disk."""
        with connection.cursor() as cursor:
            (kept,) = cursor.execute("PRAGMA synchronous").fetchone()
            cursor.execute("PRAGMA journal_mode = MEMORY").fetchall()
            cursor.execute("PRAGMA synchronous = OFF")
            try:
                yield
            finally:
                cursor.execute(f"PRAGMA synchronous = {int(kept)}")
                cursor.execute("PRAGMA journal_mode = WAL").fetchall()

    @contextmanager
    def undoing(self) -> Iterator[None]:
        """Give the connection a larger cache, and leave the log to be folded by `tidy`."""
        with connection.cursor() as cursor:
            kept = {}
            for pragma, value in (("cache_size", -UNDO_CACHE), ("wal_autocheckpoint", 0)):
                (kept[pragma],) = cursor.execute(f"PRAGMA {pragma}").fetchone()
                cursor.execute(f"PRAGMA {pragma} = {value}")
            try:
                yield
            finally:
                for pragma, value in kept.items():
                    cursor.execute(f"PRAGMA {pragma} = {int(value)}")

    def untidy(self, stores: Sequence[Path]) -> list[Path]:
        """Return those of these stores whose write-ahead log has grown."""
        return [store for store in stores if _log_size(store) > LOG_LIMIT]

    def tidy(self, *, limit: int | None = None) -> bool:
        """Truncate a write-ahead log that has grown, if nobody reads from it just now."""
        store = Path(connection.settings_dict["NAME"])
        if _log_size(store) <= (LOG_LIMIT if limit is None else limit):
            return False
        with connection.cursor() as cursor:
            (patience,) = cursor.execute("PRAGMA busy_timeout").fetchone()
            cursor.execute("PRAGMA busy_timeout = 0")
            try:
                (busy, _, _) = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            finally:
                cursor.execute(f"PRAGMA busy_timeout = {int(patience)}")
        return not busy

    @contextmanager
    def _making(self, target: Path) -> Iterator[Path]:
        """Make a store in the block under a temporary name; rename it at the end, or remove it."""
        making = temporary(target)
        self.remove(making)
        try:
            with out_of_space(target):
                yield making
                making.replace(target)
        except BaseException:
            self.remove(making)
            raise


def _write_compact(store: Path, target: Path) -> None:
    """Write what a store holds to a new file."""
    with _reading(store):
        with closing(_connect(store)) as raw:
            raw.execute("VACUUM INTO ?", (str(target),))
        with closing(_connect(target)) as raw:
            raw.execute("PRAGMA journal_mode = WAL").fetchall()


def _connect(store: Path, patience: float = PATIENCE) -> sqlite3.Connection:
    """Open a store that exists."""
    return sqlite3.connect(
        f"{store.as_uri()}?mode=rw", uri=True, timeout=patience, isolation_level=None
    )


def _is_damage(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


@contextmanager
def _reading(store: Path) -> Iterator[None]:
    """Turn a file that is gone or damaged into `CorruptSnapshot`."""
    try:
        yield
    except sqlite3.Error as error:
        if _is_damage(error) or not store.exists():
            raise CorruptSnapshot(f"{store} is damaged: {error}") from error
        raise


def _log_size(store: Path) -> int:
    try:
        return store.with_name(store.name + "-wal").stat().st_size
    except FileNotFoundError:
        return 0
