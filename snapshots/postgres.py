"""Stores as databases of one PostgreSQL server, each named by the small file at its store's path.

The file is written before its database is made and removed after that is gone, so a crash leaves at
most a file that names nothing, or a database that no file of the server's data directory names:
`sweep` removes both. Copies are made by the server, from a database that nobody is connected to.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connection, transaction
from psycopg import sql

from clones.core.journal import journal, layout
from clones.core.server import server
from clones.core.tenancy.postgres.base import (
    PATIENCE,
    PAUSE,
    PINNED,
    READ_LOCK,
    WRITE_LOCK,
    has_something_to_say,
)
from clones.core.tenancy.postgres.marker import database_of, write_marker
from clones.core.tenancy.stores import StorePool
from snapshots.errors import CorruptSnapshot
from snapshots.files import TEMPORARY, out_of_space, temporary
from snapshots.interface import Capabilities

SUFFIX = ".postgres"
LOCKS = (WRITE_LOCK, READ_LOCK)
CLOSING = 3.0  # seconds that the server may take to end a connection that was closed
DEAD_ROWS = 20_000  # of a store, before idle time is worth a vacuum
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

    def capabilities(self, folder: Path) -> Capabilities:
        """Return what the engine can do: whether copies have been found to share blocks."""
        with _administering() as raw:
            return Capabilities(self.name, reflink=_shares.get(_server_of(raw), False))

    def new_store(self, target: Path) -> None:
        """Make an empty database: migrate, install the journal."""
        with self._making(target) as (making, database):
            with _administering() as raw:
                _create(raw, database, None)
            pool = StorePool(1)
            try:
                with pool.bind(making):
                    call_command("migrate", verbosity=0, interactive=False)
                    with transaction.atomic():
                        journal().install()
            finally:
                pool.close()
            self.seal(making)

    def seal(self, store: Path) -> None:
        """Make sure that nobody is connected: what others read cannot be copied."""
        database, until = _database(store), time.monotonic() + CLOSING
        with _administering() as raw:
            while raw.execute(
                "SELECT 1 FROM pg_stat_activity"
                " WHERE datname = %s AND backend_type = 'client backend' LIMIT 1",
                [database],
            ).fetchall():
                if time.monotonic() > until:
                    raise CorruptSnapshot(f"{store} is in use: close it before sealing it")
                time.sleep(PAUSE / 4)

    def compact(self, store: Path) -> None:
        """Rewrite the tables in as few pages as they take; from now on nobody can connect."""
        database = _database(store)
        with out_of_space(store):
            with closing(_connect(database)) as raw:
                raw.execute("VACUUM (FULL, ANALYZE)")
            with _administering() as admin:
                _accept(admin, database, accept=False)

    def copy_sealed(self, image: Path, target: Path) -> None:
        """Have the server copy the image's database."""
        source = _database(image)
        with self._making(target) as (_, database), _administering() as raw:
            _create(raw, database, source)

    def copy_live(self, store: Path, target: Path) -> None:
        """Copy a database between two transactions: those under way end, others wait.

        The other connections are ended, those that wait at the beginning of a transaction too; they
        are opened anew when they are next used, which then waits for the end of the copy.
        """
        source = _database(store)
        with self._making(target) as (_, database), closing(_connect(source)) as raw:
            raw.execute("SELECT pg_advisory_lock(%s), pg_advisory_lock(%s)", LOCKS)
            try:
                with _administering() as admin:
                    _accept(admin, source, accept=False)
                _end_others(raw, source)
                _create(raw, database, source)
            finally:
                _accept_again(source)

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
        return isinstance(cause, DAMAGE) or _is_missing(error)

    def state_of(self, store: Path) -> tuple[object, ...]:
        """Return the file's state, and which database it names, closed or not."""
        found = store.stat()
        with _administering() as raw:
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
        with _administering() as raw:
            found = raw.execute("SELECT pg_database_size(%s)", [_database(store)]).fetchone()
        return int(found[0]) if found else 0

    def remove(self, store: Path) -> None:
        """Drop the database, whoever is connected to it, then remove the file."""
        try:
            database = database_of(store)
        except OperationalError:
            store.unlink(missing_ok=True)
            return
        with _administering() as raw:
            _drop(raw, database)
        store.unlink(missing_ok=True)

    def sweep(self, folder: Path) -> list[Path]:
        """Remove what is half-made in `folder`, and databases that no file of the server names."""
        removed: list[Path] = []
        for path in sorted(folder.rglob(f"*{SUFFIX}{TEMPORARY}")):
            self.remove(path)
            removed.append(path)
        stores = [path for path in server().data.rglob(f"*{SUFFIX}*") if path.is_file()]
        named = {_named(path): path for path in stores}
        with _administering() as raw:
            rows = raw.execute(
                "SELECT datname, datallowconn FROM pg_database WHERE starts_with(datname, %s)",
                [_prefix()],
            ).fetchall()
            for database, accepts in rows:
                if database not in named:
                    _drop(raw, database)
                    removed.append(folder / f"{database} (database)")
                elif not accepts and folder in named[database].parents:  # a copy was cut off
                    _accept(raw, database, accept=True)
        return removed

    @contextmanager
    def undoing(self) -> Iterator[None]:
        """Do nothing: dead rows are left to autovacuum and to `tidy`."""
        yield

    def tidy(self, *, limit: int | None = None) -> bool:
        """Vacuum the bound store if it has gathered dead rows; `limit` says only that one waits."""
        if limit is not None:
            return False
        with connection.cursor() as cursor:
            cursor.execute("SELECT coalesce(sum(n_dead_tup), 0) FROM pg_stat_user_tables")
            (dead,) = cursor.fetchone()
            if dead < DEAD_ROWS:
                return False
            cursor.execute("VACUUM (ANALYZE)")
        return True

    @contextmanager
    def _making(self, target: Path) -> Iterator[tuple[Path, str]]:
        """Name a new database under a temporary file; rename that at the end, or remove both."""
        making, database = temporary(target), _prefix() + secrets.token_hex(8)
        self.remove(making)
        try:
            with out_of_space(target):
                write_marker(making, database)
                yield making, database
                making.replace(target)
        except BaseException:
            self.remove(making)
            raise


