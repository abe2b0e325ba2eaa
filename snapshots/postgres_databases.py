"""The databases of one PostgreSQL server: made, copied, dropped, opened and closed to clients."""

from __future__ import annotations

import hashlib
import os
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from django.conf import settings
from django.db import OperationalError
from psycopg import sql

from clones.core.server import server
from clones.core.tenancy.postgres.base import PATIENCE, PAUSE, PINNED, has_something_to_say
from snapshots.errors import CorruptSnapshot


def prefix() -> str:
    """Return how the databases of this server's stores begin."""
    return f"sandlot_{hashlib.sha256(server().key).hexdigest()[:8]}_"


def connect(database: str) -> psycopg.Connection[Any]:
    """Connect to a database, outside transactions.

    Raises:
        CorruptSnapshot: there is no such database.
        OperationalError: the server does not answer.
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
        if is_missing(error):
            raise CorruptSnapshot(f"database {database} is gone") from error
        raise OperationalError(str(error)) from error


class _Administrator:
    """A connection to the server's own database, closed with the thread that keeps it.

    A child that was forked leaves it to its parent.
    """

    def __init__(self) -> None:
        self.process = os.getpid()
        self.raw = connect("postgres")

    def is_fit(self) -> bool:
        """Tell whether it is this process's, and the server has not ended it.

        Then there would be something to read.
        """
        return (
            self.process == os.getpid()
            and not self.raw.closed
            and not has_something_to_say(self.raw)
        )

    def __del__(self) -> None:
        """Close it."""
        with suppress(AttributeError):  # it could not be opened
            if self.process == os.getpid():
                self.raw.close()


_kept = threading.local()


@contextmanager
def administering() -> Iterator[psycopg.Connection[Any]]:
    """Give this thread's connection to the server's own database.

    It is closed if the block fails: whatever went wrong, the next caller starts afresh.

    Raises:
        OperationalError: the server does not answer, or has ended the connection.
    """
    kept: _Administrator | None = getattr(_kept, "administrator", None)
    if kept is None or not kept.is_fit():
        kept = _kept.administrator = _Administrator()
    try:
        yield kept.raw
    except BaseException as error:
        was_cut = kept.raw.closed and isinstance(error, psycopg.OperationalError)
        kept.raw.close()
        if was_cut:
            raise OperationalError(str(error)) from error
        raise


def create(raw: psycopg.Connection[Any], database: str, template: str | None) -> None:
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
    database = prefix() + secrets.token_hex(8)
    with administering() as raw:
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


def shares_blocks(raw: psycopg.Connection[Any]) -> bool:
    """Tell whether copies on a server are made by asking its disk to share blocks.

    The server does not say whether it did: on a file system that cannot, its kernel copies.
    """
    return _shares.get(_server_of(raw), False)


def _server_of(raw: psycopg.Connection[Any]) -> tuple[str, int]:
    return (raw.info.host, raw.info.port)


def _knows_clone(raw: psycopg.Connection[Any]) -> bool:
    """Tell whether the server can be asked to share blocks (PostgreSQL 18, where built so)."""
    found = raw.execute(
        "SELECT 'clone' = ANY(enumvals) FROM pg_settings WHERE name = 'file_copy_method'"
    ).fetchone()
    return bool(found and found[0])


def drop(raw: psycopg.Connection[Any], database: str) -> None:
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


def wait_for_the_dead(raw: psycopg.Connection[Any]) -> None:
    """Wait until the server has finished the copies that processes which died had asked for."""
    until = time.monotonic() + PATIENCE
    while raw.execute(
        "SELECT 1 FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND state = 'active'"
        " AND starts_with(query, %s)",
        [f'CREATE DATABASE "{prefix()}'],
    ).fetchone():
        if time.monotonic() > until:
            raise CorruptSnapshot("a copy that was begun before this start does not end")
        time.sleep(PAUSE)


def accept_clients(raw: psycopg.Connection[Any], database: str, *, accept: bool) -> None:
    """Let clients connect to a database, or have them wait (see the backend's own connections)."""
    raw.execute(
        sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}").format(
            sql.Identifier(database), sql.Literal(accept)
        )
    )


def accept_again(database: str) -> None:
    """Let clients connect to a database again, if it is still there."""
    with administering() as raw, suppress(psycopg.errors.InvalidCatalogName):
        accept_clients(raw, database, accept=True)


def end_others(raw: psycopg.Connection[Any], database: str) -> None:
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


def is_missing(error: Exception) -> bool:
    """Tell whether an error says that there is no such database."""
    return "does not exist" in str(error) and "database" in str(error)
