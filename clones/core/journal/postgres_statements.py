"""How the journal's PostgreSQL parts talk to the store: stored values, no Django converters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connections

from clones.core.journal.layout import TableLayout


def query(statement: str, parameters: Sequence[Any] | None = None) -> list[Any]:
    """Run a statement, or several without parameters, and return the rows of the last."""
    return list(stream(statement, parameters))


def enqueue(statement: str, parameters: Sequence[Any]) -> None:
    """Have a statement run whose rows nobody reads: with the next one, which raises what fails."""
    wrapper: Any = connections["default"]
    wrapper.ensure_connection()
    wrapper.enqueue(statement, parameters)


def run_many(statement: str, rows: Iterable[Sequence[Any]]) -> None:
    """Run a statement once for each row of parameters."""
    with _cursor() as cursor:
        cursor.executemany(statement, rows)


def stream(statement: str, parameters: Sequence[Any] | None = None) -> Iterator[Any]:
    """Run a statement and yield its rows."""
    with _cursor() as cursor:
        cursor.execute(statement, parameters)
        yield from cursor


@contextmanager
def _cursor() -> Iterator[Any]:
    wrapper = connections["default"]
    wrapper.ensure_connection()
    with wrapper.wrap_database_errors, wrapper.create_cursor() as cursor:
        yield cursor


def quote(name: str) -> str:
    """Return a name of ours as SQL."""
    return f'"{name}"'


def column_list(table: TableLayout, prefix: str = "") -> str:
    """Return a table's columns in model order."""
    return ",".join(f"{prefix}{quote(column)}" for column in table.columns)


def key_kind(table: TableLayout) -> str:
    """Return the type that a key of the journal, which is text, is cast to."""
    return "bigint" if table.key_is_number else "text"


def key_of_text(table: TableLayout, text: str) -> Any:
    """Return a key as the table has it."""
    return int(text) if table.key_is_number else text
