"""Every request the data plane answered, in the server's store: no reset undoes it.

Each worker writes a file of its own, so that workers do not wait for each other.
"""

from __future__ import annotations

import itertools
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from clones.core.serverfiles import OtherSchema, check_tables, open_file
from clones.core.unlogged import UnloggedRequests

logger = logging.getLogger(__name__)

SCHEMA = """
CREATE TABLE IF NOT EXISTS request (
  id TEXT PRIMARY KEY,
  at REAL NOT NULL,
  sandbox TEXT,
  generation INTEGER,
  clone TEXT,
  account INTEGER,
  operation TEXT,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  status INTEGER NOT NULL,
  milliseconds REAL NOT NULL,
  position INTEGER,
  step INTEGER,
  fault TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS request_sandbox ON request (sandbox, at);
"""

FIELDS = (
    "id, at, sandbox, generation, clone, account, operation, method, path, status,"
    " milliseconds, position, step, fault"
)


@dataclass(slots=True)
class LoggedRequest:
    """One answered request.

    `position` is the journal position that its answer was computed from; `fault` names a failure
    of ours (`harness_5xx`, `harness_stale`, `reset`), a fault that was injected (`injected_...`),
    or is None. A request that got no answer on purpose has the status 599.
    """

    id: str
    at: float
    sandbox: str | None
    generation: int | None
    clone: str | None
    account: int | None
    operation: str | None
    method: str
    path: str
    status: int
    milliseconds: float
    position: int | None
    step: int | None
    fault: str | None


@dataclass(frozen=True, slots=True)
class Tally:
    """Requests that have much in common, counted.

    `position` is the last journal position that one of them was answered from; `within` says how
    many took at most each of the bounds that were asked for.
    """

    clone: str | None
    method: str
    hundreds: int
    fault: str | None
    sandbox: str | None
    position: int | None
    count: int
    milliseconds: float
    within: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Arrival:
    """When a request came, and from whom to what."""

    at: float
    generation: int | None
    clone: str | None
    account: int | None
    path: str


class RequestLog:
    """The log of one server, written by this process under `name`.

    Raises:
        OtherSchema: another build made one of its files.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name
        self._unlogged = UnloggedRequests(folder / "unlogged")
        self._unlogged.open()
        self._local = threading.local()
        self._prefix = f"{name}{os.getpid():x}-{time.time_ns() & 0xFFFFFFFF:08x}"
        self._numbers = itertools.count(1)
        for path in self._files():
            with closing(sqlite3.connect(path, timeout=10)) as connection:
                check_tables(connection, path, SCHEMA)

    def next_id(self) -> str:
        """Return an id for a request that no other request of this server has."""
        return f"{self._prefix}-{next(self._numbers):06x}"

    def _connect(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            path = self.folder / f"{self.name}.sqlite"
            connection = open_file(path, SCHEMA, synchronous="OFF")
            self._local.connection = connection
        return connection

    def write(self, entry: LoggedRequest) -> None:
        """Append one request, or count it as one that could not be written down."""
        values = [getattr(entry, field) for field in LoggedRequest.__slots__]
        marks = ", ".join("?" * len(values))
        try:
            self._connect().execute(f"INSERT INTO request ({FIELDS}) VALUES ({marks})", values)  # noqa: S608 - constant columns
        except (sqlite3.Error, OSError, OtherSchema):
            logger.exception("a request of %s was not logged", entry.sandbox)
            self.note_lost(entry.sandbox)
        else:
            self._unlogged.settle()

    def note_lost(self, sandbox: str | None) -> None:
        """Note that something of a request that belongs to its evidence could not be kept."""
        if sandbox is not None:
            self._unlogged.add(sandbox)

    def lost(self, sandbox: str) -> int:
        """Return a number that grows with each request of a sandbox that could not be logged."""
        return self._unlogged.of(sandbox)

    def read(self, sandbox: str, *, since: float = 0.0) -> list[LoggedRequest]:
        """Return a sandbox's requests from every worker's file, oldest first."""
        found = [entry for path in self._files() for entry in _entries(path, sandbox, since)]
        return sorted(found, key=lambda entry: (entry.at, entry.id))

    def arrivals(self, sandbox: str, seen: dict[str, int], *, since: float) -> list[Arrival]:
        """Return when requests came to a sandbox, and from whom to what.

        Those that came before `since` are left out, and the rows that `seen` names by file; how
        far the files were read is noted there.
        """
        found: list[Arrival] = []
        for path in self._files():
            rows = (
                self._reader(path)
                .execute(
                    "SELECT rowid, at, generation, clone, account, path FROM request"
                    " WHERE sandbox = ? AND at >= ? AND rowid > ?",
                    (sandbox, since, seen.get(path.name, 0)),
                )
                .fetchall()
            )
            found += [Arrival(*row[1:]) for row in rows]
            seen[path.name] = max((row[0] for row in rows), default=seen.get(path.name, 0))
        return found

    def _reader(self, path: Path) -> sqlite3.Connection:
        """Return this thread's connection to a file, whoever writes it."""
        readers: dict[Path, sqlite3.Connection] = self._local.__dict__.setdefault("readers", {})
        if path not in readers:
            readers[path] = sqlite3.connect(path, timeout=10, isolation_level=None)
        return readers[path]

    def tally(self, seen: dict[str, int], bounds: Sequence[float]) -> list[Tally]:
        """Count the requests since the rows that `seen` names by file, and note there how far.

        `bounds` are milliseconds: a tally says how many requests took at most each.
        """
        within = "".join(f", sum(milliseconds <= {bound:g})" for bound in bounds)
        found: list[Tally] = []
        for path in self._files():
            after = seen.get(path.name, 0)
            with closing(sqlite3.connect(path, timeout=10)) as connection:
                (last,) = connection.execute("SELECT max(rowid) FROM request").fetchone()
                rows = connection.execute(
                    "SELECT clone, method, status / 100, fault, sandbox, max(position), count(*),"  # noqa: S608 - numbers of ours
                    f" sum(milliseconds){within} FROM request WHERE rowid > ? AND rowid <= ?"
                    " GROUP BY clone, method, status / 100, fault, sandbox",
                    (after, last or 0),
                )
                found += [Tally(*(*row[:8], tuple(row[8:]))) for row in rows]
            seen[path.name] = last or 0
        return found

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob("*.sqlite")) if self.folder.exists() else []


def _entries(path: Path, sandbox: str, since: float) -> Iterator[LoggedRequest]:
    connection = sqlite3.connect(path, timeout=10, isolation_level=None)
    try:
        rows = connection.execute(
            f"SELECT {FIELDS} FROM request WHERE sandbox = ? AND at >= ? ORDER BY at, id",  # noqa: S608 - constant columns
            (sandbox, since),
        ).fetchall()
    finally:
        connection.close()
    for row in rows:
        yield LoggedRequest(*row)
