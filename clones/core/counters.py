"""Named counters of a sandbox: the last number given out of each.

Read and written many times in each request, so by plain SQL; triggers journal them like any row.
"""

from __future__ import annotations

from django.db import connection

CLIMB = (
    "UPDATE core_idsequence SET last = CASE WHEN %s > last + %s THEN %s ELSE last + %s END"
    " WHERE name = %s RETURNING last"
)


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


def climb(name: str, *, floor: int, stride: int, count: int) -> int:
    """Give out `count` numbers, each `stride` above the one before, and return the last of them.

    The first is `floor`, or a stride above the counter's last number where that is more.
    """
    span = stride * (count - 1)
    with connection.cursor() as cursor:
        cursor.execute(CLIMB, [floor, stride, floor + span, stride * count, name])
        row = cursor.fetchone()
    if row is not None:
        return int(row[0])
    set_last(name, floor + span, known=False)
    return floor + span


def take(name: str) -> int:
    """Return the next number of a counter: 1, 2, 3..."""
    before = last(name)
    number = (before or 0) + 1
    set_last(name, number, known=before is not None)
    return number
