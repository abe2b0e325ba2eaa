"""Stores as databases of one PostgreSQL server, each named by the small file at its store's path.

The file is written before its database is made and removed after that is gone, so a crash leaves at
most a file that names nothing, or a database that no file of the server's data directory names:
`sweep` removes both. Copies are made by the server, from a database that nobody is connected to.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
from django.db import DatabaseError, OperationalError, connection, transaction

from clones.core.journal import journal, layout
from clones.core.server import server
from clones.core.tables import make_tables
from clones.core.tenancy.postgres.base import PAUSE, READ_LOCK, WRITE_LOCK
from clones.core.tenancy.postgres.marker import database_of, write_marker
from clones.core.tenancy.stores import StorePool
from snapshots.errors import CorruptSnapshot
from snapshots.files import TEMPORARY, out_of_space, temporary
from snapshots.interface import Capabilities
from snapshots.postgres_databases import (
    accept_again,
    accept_clients,
    administering,
    connect,
    create,
    drop,
    end_others,
    is_missing,
    prefix,
    shares_blocks,
    wait_for_the_dead,
)

SUFFIX = ".postgres"
LOCKS = (WRITE_LOCK, READ_LOCK)
SHARED = "sandlot_shared_"  # how the databases begin that no server's sweep may drop
CLOSING = 3.0  # seconds that the server may take to end a connection that was closed
DEAD_ROWS = 20_000  # of a store, before idle time is worth a vacuum
DIED = "SELECT datname, tup_updated + tup_deleted FROM pg_stat_database WHERE datname = ANY(%s)"
STRUCTURE = r"""
    WITH tables AS (
        SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
            AND relname NOT IN ('core_journal', 'core_act', 'core_dropped')
    )
    SELECT attrelid::regclass::text, attname, format_type(atttypid, atttypmod), attnotnull,
        pg_get_expr(adbin, adrelid)
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid IN (SELECT oid FROM tables) AND attnum > 0 AND NOT attisdropped
    UNION ALL SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), true, ''
    FROM pg_constraint WHERE conrelid IN (SELECT oid FROM tables)
    UNION ALL SELECT indrelid::regclass::text, '', pg_get_indexdef(indexrelid), true, ''
    FROM pg_index WHERE indrelid IN (SELECT oid FROM tables)
        AND indexrelid::regclass::text NOT LIKE 'words\_%'
