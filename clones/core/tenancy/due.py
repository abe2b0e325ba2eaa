"""Which sandboxes are to be looked at, and from which machine time on: a part of the registry."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

from clones.core.serverfiles import open_file

DUE_SCHEMA = """
CREATE TABLE IF NOT EXISTS due (
  sandbox TEXT PRIMARY KEY REFERENCES sandbox (id) ON DELETE CASCADE,
  generation INTEGER NOT NULL,
  at REAL NOT NULL,
  ticket INTEGER NOT NULL
) STRICT;
"""


class RegistryFile:
    """The registry's file, with one connection per thread."""

    schema: ClassVar[str]

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()

    def _connect(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = open_file(self.path, self.schema, synchronous="NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
            self._local.connection = connection
        return connection

    def close(self) -> None:
        """Close this thread's connection."""
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
            self._local.connection = None

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        connection = self._connect()
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # a full disk has rolled back already
                connection.execute("ROLLBACK")
            raise


class DueNotes(RegistryFile):
    """Notes of what is due. What is due in a sandbox say its own rows."""

    def set_due(self, sandbox: str, generation: int, at: float) -> None:
        """Note that a sandbox is to be drained at a machine time, or earlier if so noted before.

        Each note has a ticket of its own, so that a drain under way cannot take it for the one that
        it began with.
        """
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO due SELECT id, ?, ?, 1 FROM sandbox WHERE id = ?"
                " ON CONFLICT (sandbox) DO UPDATE SET ticket = ticket + 1,"
                " at = CASE WHEN generation = excluded.generation THEN min(at, excluded.at)"
                " ELSE excluded.at END, generation = excluded.generation",
                (generation, at, sandbox),
            )

    def due_ticket(self, sandbox: str) -> int | None:
        """Return the ticket of a sandbox's note, None if there is none."""
        row = (
            self._connect()
            .execute("SELECT ticket FROM due WHERE sandbox = ?", (sandbox,))
            .fetchone()
        )
        return None if row is None else int(row[0])

    def settle_due(self, sandbox: str, ticket: int, *, again: float | None) -> None:
        """Take a note away, or move it to a later time, unless there is a newer one."""
        with self._writing() as connection:
            if again is None:
                connection.execute(
                    "DELETE FROM due WHERE sandbox = ? AND ticket = ?", (sandbox, ticket)
                )
            else:
                connection.execute(
                    "UPDATE due SET at = ? WHERE sandbox = ? AND ticket = ?",
                    (again, sandbox, ticket),
                )

    def forget_due(self, sandbox: str, generation: int) -> None:
        """Take away a note of a generation that has passed."""
        with self._writing() as connection:
            connection.execute(
                "DELETE FROM due WHERE sandbox = ? AND generation = ? AND NOT EXISTS"
                " (SELECT 1 FROM sandbox WHERE id = due.sandbox AND generation = due.generation)",
                (sandbox, generation),
            )

    def due_before(self, moment: float) -> list[tuple[str, int]]:
        """Return (sandbox, generation) of those due up to a machine time, the longest first."""
        return list(
            self._connect().execute(
                "SELECT sandbox, generation FROM due WHERE at <= ? ORDER BY at, sandbox", (moment,)
            )
        )
