"""The PostgreSQL backend of one sandbox's store: a database of its own on a shared server.

A store is a path here too. The small file at that path names the database (see `marker`), so what
the rest of the house does with stores by renaming and removing paths holds for databases as well.
"""

from __future__ import annotations

import select
import time
from pathlib import Path
from typing import Any, Literal

import psycopg
from django.db import OperationalError
from django.db.backends.postgresql import base as postgresql_backend
from psycopg import IsolationLevel

from clones.core.tenancy.errors import ConnectionEnded, NoSandbox, UnsafeConnection
from clones.core.tenancy.postgres.marker import database_of
from clones.core.tenancy.postgres.operations import DatabaseOperations
from clones.core.tenancy.wrapper import StoreWrapper

UNBOUND = "no-sandbox"
# Advisory locks of a database, held for a transaction: writers hold the first, one at a time, and
# readers share the second, so that who holds both has the database to himself.
WRITE_LOCK, READ_LOCK = 1, 2
BEGIN_WRITING = f"SELECT pg_advisory_xact_lock({WRITE_LOCK})"
BEGIN_READING = f"SELECT pg_advisory_xact_lock_shared({READ_LOCK})"
PATIENCE = 30.0  # seconds to wait for a database that is being copied, and for a writer
PAUSE = 0.02
# Images of rows are text: with these it means the same whoever wrote it. `CREATE DATABASE` gives
# them to each store, so that a client that sets nothing has them too.
PINNED = {"datestyle": "ISO, YMD", "intervalstyle": "postgres", "extra_float_digits": "1"}
SHOW_PINNED = f"SELECT {', '.join(f'current_setting({name!r})' for name in PINNED)}"


def has_something_to_say(raw: psycopg.Connection[Any]) -> bool:
    """Tell whether there is something to read on an idle connection: the server's good-bye."""
    asked = select.poll()  # unlike select(), for descriptors of any number
    asked.register(raw.fileno(), select.POLLIN)
    return bool(asked.poll(0))


class DatabaseWrapper(StoreWrapper, postgresql_backend.DatabaseWrapper):
    """A connection to one sandbox's database, or to none."""

    ops_class = DatabaseOperations
    # JSON is kept as it was written, as on SQLite: jsonb would sort its keys, write its numbers
    # anew, and refuse what JSON allows (NUL, half a surrogate pair).
    data_types = {**postgresql_backend.DatabaseWrapper.data_types, "JSONField": "text"}
    data_type_check_constraints = {
        **postgresql_backend.DatabaseWrapper.data_type_check_constraints,
        "JSONField": '("%(column)s"::json IS NOT NULL OR "%(column)s" IS NULL)',
    }

    def get_connection_params(self) -> dict[str, Any]:
        """Return what libpq needs, the database's name from the store's file.

        Raises:
            NoSandbox: no sandbox is bound.
            OperationalError: the store is gone, or its file is none of ours.
        """
        place = self.settings_dict["NAME"]
        if place == UNBOUND:
            raise NoSandbox("no sandbox is bound here: wrap the call in tenancy.bound(...)")
        self.settings_dict["NAME"] = database_of(Path(place))
        try:
            params: dict[str, Any] = super().get_connection_params()
        finally:
            self.settings_dict["NAME"] = place
        return params

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Connect, waiting a while if the database is just being copied.

        Raises:
            OperationalError: the server or the database is not there.
            UnsafeConnection: rows would be journaled in another form.
        """
        until = time.monotonic() + PATIENCE
        while True:
            try:
                connection = super().get_new_connection(conn_params)
                break
            except psycopg.OperationalError as error:
                if "not currently accepting connections" not in str(error):
                    raise
                if time.monotonic() > until:
                    raise
                time.sleep(PAUSE)
        connection.autocommit = True
        found = connection.execute(SHOW_PINNED).fetchone()
        if found != tuple(PINNED.values()):
            connection.close()
            raise UnsafeConnection(f"{tuple(PINNED)} are {found}: rows would be journaled so")
        return connection

    def prepare_unit(self, kind: Literal["read", "write"]) -> None:
        """Get ready for a transaction: reads see one moment and cannot write."""
        self.wake()
        self.ensure_connection()
        if self.in_atomic_block:
            return
        raw = self.connection
        reading = kind == "read"
        level = IsolationLevel.REPEATABLE_READ if reading else IsolationLevel.READ_COMMITTED
        if raw.isolation_level != level:
            raw.isolation_level = level
        if raw.read_only != reading:
            raw.read_only = reading

    def enter_unit(self, kind: Literal["read", "write"]) -> None:
        """Wait for the writer at work, at the beginning of a write transaction.

        The first statement of each transaction is one that can be tried again: the server may have
        ended the connection since it was looked at.

        Raises:
            ConnectionEnded: it has.
        """
        statement = BEGIN_WRITING if kind == "write" else BEGIN_READING
        try:
            with self.cursor() as cursor:
                cursor.execute(statement)
        except OperationalError as error:
            if self.connection is not None and not self.connection.closed:
                raise
            raise ConnectionEnded("the server ended an idle connection") from error

    def wake(self) -> None:
        """Close a connection that the server has ended while it was idle."""
        raw = self.connection
        if raw is None or self.in_atomic_block:
            return
        if raw.closed or has_something_to_say(raw):
            self.close()

    def is_fit(self) -> bool:
        """Tell whether the connection can be used again: it is open, with no transaction left."""
        raw = self.connection
        return (
            raw is not None
            and not raw.closed
            and raw.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
        )
