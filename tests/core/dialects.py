"""What tests say to a store in SQL, and how strangers reach it, on the engine of this run."""

from __future__ import annotations

import marshal
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from django.conf import settings
from django.db import connection

from clones.core.journal import TableLayout

Row = tuple[Any, ...]


class Stranger(Protocol):
    """A connection of nobody's, past all of our code; `?` stands for parameters."""

    def run(self, statement: str, *parameters: Any) -> list[Row]:
        """Run a statement and return its rows."""


class Dialect(Protocol):
    """One engine as tests see it."""

    hostile: tuple[Any, ...]  # what raw statements may put where the models never would
    hostile_blobs: tuple[Any, ...]  # the same for a column of bytes
    always_checked: bool  # strangers cannot go round foreign keys
    options: dict[
        str, Any
    ]  # by which a store is opened that is asked for each table again and again

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """Return what the engine's driver raises."""

    def raw(self, statement: str, *parameters: Any) -> list[Row]:
        """Run a statement, `?` for parameters, on the sandbox's own connection."""

    def place(self, table: TableLayout) -> str:
        """Return what tells a table's rows apart, as SQL: where they lie, or their key."""

    def stored(self, column: str) -> str:
        """Return a column as SQL that gives it as it is stored."""

    def words(self, tables: Sequence[TableLayout]) -> Sequence[str | bytes]:
        """Return what each table has, in words that are made quickly.

        Equal words are equal rows: they tell NULL, an empty text and each value apart.
        """

    def replace(self, table: TableLayout, row: dict[str, Any]) -> None:
        """Write a row over whatever has its key, and on SQLite its unique values."""

    def replace_key(self, table: TableLayout, old: Any, new: Any) -> None:
        """Give a row a key, over whatever has it."""

    def lose_act(self) -> None:
        """Have the journal forget which act is at hand."""

    def touch_act(self) -> None:
        """Set what says which act is at hand to what it is."""

    def broken_foreign_keys(self) -> bool:
        """Tell whether rows of the store break foreign keys."""

    def stranger(self, store: Path, *, checked: bool = True) -> Any:
        """Connect as a stranger for the length of a block; unless `checked`, round foreign keys."""


def _marks(count: int) -> str:
    return ",".join("?" * count)


def _columns(table: TableLayout) -> str:
    return ",".join(f'"{column}"' for column in table.columns)


@cache
def _whole(name: str, columns: tuple[str, ...]) -> str:
    stored = ",".join(f'+"{column}"' for column in columns)
    return f'SELECT rowid, {stored} FROM "{name}"'


class SqliteDialect:
    """SQLite: keys and unique values are replaced, values of any kind fit any column."""

    always_checked = False
    options: dict[str, Any] = {"cached_statements": 1024}  # its driver keeps 128, of 240 tables
    hostile: tuple[Any, ...] = (
        None, "text\x00with\x00nul", b"\x00blob", 3, 2.5, -0.0, float("inf"), "12", "1.0",
        "𝄞" * 300,
    )  # fmt: skip
    hostile_blobs = tuple(value for value in hostile if value is not None)

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        return (sqlite3.Error,)

    def raw(self, statement: str, *parameters: Any) -> list[Row]:
        connection.ensure_connection()
        return list(connection.connection.cursor().execute(statement, parameters))

    def place(self, table: TableLayout) -> str:
        del table
        return "rowid"

    def stored(self, column: str) -> str:
        return f'+"{column}"'

    def words(self, tables: Sequence[TableLayout]) -> list[bytes]:
        # Version 2 writes each value with its type and to its last bit, whatever else refers to it.
        wholes = [_whole(table.name, table.columns) for table in tables]
        return [marshal.dumps(self.raw(whole), 2) for whole in wholes]

    def replace(self, table: TableLayout, row: dict[str, Any]) -> None:
        self.raw(
            f'INSERT OR REPLACE INTO "{table.name}" ({_columns(table)})'
            f" VALUES ({_marks(len(row))})",
            *row.values(),
        )

    def replace_key(self, table: TableLayout, old: Any, new: Any) -> None:
        self.raw(
            f'UPDATE OR REPLACE "{table.name}" SET "{table.key}" = ? WHERE "{table.key}" = ?',
            new,
            old,
        )

    def lose_act(self) -> None:
        self.raw("DELETE FROM core_context")

    def touch_act(self) -> None:
        self.raw("UPDATE core_context SET a = a + ?", 0)

    def broken_foreign_keys(self) -> bool:
        return bool(self.raw("PRAGMA foreign_key_check"))

    @contextmanager
    def stranger(self, store: Path, *, checked: bool = True) -> Iterator[Stranger]:
        bare = sqlite3.connect(store, isolation_level=None, timeout=10)
        try:
            bare.execute(f"PRAGMA foreign_keys = {int(checked)}")
            yield _SqliteStranger(bare)
        finally:
            bare.close()