def _prefix() -> str:
    """Return how the databases of this server's stores begin."""
    return f"sandlot_{hashlib.sha256(server().key).hexdigest()[:8]}_"


def _connect(database: str) -> psycopg.Connection[Any]:
    """Connect to a database, outside transactions.

    Raises:
        CorruptSnapshot: there is no such database.
    """
    options = settings.DATABASES["default"]
    try:
        return psycopg.connect(
            dbname=database,
            host=options["HOST"] or None,
            port=options["PORT"] or None,
            user=options["USER"] or None,
            password=options["PASSWORD"] or None,
            connect_timeout=10,
            autocommit=True,
        )
    except psycopg.OperationalError as error:
        if _is_missing(error):
            raise CorruptSnapshot(f"database {database} is gone") from error
        raise


class _Administrator:
    """A connection to the server's own database, closed with the thread that keeps it."""

    def __init__(self) -> None:
        self.raw = _connect("postgres")

    def is_fit(self) -> bool:
        """Tell whether the server has not ended it: then there would be something to read."""
        return not self.raw.closed and not has_something_to_say(self.raw)

    def __del__(self) -> None:
        """Close it."""
        with suppress(AttributeError):  # it could not be opened
            self.raw.close()


_kept = threading.local()


@contextmanager
def _administering() -> Iterator[psycopg.Connection[Any]]:
    """Give this thread's connection to the server's own database.

    It is closed if the block fails: whatever went wrong, the next caller starts afresh.
    """
    kept: _Administrator | None = getattr(_kept, "administrator", None)
    if kept is None or not kept.is_fit():
        kept = _kept.administrator = _Administrator()
    try:
        yield kept.raw
    except BaseException:
        kept.raw.close()
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


def _create(raw: psycopg.Connection[Any], database: str, template: str | None) -> None:
    """Create a database, as a copy of another one or empty.

    Raises:
        CorruptSnapshot: the template is gone, or somebody stays connected to it.
    """
    name = sql.Identifier(database)
    if template is None:
        raw.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'").format(name)
        )
    else:
        try:
            _copy(raw, database, template)
        except psycopg.errors.InvalidCatalogName as error:
            raise CorruptSnapshot(f"database {template} is gone: build the world again") from error
        except psycopg.errors.ObjectInUse as error:
            raise CorruptSnapshot(f"database {template} is in use: {error}") from error
    _pin(raw, database)


