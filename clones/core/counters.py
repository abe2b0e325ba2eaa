"""Named counters of a sandbox: the last number given out of each.

Read and written many times in each request, so by plain SQL; triggers journal them like any row.
"""

from __future__ import annotations

from django.db import connection


def last(name: str) -> int | None:
    """Return the last number of a counter, None if it gave none yet."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT last FROM core_idsequence WHERE name = %s", [name])
        row = cursor.fetchone()
    return None if row is None else int(row[0])


def set_last(name: str, number: int, *, known: bool) -> None:
    """Remember the last number of a counter; `known` says that it gave one before."""
    statement = (
        "UPDATE core_idsequence SET last = %s WHERE name = %s"
        if known
        else "INSERT INTO core_idsequence (last, name) VALUES (%s, %s)"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [number, name])


def take(name: str) -> int:
    """Return the next number of a counter: 1, 2, 3..."""
    before = last(name)
    number = (before or 0) + 1
    set_last(name, number, known=before is not None)
    return number
