"""SQLite files that belong to a server and to no sandbox: the registry and the request logs.

They have no migrations. Whether a file is of this build is told by its tables themselves, so that
no version number can be forgotten when a table changes.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Literal


class OtherSchema(Exception):
    """Raised when a file's tables are not those of this build."""


def open_file(
    path: Path, schema: str, *, synchronous: Literal["OFF", "NORMAL"]
) -> sqlite3.Connection:
    """Open a server's file in WAL mode, made first unless it is there, and return its connection.

    `schema` creates each table and index unless it exists. A file that is refused is left alone.

    Raises:
        OtherSchema: another build made the file.
    """
    if not path.exists():
        _make(path, schema)
    connection = sqlite3.connect(path, timeout=10, isolation_level=None)
    try:
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        if not _tables(connection):  # somebody made an empty file
            connection.executescript(f"BEGIN IMMEDIATE;{schema}COMMIT;")
        check_tables(connection, path, schema)
    except BaseException:
        connection.close()
        raise
    return connection


def _make(path: Path, schema: str) -> None:
    """Make a file whole under a name of our own, then give it its name unless it is taken by then.

    SQLite does not wait for others when a file's journal mode changes, so processes that start at
    once must not do that to one file.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}")
    draft.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(draft)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(schema)
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def check_tables(connection: sqlite3.Connection, path: Path, schema: str) -> None:
    """Check that a file has the tables of this build, or none yet.

    Raises:
        OtherSchema: another build made the file.
    """
    found = _tables(connection)
    if found and found != _expected(schema):
        raise OtherSchema(
            f"{path} was made by another build of Sandlot: serve this data directory with that"
            " build, or name another one with --data"
        )


@cache
def _expected(schema: str) -> dict[str, str]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(schema)
        return _tables(connection)


def _tables(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the statements that made a file's tables and indexes, by name."""
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {name: " ".join(sql.split()) for name, sql in rows}
