"""The SQLite backend of one sandbox's store.

Django knows one alias, `default`. Unbound, it is this wrapper with no file and refuses
every query; `clones.core.tenancy.stores` puts a sandbox's own wrapper in its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal

from django.conf import settings
from django.db.backends.sqlite3 import base as sqlite3_backend
from django.db.backends.sqlite3 import operations

from clones.core.patterns import matches
from clones.core.tenancy.backend.memory import bytes_in_use
from clones.core.tenancy.errors import NoSandbox, UnsafeConnection
from clones.core.tenancy.wrapper import StoreWrapper

UNBOUND = "no-sandbox"

PRAGMAS = (
    # INSERT OR REPLACE fires delete triggers only with this: without it rows slip past the journal.
    "PRAGMA recursive_triggers = ON",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA cache_size = -512",
    "PRAGMA journal_size_limit = 4194304",
)

LOADING_CACHE = -65_536  # KiB
# What a connection takes where SQLite cannot be asked: its schema above all.
CONNECTION_BYTES = 5_000_000
KEPT_LENGTH = 8192  # characters of a statement; longer ones are bulk writes, seldom the same twice


class Cursor(sqlite3_backend.SQLiteCursorWrapper):
    """A cursor that rewrites the placeholders of a statement once, not at each of its uses."""

    def convert_query(self, query: str, *, param_names: list[str] | None = None) -> str:
        """Return the statement with the placeholders that SQLite knows."""
        if param_names is None and len(query) <= KEPT_LENGTH:
            return _with_question_marks(query)
        converted: str = super().convert_query(query, param_names=param_names)
        return converted


@lru_cache(maxsize=1024)
def _with_question_marks(query: str) -> str:
    return sqlite3_backend.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")


def moment_of(value: Any, expression: Any, connection: Any) -> datetime | None:
    """Return a stored time, which is UTC unless it says otherwise.

    Raises:
        ValueError: a text that is no time was stored.
    """
    if value is None:
        return None
    moment = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    if moment.tzinfo is not None:
        return moment
    # As `replace` does, which takes four times as long: lists read hundreds of times.
    return datetime.combine(moment, moment.time(), UTC)


class DatabaseOperations(operations.DatabaseOperations):
    """What Django asks SQLite's backend for, with a shorter way from texts to times and back."""

    convert_datetimefield_value = staticmethod(moment_of)

    def adapt_datetimefield_value(self, value: Any) -> Any:
        """Return a time as it is stored; most are in UTC, as stored ones are."""
        if type(value) is datetime and value.tzinfo is UTC and self.connection.timezone is UTC:
            return value.isoformat(" ").removesuffix("+00:00")
        return super().adapt_datetimefield_value(value)


class DatabaseWrapper(StoreWrapper, sqlite3_backend.DatabaseWrapper):
    """A connection to one sandbox's store, or to none."""

    ops_class = DatabaseOperations

    # `integer` and `bigint` hold the same numbers, but only a key of the first is the table's own
    # order: of the second SQLite keeps an index besides, to be written at each insert.
    data_types = {
        **sqlite3_backend.DatabaseWrapper.data_types,
        "BigIntegerField": "integer",
    }

    transaction_mode: str | None

    def prepare_unit(self, kind: Literal["read", "write"]) -> None:
        """Get ready for a transaction: deferred for reads, immediate for writes."""
        self.ensure_connection()  # connecting sets the mode back to the settings' own
        self.transaction_mode = "DEFERRED" if kind == "read" else "IMMEDIATE"

    def enter_unit(self, kind: Literal["read", "write"], first: str | None) -> Any:
        """Run `first` and nothing more: BEGIN IMMEDIATE has waited for the writer at work."""
        return None if first is None else self.connection.execute(first).fetchone()

    @contextmanager
    def loading(self) -> Iterator[None]:
        """Keep more pages in memory, and leave checks out: most are that JSON is JSON.

        A small cache would write the same pages again and again. The JSON has just been encoded,
        and a test runs the checks over a whole world.
        """
        (kept,) = self.connection.execute("PRAGMA cache_size").fetchone()
        self.connection.execute(f"PRAGMA cache_size = {LOADING_CACHE}").close()
        self.connection.execute("PRAGMA ignore_check_constraints = ON").close()
        try:
            yield
        finally:
            self.connection.execute("PRAGMA ignore_check_constraints = OFF").close()
            self.connection.execute(f"PRAGMA cache_size = {int(kept)}").close()

    def memory_of(self, connections: int) -> int:
        """Return what SQLite has allocated, whoever did; a guess where it does not say."""
        found = bytes_in_use()
        return found if found is not None else connections * CONNECTION_BYTES

    def interrupt(self) -> None:
        """End the statement at hand, asked from another thread than the one that waits for it."""
        connection = self.connection
        if connection is not None:
            connection.interrupt()

    def is_fit(self) -> bool:
        """Tell whether the connection can be used again: it is open, with no transaction left."""
        return self.connection is not None and not self.connection.in_transaction

    def create_cursor(self, name: str | None = None) -> Any:
        """Return a cursor of the connection."""
        return self.connection.cursor(factory=Cursor)

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Open the file with the pragmas that the journal needs.

        Raises:
            NoSandbox: no sandbox is bound.
            UnsafeConnection: the connection would write round the journal.
        """
        if self.settings_dict["NAME"] == UNBOUND:
            raise NoSandbox("no sandbox is bound here: wrap the call in tenancy.bound(...)")
        connection = super().get_new_connection(conn_params)
        for pragma in PRAGMAS:
            connection.execute(pragma).close()
        # Django's own is Python's, which an unlucky pair keeps busy where nothing can end it.
        connection.create_function("regexp", 2, matches, deterministic=True)
        if settings.SANDBOX_QUOTA:
            (size,) = connection.execute("PRAGMA page_size").fetchone()
            connection.execute(f"PRAGMA max_page_count = {settings.SANDBOX_QUOTA // size}").close()
        if connection.execute("PRAGMA recursive_triggers").fetchone() != (1,):
            connection.close()
            raise UnsafeConnection("recursive_triggers is off: writes would not be journaled")
        return connection
