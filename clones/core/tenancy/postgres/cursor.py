"""The cursor of a store's connection, which hands statements to its line.

Values are adapted by the driver, as ever. What is out of the ordinary (several statements in one
text, named parameters) goes the driver's own way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import TracebackType
from typing import Any, Self

import psycopg
from psycopg.adapt import PyFormat, Transformer
from psycopg.pq import ExecStatus

from clones.core.tenancy.postgres.pipeline import PipelinedConnection, Statement

Row = tuple[Any, ...]

LONGEST = 8192  # characters; longer statements are bulk work, seldom the same twice
MARK = re.compile(r"%(.)", re.DOTALL)


class Cursor:
    """A DB-API cursor, whose rows are all there as soon as the statement has run."""

    arraysize = 100
    itersize = 100

    def __init__(self, pipeline: PipelinedConnection) -> None:
        self.connection = pipeline.connection
        self.closed = False
        self.rowcount = -1
        self._pipeline = pipeline
        self._transformer = Transformer(pipeline.connection)
        self._described: Any = None
        self._rows: Sequence[Row] = ()
        self._at = 0

    def execute(
        self, statement: str, params: Sequence[Any] | Mapping[str, Any] | None = None
    ) -> Self:
        """Run a statement.

        Raises:
            psycopg.Error: what the server says.
        """
        if ";" in statement or isinstance(params, Mapping):
            return self._the_drivers_way(statement, params)
        self._take(self._pipeline.fetch(self._adapted(statement, params)))
        return self

    def enqueue(self, statement: str, params: Sequence[Any], rows: int | None) -> None:
        """Have a statement run before the next one; `rows` is how many rows it has to touch."""
        self._pipeline.enqueue(self._adapted(statement, params), rows)

    def run(self, text: bytes) -> Self:
        """Run statements without parameters in one go, and keep the rows of the last.

        Raises:
            psycopg.Error: what the server says.
        """
        self._take(self._pipeline.run(text))
        return self

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]]) -> Self:
        """Run a statement once for each row of parameters; there are no rows to fetch.

        Raises:
            psycopg.Error: what the server says.
        """
        for row in rows:
            self._pipeline.enqueue(self._adapted(statement, row), None)
        self._pipeline.settle()
        self.rowcount, self._rows, self._at = -1, (), 0
        return self

    @property
    def description(self) -> Sequence[Any] | None:
        """The columns of the rows as (name, type's number, ...); None if there can be none."""
        found = self._described
        if found is None or found.status != ExecStatus.TUPLES_OK:
            return None
        return [
            ((found.fname(at) or b"").decode(), found.ftype(at), None, None, None, None, None)
            for at in range(found.nfields)
        ]

    def fetchone(self) -> Row | None:
        """Return the next row, None after the last."""
        if self._at >= len(self._rows):
            return None
        self._at += 1
        return self._rows[self._at - 1]

    def fetchmany(self, size: int | None = None) -> Sequence[Row]:
        """Return the next rows."""
        start = self._at
        self._at = min(len(self._rows), start + (self.arraysize if size is None else size))
        return self._rows[start : self._at]

    def fetchall(self) -> Sequence[Row]:
        """Return the rows that are left."""
        start, self._at = self._at, len(self._rows)
        return self._rows[start:] if start else self._rows

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows that are left."""
        while (row := self.fetchone()) is not None:
            yield row

    def close(self) -> None:
        """Let go of the rows."""
        self.closed = True
        self._rows = ()

    def __enter__(self) -> Self:
        """Return the cursor, which is closed at the end of the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    def _adapted(self, statement: str, params: Sequence[Any] | None) -> Statement:
        """Return a statement with the server's placeholders and the driver's values."""
        if params is None:
            return Statement(statement.encode())
        text, count = numbered(statement)
        if len(params) != count:
            raise psycopg.ProgrammingError(
                f"the statement has {count} placeholders, {len(params)} values were given"
            )
        if not count:
            return Statement(text)
        adapt = self._transformer
        values = adapt.dump_sequence(params, [PyFormat.AUTO] * count)
        return Statement(text, values, adapt.types or (), adapt.formats)

    def _take(self, result: Any) -> None:
        """Keep a result's rows."""
        self._described, self._at = result, 0
        if result.status == ExecStatus.TUPLES_OK:
            self._transformer.set_pgresult(result)
            self.rowcount = result.ntuples
            self._rows = self._transformer.load_rows(0, result.ntuples, tuple)
        else:
            self.rowcount = result.command_tuples or 0
            self._rows = ()

    def _the_drivers_way(
        self, statement: str, params: Sequence[Any] | Mapping[str, Any] | None
    ) -> Self:
        """Run what is out of the ordinary, and keep the rows of its last statement."""
        self._pipeline.settle()
        with self.connection.cursor() as cursor:
            cursor.execute(statement, params)
            while cursor.nextset():
                pass
            self._described, self._at = cursor.pgresult, 0
            self.rowcount = cursor.rowcount
            self._rows = cursor.fetchall() if cursor.description is not None else ()
        return self


def numbered(statement: str) -> tuple[bytes, int]:
    """Return a statement with the placeholders that the server knows, and how many they are.

    Raises:
        psycopg.ProgrammingError: a percent sign is neither doubled nor a placeholder's.
    """
    return _kept(statement) if len(statement) <= LONGEST else _numbered(statement)


def _numbered(statement: str) -> tuple[bytes, int]:
    count = 0

    def replace(found: re.Match[str]) -> str:
        nonlocal count
        if found[1] == "%":
            return "%"
        if found[1] != "s":
            raise psycopg.ProgrammingError(f"only %s is a placeholder here: {statement[:200]}")
        count += 1
        return f"${count}"

    return MARK.sub(replace, statement).encode(), count


_kept = lru_cache(maxsize=1024)(_numbered)
