"""The PostgreSQL backend of one sandbox's store: a database of its own on a shared server.

A store is a path here too. The small file at that path names the database (see `marker`), so what
the rest of the house does with stores by renaming and removing paths holds for databases as well.
"""

from __future__ import annotations

import select
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import psycopg
from django.db import OperationalError
from django.db.backends.postgresql import base as postgresql_backend
from psycopg.pq import TransactionStatus

from clones.core.tenancy.errors import ConnectionEnded, NoSandbox, RowGone, UnsafeConnection
from clones.core.tenancy.postgres.cursor import Cursor
from clones.core.tenancy.postgres.marker import database_of
from clones.core.tenancy.postgres.operations import DatabaseOperations
from clones.core.tenancy.postgres.pipeline import PipelinedConnection
from clones.core.tenancy.wrapper import StoreWrapper

INTEGERS = (
    "IntegerField",
    "PositiveIntegerField",
    "PositiveSmallIntegerField",
    "SmallIntegerField",
)
UNBOUND = "no-sandbox"
# Advisory locks of a database, held for a transaction: writers hold the first, one at a time, and
# readers share the second, so that who holds both has the database to themselves.
WRITE_LOCK, READ_LOCK = 1, 2
# Writers see what the one before has committed, readers one moment. Both statements go together.
LOCK = {
    "write": b"SELECT pg_advisory_xact_lock(%d)" % WRITE_LOCK,
    "read": b"SELECT pg_advisory_xact_lock_shared(%d)" % READ_LOCK,
}
BEGIN = {
    "write": b"BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; " + LOCK["write"],
    "read": b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; " + LOCK["read"],
}
PATIENCE = 30.0  # seconds to wait for a database that is being copied, and for a writer
PAUSE = 0.02
# Why connections cannot be had for a moment: the database is copied, all places are taken, or a
# copy ended one so early that its good-bye was lost. A server that has died refuses the next one.
PASSING = (
    "not currently accepting connections",
    "too many clients",
    "remaining connection slots",
    "server closed the connection unexpectedly",
    "Connection reset by peer",
    "Broken pipe",
)
# Images of rows are text: with these it means the same whoever wrote it. `CREATE DATABASE` gives
# them to each store, so that a client that sets nothing has them too.
PINNED = {"datestyle": "ISO, YMD", "intervalstyle": "postgres", "extra_float_digits": "1"}
SHOW_PINNED = f"SELECT {', '.join(f'current_setting({name!r})' for name in PINNED)}"


def is_passing(error: Exception) -> bool:
    """Tell whether a connection could not be had for a moment only.

    A copy of the database ends even a connection that is just being set up.
    """
    told = error.__cause__ if isinstance(error, OperationalError) else error
    return isinstance(told, psycopg.errors.AdminShutdown) or any(
        reason in str(error) for reason in PASSING
    )


def has_something_to_say(raw: psycopg.Connection[Any]) -> bool:
    """Tell whether there is something to read on an idle connection: the server's good-bye."""
    asked = select.poll()  # unlike select(), for descriptors of any number
    asked.register(raw.fileno(), select.POLLIN)
    return bool(asked.poll(0))


