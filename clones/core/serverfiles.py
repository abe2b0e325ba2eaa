"""SQLite files that belong to a server and to no sandbox: the registry and the request logs.

They have no migrations. Whether a file is of this build is told by its tables themselves, so that
no version number can be forgotten when a table changes.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path


class OtherSchema(Exception):
    """Raised when a file's tables are not those of this build."""


def make_tables(connection: sqlite3.Connection, path: Path, schema: str) -> None:
    """Make the tables of a file that has none yet, and check those that are there.

    `schema` creates each table and index unless it exists. A file that is refused is left alone.

    Raises:
        OtherSchema: another build made the file.
    """
    if not _tables(connection):
        # At once, so that no other process finds some of the tables.
        connection.executescript(f"BEGIN IMMEDIATE;{schema}COMMIT;")
    check_tables(connection, path, schema)


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
