"""How many jobs ran and what became of them, in the server's store: no reset undoes it.

As with request logs each process writes a file of its own.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Literal

from clones.core.serverfiles import check_tables, open_file

Outcome = Literal["done", "retried", "failed"]

SCHEMA = """
CREATE TABLE IF NOT EXISTS job_run (
  kind TEXT NOT NULL,
  outcome TEXT NOT NULL,
  times INTEGER NOT NULL,
  PRIMARY KEY (kind, outcome)
) STRICT;
"""


class JobCounts:
    """The counts of one server, written by this process under `name`."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name
        self._local = threading.local()

    def note(self, kind: str, outcome: Outcome) -> None:
        """Count one run. What its transaction does later changes nothing: it ran."""
        self._connect().execute(
            "INSERT INTO job_run VALUES (?, ?, 1)"
            " ON CONFLICT (kind, outcome) DO UPDATE SET times = times + 1",
            (kind, outcome),
        )

    def read(self) -> Counter[tuple[str, str]]:
        """Return how often each (kind, outcome) came about, in all processes."""
        found: Counter[tuple[str, str]] = Counter()
        for path in sorted(self.folder.glob("*.sqlite")):
            with closing(sqlite3.connect(path, timeout=10)) as connection:
                check_tables(connection, path, SCHEMA)
                for kind, outcome, times in connection.execute("SELECT * FROM job_run"):
                    found[kind, outcome] += times
        return found

    def _connect(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            path = self.folder / f"{self.name}.sqlite"
            connection = open_file(path, SCHEMA, synchronous="OFF")
            self._local.connection = connection
        return connection