class DatabaseWrapper(StoreWrapper, postgresql_backend.DatabaseWrapper):
    """A connection to one sandbox's database, or to none."""

    ops_class = DatabaseOperations
    # JSON is kept as it was written, as on SQLite: jsonb would sort its keys, write its numbers
    # anew, and refuse what JSON allows (NUL, half a surrogate pair). Integers are as wide as there.
    data_types = {
        **postgresql_backend.DatabaseWrapper.data_types,
        **dict.fromkeys(INTEGERS, "bigint"),
        "JSONField": "text",
    }
    data_type_check_constraints = {
        **postgresql_backend.DatabaseWrapper.data_type_check_constraints,
        "JSONField": '("%(column)s"::json IS NOT NULL OR "%(column)s" IS NULL)',
    }
    pipepipeline: PipelinedConnection

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

    def connect(self) -> None:
        """Connect, waiting a while if the database is just being copied, or others have to go.

        Raises:
            OperationalError: the server or the database is not there.
            UnsafeConnection: rows would be journaled in another form.
        """
        until = time.monotonic() + PATIENCE
        while True:
            try:
                super().connect()
            except (psycopg.OperationalError, OperationalError) as error:
                if not is_passing(error) or time.monotonic() > until:
                    raise
                self.close()
                time.sleep(PAUSE)
            else:
                return

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Connect, and look that rows would be journaled in the one form.

        Raises:
            OperationalError: the server or the database is not there.
            UnsafeConnection: rows would be journaled in another form.
        """
        connection = super().get_new_connection(conn_params)
        connection.autocommit = True
        self.pipeline = PipelinedConnection(connection)
        found = connection.execute(SHOW_PINNED).fetchone()
        if found != tuple(PINNED.values()):
            connection.close()
            raise UnsafeConnection(f"{tuple(PINNED)} are {found}: rows would be journaled so")
        return connection

    def prepare_unit(self, kind: Literal["read", "write"]) -> None:
        """Get ready for a transaction: open the connection if need be."""
        self.wake()
        self.ensure_connection()

    def enter_unit(self, kind: Literal["read", "write"], first: str | None) -> Any:
        """Begin, wait for the writer at work if this is to be one, and run `first`, all at once.

        It can be tried again: the server may have ended the connection since it was looked at.

        Raises:
            ConnectionEnded: it has.
        """
        raw = self.connection
        idle = raw.info.transaction_status == TransactionStatus.IDLE
        text = BEGIN[kind] if idle else LOCK[kind]
        try:
            with self.wrap_database_errors:
                if first is None:
                    self.pipeline.run(text)
                    return None
                with Cursor(self.pipeline) as cursor:
                    return cursor.run(text + b"; " + first.encode()).fetchone()
        except OperationalError as error:
            if not raw.closed:
                raise
            raise ConnectionEnded("the server ended an idle connection") from error

    def create_cursor(self, name: str | None = None) -> Any:
        """Return a cursor of the connection; the server keeps the place of a named one."""
        raw = self.connection
        if not self.autocommit and raw.info.transaction_status == TransactionStatus.IDLE:
            self.pipeline.run(b"BEGIN")
        if name is not None:
            self.pipeline.settle()
            return raw.cursor(name, scrollable=False, withhold=self.autocommit)
        return Cursor(self.pipeline)

    def _set_autocommit(self, autocommit: bool) -> None:  # noqa: FBT001 - as Django calls it
        """Do nothing: the driver begins no transaction, `enter_unit` does, or the first cursor."""

    def _commit(self) -> None:
        self._end(b"COMMIT")

    def _rollback(self) -> None:
        with suppress(psycopg.Error, RowGone):
            self.pipeline.settle()
        self._end(b"ROLLBACK")

    def savepoint_rollback(self, sid: str) -> None:
        """Undo what was done since a savepoint, with what was told and waits: it came after it."""
        with suppress(psycopg.Error, RowGone):
            self.pipeline.settle()
        super().savepoint_rollback(sid)

    def _end(self, how: bytes) -> None:
        raw = self.connection
        if raw is not None and raw.info.transaction_status != TransactionStatus.IDLE:
            with self.wrap_database_errors:
                ended = self.pipeline.run(how).command_status
                if how == b"COMMIT" and ended == b"ROLLBACK":
                    raise psycopg.errors.InFailedSqlTransaction("it had failed: nothing is kept")

    def enqueue(self, statement: str, params: Sequence[Any], rows: int | None = None) -> None:
        """Have a statement run with the next one, or with the end of the transaction.

        Where somebody looks on, it is run at once. In a transaction that has failed nothing can be
        done any more, and an act that ends must not hide what had gone wrong in it.
        """
        raw = self.connection
        if raw is not None and raw.info.transaction_status == TransactionStatus.INERROR:
            return
        if self.execute_wrappers or self.queries_logged:
            super().enqueue(statement, params, rows)
            return
        with self.wrap_database_errors, self.create_cursor() as cursor:
            cursor.enqueue(statement, params, rows)

    def check_waiting(self) -> None:
        """Check the references that wait, and have later ones wait again."""
        self.check_constraints()

    def wake(self) -> None:
        """Close a connection that the server has ended while it was idle.

        One that was left inside a transaction is closed too: it would answer from the past.
        """
        raw = self.connection
        if raw is None or self.in_atomic_block:
            return
        if not self.is_fit() or has_something_to_say(raw):
            self.close()

    def interrupt(self) -> None:
        """End the statement at hand, asked from another thread than the one that waits for it."""
        raw = self.connection
        if raw is not None:
            with suppress(psycopg.Error):
                raw.cancel()

    def is_fit(self) -> bool:
        """Tell whether the connection can be used again: it is open, with no transaction left."""
        raw = self.connection
        return (
            raw is not None
            and not raw.closed
            and raw.info.transaction_status == TransactionStatus.IDLE
        )