"""
DAMAGE = (
    psycopg.errors.DataCorrupted,
    psycopg.errors.IndexCorrupted,
    psycopg.errors.InvalidCatalogName,
    psycopg.errors.UndefinedTable,
    psycopg.errors.UndefinedFile,
)


class PostgresSnapshots:
    """Implement `SnapshotEngine` on databases."""

    name = "postgres"
    suffix = SUFFIX

    def __init__(self) -> None:
        # By database: rows that had died when `tidy` looked. Who is not asked about by `untidy` is
        # forgotten: lost with that, or with the process, `tidy` looks again.
        self._seen: dict[str, int] = {}

    def home(self) -> str:
        """Return the identifier that the server got when it was made."""
        with administering() as raw:
            row = raw.execute("SELECT system_identifier FROM pg_control_system()").fetchone()
        return f"postgres {row}"

    def capabilities(self, folder: Path) -> Capabilities:
        """Return what the engine can do: whether copies have been found to share blocks."""
        with administering() as raw:
            return Capabilities(self.name, reflink=shares_blocks(raw))

    def new_store(self, target: Path, *, at: Sequence[tuple[str, str]] | None = None) -> None:
        """Make an empty database: tables, journal."""
        with self._making(target) as (making, database):
            with administering() as raw:
                create(raw, database, None)
            pool = StorePool(1)
            try:
                with pool.bind(making):
                    make_tables(at)
            finally:
                pool.close()
            self.seal(making)

    def structure(self) -> list[str]:
        """Return every column, index and constraint, in the server's own words."""
        with connection.cursor() as cursor:
            found = [str(row) for row in cursor.execute(STRUCTURE).fetchall()]
        return sorted(found)

    def seal(self, store: Path) -> None:
        """Make sure that nobody is connected: what others read cannot be copied."""
        database, until = _database(store), time.monotonic() + CLOSING
        with administering() as raw:
            while raw.execute(
                "SELECT 1 FROM pg_stat_activity"
                " WHERE datname = %s AND backend_type = 'client backend' LIMIT 1",
                [database],
            ).fetchall():
                if time.monotonic() > until:
                    raise CorruptSnapshot(f"{store} is in use: close it before sealing it")
                time.sleep(PAUSE / 4)

    @contextmanager
    def compacting(self, store: Path) -> Iterator[None]:
        """Rewrite the tables in as few pages as they take; from now on nobody can connect.

        They are locked meanwhile, so this waits for the end of the block.
        """
        yield
        database = _database(store)
        with out_of_space(store):
            with closing(connect(database)) as raw:
                raw.execute("VACUUM (FULL, ANALYZE)")
            with administering() as admin:
                accept_clients(admin, database, accept=False)

    def copy_sealed(self, image: Path, target: Path) -> None:
        """Have the server copy the image's database."""
        source = _database(image)
        with self._making(target) as (_, database), administering() as raw:
            create(raw, database, source)

    def copy_image(self, image: Path, target: Path, *, shared: bool = False) -> None:
        """Have the server copy the image's database to one that nobody can connect to."""
        source = _database(image)
        making = self._making(target, SHARED if shared else None)
        with making as (_, database), administering() as raw:
            create(raw, database, source)
            accept_clients(raw, database, accept=False)

    def copy_live(self, store: Path, target: Path) -> None:
        """Copy a database between two transactions: those under way end, others wait.

        The other connections are ended, those that wait at the beginning of a transaction too; they
        are opened anew when they are next used, which then waits for the end of the copy.
        """
        source = _database(store)
        with self._making(target) as (_, database), closing(connect(source)) as raw:
            raw.execute("SELECT pg_advisory_lock(%s), pg_advisory_lock(%s)", LOCKS)
            try:
                with administering() as admin:
                    accept_clients(admin, source, accept=False)
                end_others(raw, source)
                create(raw, database, source)
            finally:
                accept_again(source)

    def hand_over(self, ready: Path, target: Path) -> bool:
        """Rename the file that names a database."""
        try:
            ready.replace(target)
        except FileNotFoundError:
            return False
        return True

    def check(self, store: Path) -> None:
        """Check that every table is there with its triggers, and can be read from end to end."""
        pool = StorePool(1)
        try:
            with pool.bind(store), transaction.atomic():
                missing = journal().missing_triggers()
                if missing:
                    raise CorruptSnapshot(f"{store} is damaged: no triggers on {missing}")
                with connection.cursor() as cursor:
                    for table in layout().tables:
                        cursor.execute(f'SELECT count(*) FROM "{table.name}" t WHERE t IS NOT NULL')  # noqa: S608 - model names
        except DatabaseError as error:
            raise CorruptSnapshot(f"{store} is damaged: {error}") from error
        finally:
            pool.close()

    def is_damage(self, error: Exception) -> bool:
        """Tell whether PostgreSQL says that rows, tables or the database are gone or spoilt."""
        cause = error.__cause__ if isinstance(error, DatabaseError) else error
        return isinstance(cause, DAMAGE) or is_missing(error)

    def state_of(self, store: Path) -> tuple[object, ...]:
        """Return the file's state, and which database it names, closed or not."""
        found = store.stat()
        with administering() as raw:
            known = raw.execute(
                "SELECT oid, datname, datallowconn FROM pg_database WHERE datname = %s",
                [_database(store)],
            ).fetchone()
        if known is None:
            raise CorruptSnapshot(f"{store} is damaged: its database is gone")
        return (found.st_ino, found.st_size, found.st_mtime_ns, known)

    def seal_of(self, store: Path) -> str:
        """Return a hash of the database's identity: one that nobody connects to does not change."""
        *_, known = self.state_of(store)
        return hashlib.sha256(repr(known).encode()).hexdigest()

    def size_of(self, store: Path) -> int:
        """Return the bytes of a database on the server's disk."""
        with administering() as raw:
            found = raw.execute("SELECT pg_database_size(%s)", [_database(store)]).fetchone()
        return int(found[0]) if found else 0

    def remove(self, store: Path) -> None:
        """Drop the database, whoever is connected to it, then remove the file."""
        try:
            database = database_of(store)
        except OperationalError:
            store.unlink(missing_ok=True)
            return
        with administering() as raw:
            drop(raw, database)
        store.unlink(missing_ok=True)

    def sweep(self, folder: Path) -> list[Path]:
        """Remove what is half-made in `folder`, and databases that no file of the server names."""
        removed: list[Path] = []
        for path in sorted(folder.rglob(f"*{SUFFIX}{TEMPORARY}")):
            self.remove(path)
            removed.append(path)
        stores = [path for path in server().data.rglob(f"*{SUFFIX}*") if path.is_file()]
        named = {_named(path): path for path in stores}
        with administering() as raw:
            wait_for_the_dead(raw)
            rows = raw.execute(
                "SELECT datname, datallowconn FROM pg_database WHERE starts_with(datname, %s)",
                [prefix()],
            ).fetchall()
            for database, accepts in rows:
                if database not in named:
                    drop(raw, database)
                    removed.append(folder / f"{database} (database)")
                elif not accepts and folder in named[database].parents:  # a copy was cut off
                    accept_clients(raw, database, accept=True)
        return removed

    @contextmanager
    def building(self) -> Iterator[None]:
        """Do nothing: a transaction costs the same whether others see it or not."""
        yield

    @contextmanager
    def undoing(self) -> Iterator[None]:
        """Do nothing: dead rows are left to autovacuum and to `tidy`."""
        yield

    def untidy(self, stores: Sequence[Path]) -> list[Path]:
        """Return those of these stores in which many rows have died since `tidy` last looked.

        The server counts them for all its databases, so none is opened for that.
        """
        named = {name: store for store in stores if (name := _named(store)) is not None}
        self._seen = {name: died for name, died in self._seen.items() if name in named}
        with administering() as raw:
            counted = raw.execute(DIED, [list(named)]).fetchall()
        return [
            named[name] for name, died in counted if died - self._seen.get(name, 0) >= DEAD_ROWS
        ]

    def tidy(self, *, limit: int | None = None) -> bool:
        """Vacuum the bound store if it has gathered dead rows; `limit` says only that one waits."""
        if limit is not None:
            return False
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_database()")
            cursor.execute(DIED, [[cursor.fetchone()[0]]])
            self._seen.update(cursor.fetchall())
            cursor.execute("SELECT coalesce(sum(n_dead_tup), 0) FROM pg_stat_user_tables")
            (dead,) = cursor.fetchone()
            if dead < DEAD_ROWS:
                return False
            cursor.execute("VACUUM (ANALYZE)")
        return True

    @contextmanager
    def _making(self, target: Path, begins: str | None = None) -> Iterator[tuple[Path, str]]:
        """Name a new database under a temporary file; rename that at the end, or remove both.

        `begins` is how its name does, by default as those of this server's own.
        """
        making, database = temporary(target), (begins or prefix()) + secrets.token_hex(8)
        self.remove(making)
        try:
            with out_of_space(target):
                write_marker(making, database)
                yield making, database
                making.replace(target)
        except BaseException:
            with administering() as raw:  # whether or not the file still names it
                drop(raw, database)
            making.unlink(missing_ok=True)
            raise


def _database(store: Path) -> str:
    try:
        return database_of(store)
    except OperationalError as error:
        raise CorruptSnapshot(f"{store} is gone or damaged: {error}") from error


def _named(path: Path) -> str | None:
    try:
        return database_of(path)
    except OperationalError:
        return None