class _SqliteStranger:
    def __init__(self, bare: sqlite3.Connection) -> None:
        self.bare = bare

    def run(self, statement: str, *parameters: Any) -> list[Row]:
        return list(self.bare.execute(statement, parameters))


class PostgresDialect:
    """PostgreSQL: columns take what they are declared for, and foreign keys always hold."""

    always_checked = True
    options: dict[str, Any] = {}

    hostile: tuple[Any, ...] = (
        None, "", "12", '{"a": [1, null]}', 3, 2**31 - 1, -1, 2.5, -0.0, float("inf"), float("nan"),
        True, b"\x00blob", "𝄞" * 30, "\\ \" ( , ) '' $$ E'\\n'",
    )  # fmt: skip
    hostile_blobs = (b"", b"\x00blob", bytes(range(256)))

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        import psycopg  # noqa: PLC0415 - only where it is the engine

        return (psycopg.Error,)

    def raw(self, statement: str, *parameters: Any) -> list[Row]:
        connection.ensure_connection()
        return _run(connection.connection, statement, parameters)

    def place(self, table: TableLayout) -> str:
        return f'"{table.key}"'

    def stored(self, column: str) -> str:
        return f'"{column}"'

    def words(self, tables: Sequence[TableLayout]) -> list[str]:
        parts = ", ".join(
            f"""(SELECT string_agg(t::text, E'\\n' ORDER BY t::text COLLATE "C") FROM "{name}" t)"""
            for name in (table.name for table in tables)
        )
        # A record's text tells NULL and an empty text apart.
        ((found,),) = self.raw(f"SELECT ARRAY[{parts}]")
        return [words or "" for words in found]

    def replace(self, table: TableLayout, row: dict[str, Any]) -> None:
        sets = ",".join(f'"{name}" = excluded."{name}"' for name in table.columns)
        self.raw(
            f'INSERT INTO "{table.name}" ({_columns(table)}) VALUES ({_marks(len(row))})'
            f' ON CONFLICT ("{table.key}") DO UPDATE SET {sets}',
            *row.values(),
        )

    def replace_key(self, table: TableLayout, old: Any, new: Any) -> None:
        if old != new:
            self.raw(f'DELETE FROM "{table.name}" WHERE "{table.key}" = ?', new)
            self.raw(
                f'UPDATE "{table.name}" SET "{table.key}" = ? WHERE "{table.key}" = ?', new, old
            )

    def lose_act(self) -> None:
        self.raw("SELECT set_config('sandlot.act', '', true)")

    def touch_act(self) -> None:
        self.raw("SELECT set_config('sandlot.act', current_setting('sandlot.act'), true)")

    def broken_foreign_keys(self) -> bool:
        return False

    @contextmanager
    def stranger(self, store: Path, *, checked: bool = True) -> Iterator[Stranger]:
        import psycopg  # noqa: PLC0415 - only where it is the engine

        from clones.core.tenancy.postgres.marker import database_of  # noqa: PLC0415 - the same

        del checked
        options = settings.DATABASES["default"]
        with (
            suppress(psycopg.errors.AdminShutdown),
            psycopg.connect(
                dbname=database_of(store),
                host=options["HOST"],
                port=options["PORT"],
                user=options["USER"],
                autocommit=True,
            ) as bare,
        ):
            yield _PostgresStranger(bare)


class _PostgresStranger:
    def __init__(self, bare: Any) -> None:
        self.bare = bare

    def run(self, statement: str, *parameters: Any) -> list[Row]:
        return _run(self.bare, statement.replace("BEGIN IMMEDIATE", "BEGIN"), parameters)


def _run(raw: Any, statement: str, parameters: tuple[Any, ...]) -> list[Row]:
    with raw.cursor() as cursor:
        cursor.execute(
            statement.replace("%", "%%").replace("?", "%s") if parameters else statement,
            parameters or None,
        )
        return [tuple(row) for row in cursor] if cursor.description is not None else []


IS_POSTGRES = settings.SNAPSHOT_ENGINE.endswith("PostgresSnapshots")
DIALECT: Dialect = PostgresDialect() if IS_POSTGRES else SqliteDialect()