def _copy(raw: psycopg.Connection[Any], database: str, template: str) -> None:
    """Copy a database's files, by sharing their blocks where server and disk can."""
    statement = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY").format(
        sql.Identifier(database), sql.Identifier(template)
    )
    if _knows_clone(raw) and _shares.get(_server_of(raw), True):
        raw.execute("SET file_copy_method = clone")
        try:
            raw.execute(statement)
        except psycopg.Error as error:
            if "could not clone file" not in str(error):
                raise
        else:
            _shares[_server_of(raw)] = True
            return
        _shares[_server_of(raw)] = False
        raw.execute("RESET file_copy_method")
    raw.execute(statement)


def default_clone(template: str) -> str:
    """Copy a database as the server does by default, for comparison; return the copy's name."""
    database = _prefix() + secrets.token_hex(8)
    with _administering() as raw:
        raw.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                sql.Identifier(database), sql.Identifier(template)
            )
        )
        _pin(raw, database)
    return database


def _pin(raw: psycopg.Connection[Any], database: str) -> None:
    """Give a database the forms in which its journal's images are text."""
    for setting, value in PINNED.items():
        raw.execute(
            sql.SQL("ALTER DATABASE {} SET {} = {}").format(
                sql.Identifier(database), sql.Identifier(setting), sql.Literal(value)
            )
        )


# Whether the disk of a server (host, port) can share blocks, once a copy has shown it.
_shares: dict[tuple[str, int], bool] = {}


def _server_of(raw: psycopg.Connection[Any]) -> tuple[str, int]:
    return (raw.info.host, raw.info.port)


def _knows_clone(raw: psycopg.Connection[Any]) -> bool:
    """Tell whether the server can be asked to share blocks (PostgreSQL 18, where built so)."""
    found = raw.execute(
        "SELECT 'clone' = ANY(enumvals) FROM pg_settings WHERE name = 'file_copy_method'"
    ).fetchone()
    return bool(found and found[0])


def _drop(raw: psycopg.Connection[Any], database: str) -> None:
    """Drop a database, whoever of ours is connected to it.

    To end a vacuum that the server has begun takes rights that we lack; the plain form of the
    statement does it by itself, but ends nobody else.
    """
    statement = sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(database))
    until = time.monotonic() + PATIENCE
    while True:
        try:
            raw.execute(statement + sql.SQL(" WITH (FORCE)"))
        except psycopg.errors.InsufficientPrivilege:
            try:
                raw.execute(statement)
            except psycopg.errors.ObjectInUse:
                if time.monotonic() > until:
                    raise
                continue
        return


def _accept(raw: psycopg.Connection[Any], database: str, *, accept: bool) -> None:
    """Let clients connect to a database, or have them wait (see the backend's own connections)."""
    raw.execute(
        sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}").format(
            sql.Identifier(database), sql.Literal(accept)
        )
    )


def _accept_again(database: str) -> None:
    with _administering() as raw, suppress(psycopg.errors.InvalidCatalogName):
        _accept(raw, database, accept=True)


def _end_others(raw: psycopg.Connection[Any], database: str) -> None:
    """End the other connections to a database, of which this one holds both locks.

    None of them is in a transaction that has done anything.
    """
    until = time.monotonic() + PATIENCE
    while True:
        rows = raw.execute(
            "SELECT CASE WHEN state = 'idle' OR wait_event = 'advisory'"
            " THEN pg_terminate_backend(pid) END FROM pg_stat_activity"
            " WHERE datname = %s AND pid <> pg_backend_pid() AND backend_type = 'client backend'",
            [database],
        ).fetchall()
        if not rows:
            return
        if time.monotonic() > until:
            raise CorruptSnapshot(f"database {database} is in use: a transaction does not end")
        time.sleep(PAUSE / 4)


def _is_missing(error: Exception) -> bool:
    return "does not exist" in str(error) and "database" in str(error)
