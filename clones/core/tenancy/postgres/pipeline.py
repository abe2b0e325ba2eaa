"""The line to one store's server: how statements go there, and how often somebody waits.

Most of what a small statement costs is the way to the server and back. So a statement is one call
of libpq, which waits with the interpreter free; a statement whose answer nobody reads waits for the
next one and goes with it; and the server keeps the plans of those that come often. The driver keeps
none: it would have the server forget these when it forgets its own.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus

from clones.core.tenancy.errors import RowGone

# Uses of a statement on one connection before the server keeps its plan, and how many it keeps.
THRESHOLD = 1
KEPT = 100
LONGEST = 8192  # bytes; longer statements are bulk work, seldom the same twice
OWED = 32  # statements that may wait for the next; their answers have to fit into a socket's buffer
KEEPABLE = re.compile(rb"\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b", re.IGNORECASE)
ALTERS = re.compile(rb"\s*(?:CREATE|ALTER|DROP)\b", re.IGNORECASE)
SQLSTATE = DiagnosticField.SQLSTATE
FINE = (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK, ExecStatus.EMPTY_QUERY)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement with the server's placeholders ($1), and parameters as the driver has them."""

    text: bytes
    values: Sequence[Any] | None = None
    types: tuple[int, ...] = ()
    formats: Sequence[Any] | None = None


class PipelinedConnection:
    """What goes over one connection."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection
        self._pgconn = connection.pgconn
        self._uses: OrderedDict[bytes, int] = OrderedDict()
        self._names: OrderedDict[tuple[bytes, tuple[int, ...]], bytes] = OrderedDict()
        self._given = 0
        self._owed: list[int | None] = []  # of what waits, how many rows each has to touch

    def fetch(self, statement: Statement) -> Any:
        """Run a statement after those that wait, and return its result.

        Raises:
            psycopg.Error: what the server says, of this one or of those that waited.
            RowGone: one that waited did not touch its rows.
        """
        name = self._name(statement)
        values, types, formats = statement.values, statement.types, statement.formats
        if self._owed:
            if name is None:
                self._pgconn.send_query_params(statement.text, values, types, formats)
            else:
                self._pgconn.send_query_prepared(name, values, formats)
            return self._collect(asked=True)
        if name is None:
            found = self._pgconn.exec_params(statement.text, values, types, formats)
        else:
            found = self._pgconn.exec_prepared(name, values, formats)
        return self._checked(found)

    def enqueue(self, statement: Statement, rows: int | None) -> None:
        """Have a statement run before the next one; `rows` is how many rows it has to touch.

        What goes wrong with it is raised by the next one, or by the end of the transaction.
        """
        name = self._name(statement)
        if name is None:
            self._counted(self.fetch(statement), rows)
            return
        if not self._owed:
            self._pgconn.enter_pipeline_mode()
        self._pgconn.send_query_prepared(name, statement.values, statement.formats)
        self._owed.append(rows)
        if len(self._owed) >= OWED:
            self.settle()

    def run(self, text: bytes) -> Any:
        """Run statements without parameters after those that wait; return the result of the last.

        Raises:
            psycopg.Error: what the server says.
            RowGone: one that waited did not touch its rows.
        """
        self.settle()
        return self._checked(self._pgconn.exec_(text))

    def settle(self) -> None:
        """Run what waits: before something goes over the connection by other ways.

        Raises:
            psycopg.Error: what the server says.
            RowGone: one did not touch its rows.
        """
        if self._owed:
            self._collect(asked=False)

    def _collect(self, *, asked: bool) -> Any:
        """Read the results of what waited, and return the one of what was asked besides."""
        expected, self._owed = [*self._owed, *([None] if asked else [])], []
        pgconn = self._pgconn
        pgconn.pipeline_sync()
        results = []
        for _ in expected:
            results.append(pgconn.get_result())
            pgconn.get_result()  # None, which ends a statement's results
        end = pgconn.get_result()
        in_order = end is not None and end.status == ExecStatus.PIPELINE_SYNC
        if in_order:
            pgconn.exit_pipeline_mode()
        try:
            for result, rows in zip(results, expected, strict=True):
                self._counted(self._checked(result), rows)
        finally:
            if not in_order:  # the connection has ended, or is good for nothing
                self.connection.close()
        if not in_order:
            raise psycopg.OperationalError("the server's answers did not come in order")
        return results[-1]

    def _name(self, statement: Statement) -> bytes | None:
        """Return the name under which a statement is kept; None while it is not used enough."""
        text = statement.text
        key = (text, statement.types)
        name = self._names.get(key)
        if name is not None:
            return name
        if len(text) > LONGEST or not KEEPABLE.match(text):
            if ALTERS.match(text):
                self._forget()
            return None
        uses = self._uses.pop(text, 0) + 1
        self._uses[text] = uses
        if len(self._uses) > 4 * KEPT:
            self._uses.popitem(last=False)
        return self._keep(key) if uses > THRESHOLD else None

    def _keep(self, key: tuple[bytes, tuple[int, ...]]) -> bytes:
        """Have the server keep a statement in place of the oldest, and return its name."""
        self.settle()
        name = b"s%d" % self._given
        self._given += 1
        self._checked(self._pgconn.prepare(name, *key))
        self._names[key] = name
        if len(self._names) > KEPT:
            _, oldest = self._names.popitem(last=False)
            self.run(b"DEALLOCATE " + oldest)
        return name

    def _forget(self) -> None:
        """Have the server forget what it keeps: tables are about to change."""
        self._uses.clear()
        if self._names:
            self._names.clear()
            self.run(b"DEALLOCATE ALL")

    def _counted(self, result: Any, rows: int | None) -> None:
        if rows is not None and result.command_tuples != rows:
            raise RowGone(f"{result.command_tuples} rows were there in place of {rows}")

    def _checked(self, result: Any) -> Any:
        """Return a result that is none of an error.

        Raises:
            psycopg.Error: what the server says, as the driver's own cursors raise it.
        """
        if result is None:
            raise psycopg.OperationalError("the connection ended before the answer")
        if result.status in FINE:
            return result
        if self._pgconn.status == ConnStatus.BAD and not result.error_field(SQLSTATE):
            raise psycopg.OperationalError(result.get_error_message())
        raise psycopg.errors.error_from_result(result)
