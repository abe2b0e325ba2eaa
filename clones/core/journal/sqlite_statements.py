"""How the journal's SQLite parts talk to the store: stored values, no Django converters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db import connections

from clones.core.journal.layout import TableLayout


def query(statement: str, parameters: Sequence[Any] = ()) -> list[Any]:
    """Run a statement on the raw connection and return its rows."""
    return list(stream(statement, parameters))


def run_many(statement: str, rows: Iterable[Sequence[Any]]) -> None:
    """Run a statement once for each row of parameters."""
    wrapper = connections["default"]
    wrapper.ensure_connection()
    with wrapper.wrap_database_errors:
        wrapper.connection.cursor().executemany(statement, rows).close()


def stream(statement: str, parameters: Sequence[Any] = ()) -> Iterator[Any]:
    """Run a statement on the raw connection and yield its rows as they are read."""
    wrapper = connections["default"]
    wrapper.ensure_connection()
    with wrapper.wrap_database_errors:
        found = wrapper.connection.cursor()
        try:
            found.execute(statement, parameters)
            yield from found
        finally:
            found.close()


def quote(name: str) -> str:
    """Return a name of ours as SQL."""
    return f'"{name}"'


def column_list(table: TableLayout, prefix: str = "") -> str:
    """Return a table's columns in model order."""
    return ",".join(f"{prefix}{quote(column)}" for column in table.columns)


def stored_list(table: TableLayout) -> str:
    """Return a table's columns in model order, to be read as they are stored.

    Django's connections turn what comes from a column declared `bool` or `datetime` into Python
    values; what comes from an expression is left alone.
    """
    return ",".join(f"+{quote(column)}" for column in table.columns)


def image_list(table: TableLayout, prefix: str = "") -> str:
    """Return the journal's columns that hold a table's columns."""
    return ",".join(f"{prefix}b{index}" for index in range(len(table.columns)))


def has_own_rowid(table: TableLayout) -> bool:
    """Tell whether rows have a rowid beside their key (an INTEGER key is the rowid)."""
    return str(table.fields[table.key_index].db_type(connections["default"])).upper() != "INTEGER"
