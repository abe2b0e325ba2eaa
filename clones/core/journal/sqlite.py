"""The journal on SQLite: short triggers that copy the old row into untyped columns.

Nothing is serialised on the way in, so floats, blobs, NULLs and text come back bit for bit. The
trigger text is kept short because SQLite parses the whole schema when a connection opens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from django.db import connection

from clones.core.journal.engine import ActRow, JournalRow, Operation, RewindReport, RowChange
from clones.core.journal.layout import TableLayout, layout

OPERATIONS: dict[str, Operation] = {"i": "insert", "u": "update", "d": "delete"}


class SqliteJournal:
    """Implement `JournalEngine` on SQLite."""

    # Set-up

    def install(self) -> None:
        """Create `core_journal`, `core_act`, `core_context` and the triggers."""
        images = ", ".join(f"b{index}" for index in range(layout().width))
        with connection.cursor() as cursor:
            cursor.execute(
                "CREATE TABLE core_journal (seq INTEGER PRIMARY KEY AUTOINCREMENT, a INTEGER,"
                f" t INTEGER NOT NULL, o TEXT NOT NULL, k, {images})"
            )
            cursor.execute(
                "CREATE TABLE core_act (id INTEGER PRIMARY KEY AUTOINCREMENT, opened INTEGER NOT NULL,"
                " at TEXT NOT NULL, step INTEGER NOT NULL, request TEXT, actor TEXT NOT NULL,"
                " cause INTEGER, label TEXT NOT NULL)"
            )
            cursor.execute("CREATE TABLE core_context (a INTEGER)")
            cursor.execute("INSERT INTO core_context VALUES (NULL)")
            for table in layout().tables:
                for statement in _triggers(table):
                    cursor.execute(statement)

    def missing_triggers(self) -> list[str]:
        """Return the journaled tables without their three triggers."""
        found = {name for (name,) in _query("SELECT name FROM sqlite_master WHERE type = 'trigger'")}
        return [
            table.name
            for table in layout().tables
            if not {f"j{table.number}{op}" for op in OPERATIONS} <= found
        ]

    # Writing

    def position(self) -> int:
        """Return the newest sequence ever given out."""
        rows = _query("SELECT seq FROM sqlite_sequence WHERE name = 'core_journal'")
        return int(rows[0][0]) if rows else 0

    def open_act(
        self,
        *,
        at: datetime,
        step: int,
        request: str | None,
        actor: str,
        cause: int | None,
        label: str,
    ) -> int:
        """Record an act and return its id."""
        rows = _query(
            "INSERT INTO core_act (opened, at, step, request, actor, cause, label) VALUES"
            " (coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'core_journal'), 0),"
            " %s, %s, %s, %s, %s, %s) RETURNING id",
            [at.astimezone(UTC).isoformat(), step, request, actor, cause, label],
        )
        return int(rows[0][0])

    def attribute(self, act: int | None) -> None:
        """Attribute the rows written from now on to `act`."""
        with connection.cursor() as cursor:
            cursor.execute("UPDATE core_context SET a = %s", [act])

    # Reading

    def acts(self, after: int = 0, until: int | None = None) -> dict[int, ActRow]:
        """Return the acts that wrote rows between two positions."""
        rows = _query(
            "SELECT id, at, step, request, actor, cause, label FROM core_act WHERE id IN"
            " (SELECT DISTINCT a FROM core_journal WHERE seq > %s AND seq <= %s)",
            [after, _until(until)],
        )
        return {row[0]: _act(row) for row in rows}

    def act(self, act: int) -> ActRow | None:
        """Return one act, or None."""
        rows = _query(
            "SELECT id, at, step, request, actor, cause, label FROM core_act WHERE id = %s", [act]
        )
        return _act(rows[0]) if rows else None

    def rows(self, after: int, until: int | None = None) -> Iterator[JournalRow]:
        """Yield the row changes after a position, in order."""
        found = _query(
            "SELECT * FROM core_journal WHERE seq > %s AND seq <= %s ORDER BY seq",
            [after, _until(until)],
        )
        for seq, act, number, op, key, *images in found:
            table = layout().by_number(number)
            before = None if op == "i" else tuple(images[: len(table.columns)])
            yield JournalRow(seq, act, table, OPERATIONS[op], key, before)

    def changes(self, after: int, until: int | None = None) -> list[RowChange]:
        """Return the net row changes between two positions, in (table name, key) order."""
        found: list[RowChange] = []
        for table in _touched(after, until):
            before = {key: row for key, row in _first_images(table, after, until)}
            live = _live_rows(table, after, until)
            if until is not None:
                live.update(_images_at(table, after, until))
            for key in sorted(before, key=_key_order):
                old, new = before[key], live.get(key)
                if old != new or _differ(old, new):
                    found.append(RowChange(table, key, old, new))
        return found

    def dump(self) -> Iterator[tuple[str, Sequence[Any]]]:
        """Yield (table, stored values) of every journaled row, in (table, key) order."""
        for table in layout().tables:
            columns = ", ".join(_quote(column) for column in table.columns)
            statement = f"SELECT {columns} FROM {_quote(table.name)} ORDER BY {_quote(table.key)}"  # noqa: S608 - model names
            for row in _query(statement):
                yield table.name, row

    # Undoing

    def rewind(self, position: int) -> RewindReport:
        """Undo everything after `position`: two statements per touched table, then a check."""
        end = self.position()
        tables = _touched(position, end)
        mismatches: list[str] = []
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM core_journal WHERE seq > %s", [position])
            (changes,) = cursor.fetchone()
            cursor.execute("PRAGMA defer_foreign_keys = ON")
            for table in tables:
                keys = "SELECT k FROM core_journal WHERE seq > %s AND seq <= %s AND t = %s"
                cursor.execute(
                    f"DELETE FROM {_quote(table.name)} WHERE {_quote(table.key)} IN ({keys})",  # noqa: S608 - model names
                    [position, end, table.number],
                )
            for table in tables:
                columns = ", ".join(_quote(column) for column in table.columns)
                images = ", ".join(f"b{index}" for index in range(len(table.columns)))
                cursor.execute(
                    f"INSERT INTO {_quote(table.name)} ({columns}) SELECT {images} FROM core_journal"  # noqa: S608 - model names
                    f" WHERE {FIRST} AND o <> 'i'",
                    [position, end, table.number],
                )
            for table in tables:
                mismatches.extend(_mismatches(table, position, end))
            cursor.execute("DELETE FROM core_journal WHERE seq > %s", [position])
            cursor.execute("DELETE FROM core_act WHERE opened >= %s", [position])
            cursor.execute("UPDATE core_context SET a = NULL")
        return RewindReport(changes, len(tables), tuple(mismatches))


FIRST = (
    "seq IN (SELECT min(seq) FROM core_journal WHERE seq > %s AND seq <= %s AND t = %s GROUP BY k)"
)


def _triggers(table: TableLayout) -> Iterator[str]:
    """Yield the three triggers of a table.

    The act is read by a scalar subquery: were the context row ever missing, rows would still be
    journaled, without an act.
    """
    name, key, number = _quote(table.name), _quote(table.key), table.number
    images = ",".join(f"b{index}" for index in range(len(table.columns)))
    old = ",".join(f"old.{_quote(column)}" for column in table.columns)
    act = "(SELECT a FROM core_context)"
    insert = f"INSERT INTO core_journal(a,t,o,k)VALUES({act},{number},'i',new.{key});"
    yield f"CREATE TRIGGER j{number}i AFTER INSERT ON {name} BEGIN {insert}END"
    yield (
        f"CREATE TRIGGER j{number}u AFTER UPDATE ON {name} BEGIN "
        f"INSERT INTO core_journal(a,t,o,k,{images})VALUES({act},{number},'u',old.{key},{old});"
        f"INSERT INTO core_journal(a,t,o,k)SELECT {act},{number},'i',new.{key}"
        f" WHERE new.{key} IS NOT old.{key};END"
    )
    yield (
        f"CREATE TRIGGER j{number}d AFTER DELETE ON {name} BEGIN "
        f"INSERT INTO core_journal(a,t,o,k,{images})VALUES({act},{number},'d',old.{key},{old});END"
    )


def _quote(name: str) -> str:
    return f'"{name}"'


def _query(statement: str, parameters: Sequence[Any] = ()) -> list[Any]:
    """Run a statement on the raw connection: stored values, no Django converters."""
    connection.ensure_connection()
    raw = connection.connection
    found = raw.cursor()
    try:
        found.execute(statement.replace("%s", "?"), parameters)
        return list(found.fetchall())
    finally:
        found.close()


def _until(until: int | None) -> int:
    return 2**62 if until is None else until


def _touched(after: int, until: int | None) -> list[TableLayout]:
    rows = _query(
        "SELECT DISTINCT t FROM core_journal WHERE seq > %s AND seq <= %s", [after, _until(until)]
    )
    return sorted((layout().by_number(number) for (number,) in rows), key=lambda table: table.name)


def _first_images(
    table: TableLayout, after: int, until: int | None
) -> Iterator[tuple[Any, tuple[Any, ...] | None]]:
    """Yield (key, row before its first change after a position, None if it did not exist)."""
    images = ", ".join(f"b{index}" for index in range(len(table.columns)))
    rows = _query(
        f"SELECT k, o, {images} FROM core_journal WHERE {FIRST}",  # noqa: S608 - constant columns
        [after, _until(until), table.number],
    )
    for key, op, *image in rows:
        yield key, None if op == "i" else tuple(image)


def _live_rows(table: TableLayout, after: int, until: int | None) -> dict[Any, tuple[Any, ...]]:
    columns = ", ".join(_quote(column) for column in table.columns)
    rows = _query(
        f"SELECT {columns} FROM {_quote(table.name)} WHERE {_quote(table.key)} IN"  # noqa: S608 - model names
        " (SELECT k FROM core_journal WHERE seq > %s AND seq <= %s AND t = %s)",
        [after, _until(until), table.number],
    )
    return {row[table.key_index]: tuple(row) for row in rows}


def _images_at(
    table: TableLayout, after: int, until: int
) -> dict[Any, tuple[Any, ...] | None]:
    """Return rows as they stood at `until`, for those of the span that changed again later."""
    images = ", ".join(f"b{index}" for index in range(len(table.columns)))
    rows = _query(
        f"SELECT k, o, {images} FROM core_journal WHERE seq IN"  # noqa: S608 - constant columns
        " (SELECT min(seq) FROM core_journal WHERE seq > %s AND t = %s AND k IN"
        " (SELECT k FROM core_journal WHERE seq > %s AND seq <= %s AND t = %s) GROUP BY k)",
        [until, table.number, after, until, table.number],
    )
    return {key: None if op == "i" else tuple(image) for key, op, *image in rows}


def _mismatches(table: TableLayout, after: int, end: int) -> Iterator[str]:
    """Yield what differs between the touched keys and their first images."""
    images = ", ".join(f"b{index}" for index in range(len(table.columns)))
    columns = ", ".join(_quote(column) for column in table.columns)
    span = [after, end, table.number]
    keys = "SELECT k FROM core_journal WHERE seq > %s AND seq <= %s AND t = %s"
    live = f"FROM {_quote(table.name)} WHERE {_quote(table.key)} IN ({keys})"
    first = f"FROM core_journal WHERE {FIRST} AND o <> 'i'"
    ((lost,),) = _query(
        f"SELECT count(*) FROM (SELECT {images} {first} EXCEPT SELECT {columns} {live})",  # noqa: S608 - model names
        span + span,
    )
    ((expected,),) = _query(f"SELECT count(*) {first}", span)
    ((present,),) = _query(f"SELECT count(*) {live}", span)
    if lost:
        yield f"{table.name}: {lost} rows did not come back as they were"
    if expected != present:
        yield f"{table.name}: {present} of the touched rows are present, {expected} should be"


def _differ(old: tuple[Any, ...] | None, new: tuple[Any, ...] | None) -> bool:
    """Tell equal values of different storage class apart (1 and 1.0, 0.0 and -0.0)."""
    if old is None or new is None:
        return old is not new
    return [repr(value) for value in old] != [repr(value) for value in new]


def _key_order(key: Any) -> tuple[int, Any]:
    return (0, key) if isinstance(key, int | float) else (1, str(key))


def _act(row: Sequence[Any]) -> ActRow:
    return ActRow(row[0], datetime.fromisoformat(row[1]), *row[2:])
