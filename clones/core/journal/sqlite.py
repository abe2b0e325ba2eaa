"""The journal on SQLite: short triggers that copy the old row into untyped columns.

Nothing is serialised on the way in, so floats, blobs, NULLs and text come back bit for bit. The
triggers are kept small because SQLite parses the whole schema when a connection opens, and keeps
what it parsed: they copy rows whole, by a star, and know nothing of acts. Which act a row is of
follows from its sequence: `core_context` says from which row on changes are of which act.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import repeat
from typing import Any

from clones.core.journal.engine import ActRow, JournalRow, Operation, RewindReport, RowChange
from clones.core.journal.layout import TableLayout, layout
from clones.core.journal.sqlite_rewind import rewind_to
from clones.core.journal.sqlite_statements import (
    column_list,
    has_own_rowid,
    image_list,
    query,
    quote,
    run_many,
    stored_list,
    stream,
)

OPERATIONS: dict[str, Operation] = {"i": "insert", "u": "update", "d": "delete"}
TABLES = ("core_journal", "core_act", "core_context")
TRIGGERS = "iukd"  # at inserts, at updates, at those that change the key, at deletions
TRIGGER = re.compile(rf"j\d+[{TRIGGERS}]")


class SqliteJournal:
    """Implement `JournalEngine` on SQLite."""

    # Set-up

    def install(self) -> None:
        """Create `core_journal`, `core_act`, `core_context` and the triggers."""
        images = ",".join(f"b{index}" for index in range(layout().width))
        # r is the rowid: rows that come back keep their place in scans.
        query(
            "CREATE TABLE core_journal (seq INTEGER PRIMARY KEY AUTOINCREMENT,"
            f" t INTEGER NOT NULL, o TEXT NOT NULL, k, r INTEGER, {images})"
        )
        # Acts that a rewind undid give their numbers back: what follows a reset is numbered as
        # it was the first time. Journal rows never do, since requests are logged by position.
        query(
            "CREATE TABLE core_act (id INTEGER PRIMARY KEY, opened INTEGER NOT NULL,"
            " at TEXT NOT NULL, step INTEGER NOT NULL, request TEXT, actor TEXT NOT NULL,"
            " cause INTEGER, label TEXT NOT NULL)"
        )
        query("CREATE TABLE core_context (seq INTEGER PRIMARY KEY, a INTEGER)")
        for table in layout().tables:
            for statement in _triggers(table):
                query(statement)

    def uninstall(self) -> None:
        """Drop the journal's triggers, by their names, and its tables."""
        for (name,) in query("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            if TRIGGER.fullmatch(name):
                query(f"DROP TRIGGER {name}")
        for name in TABLES:
            query(f"DROP TABLE {name}")

    def missing_triggers(self) -> list[str]:
        """Return the journaled tables without all their triggers."""
        found = {name for (name,) in query("SELECT name FROM sqlite_master WHERE type = 'trigger'")}
        return [
            table.name
            for table in layout().tables
            if not {f"j{table.number}{one}" for one in TRIGGERS} <= found
        ]

    # Writing

    position_sql = "coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'core_journal'), 0)"

    def position(self) -> int:
        """Return the newest sequence ever given out."""
        return int(query(f"SELECT {self.position_sql}")[0][0])

    def committed(self) -> int:
        """Return the position: a connection left inside a transaction would answer from before."""
        return self.position()

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
        """Record an act, attribute to it what follows, and return its id."""
        rows = query(
            "INSERT INTO core_act (opened, at, step, request, actor, cause, label) VALUES"
            " (coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'core_journal'), 0),"
            " ?, ?, ?, ?, ?, ?) RETURNING id",
            [at.astimezone(UTC).isoformat(), step, request, actor, cause, label],
        )
        number = int(rows[0][0])
        self.attribute(number)
        return number

    def attribute(self, act: int | None) -> None:
        """Attribute the rows written from now on to `act`."""
        query(
            "REPLACE INTO core_context (seq, a) VALUES"
            " (coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'core_journal'), 0), ?)",
            [act],
        )

    def settle(self) -> int:
        """Drop the acts that wrote nothing since the newest row, and return its position."""
        position = self.position()
        query("DELETE FROM core_act WHERE opened >= ?", [position])
        return position

    def forget(self) -> int:
        """Drop the row changes so far, which can then not be undone; keep acts, as causes."""
        position = self.settle()
        query("DELETE FROM core_journal")
        query("DELETE FROM core_context WHERE seq < (SELECT max(seq) FROM core_context)")
        return position

    # Reading

    def acts(self, after: int = 0, until: int | None = None) -> dict[int, ActRow]:
        """Return the acts that wrote rows between two positions."""
        rows = query(
            "SELECT id, at, step, request, actor, cause, label FROM core_act WHERE id IN"  # noqa: S608 - a constant
            f" (SELECT DISTINCT {ACT} FROM core_journal j WHERE seq > ? AND seq <= ?)",
            [after, _until(until)],
        )
        return {row[0]: _act(row) for row in rows}

    def act(self, act: int) -> ActRow | None:
        """Return one act, or None."""
        rows = query(
            "SELECT id, at, step, request, actor, cause, label FROM core_act WHERE id = ?", [act]
        )
        return _act(rows[0]) if rows else None

    def rows(self, after: int, until: int | None = None) -> Iterator[JournalRow]:
        """Yield the row changes after a position, in order."""
        found = query(
            f"SELECT {ACT}, j.* FROM core_journal j WHERE seq > ? AND seq <= ? ORDER BY seq",  # noqa: S608 - a constant
            [after, _until(until)],
        )
        for act, seq, number, op, key, _, *images in found:
            table = layout().by_number(number)
            before = None if op == "i" else tuple(images[: len(table.columns)])
            yield JournalRow(seq, act, table, OPERATIONS[op], key, before)

    def changes(self, after: int, until: int | None = None) -> list[RowChange]:
        """Return the net row changes between two positions, in (table name, key) order."""
        found: list[RowChange] = []
        for table in _touched(after, until):
            before = dict(_first_images(table, after, until))
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
            columns = stored_list(table)
            statement = f"SELECT {columns} FROM {quote(table.name)} ORDER BY {quote(table.key)}"  # noqa: S608 - model names
            yield from zip(repeat(table.name), stream(statement), strict=False)

    def live(
        self, rows: Iterable[tuple[str, Any]]
    ) -> dict[tuple[str, Any], tuple[Any, ...] | None]:
        """Return rows by (table, key) as they stand."""
        found: dict[tuple[str, Any], tuple[Any, ...] | None] = {}
        for name, key in rows:
            table = layout().by_name(name)
            columns = stored_list(table)
            statement = f"SELECT {columns} FROM {quote(name)} WHERE {quote(table.key)} = ?"  # noqa: S608 - model names
            match = query(statement, [key])
            found[(name, key)] = tuple(match[0]) if match else None
        return found

    # Making stores

    def load(self, table: TableLayout, rows: Sequence[Sequence[Any]]) -> None:
        """Insert stored rows into a store that is being made."""
        marks = ",".join("?" * len(table.columns))
        statement = f"INSERT INTO {quote(table.name)} ({column_list(table)}) VALUES ({marks})"  # noqa: S608 - model names
        run_many(statement, rows)

    def export_acts(self) -> list[list[Any]]:
        """Return every act as plain data."""
        found = stream(
            "SELECT id, at, step, request, actor, cause, label FROM core_act ORDER BY id"
        )
        return [list(row) for row in found]

    def import_acts(self, acts: Sequence[Sequence[Any]]) -> None:
        """Put acts into a store that is being made: opened before any row, so never undone."""
        run_many(
            "INSERT INTO core_act (opened, id, at, step, request, actor, cause, label)"
            " VALUES (-1, ?, ?, ?, ?, ?, ?, ?)",
            acts,
        )

    # Undoing

    def rewind(self, position: int) -> RewindReport:
        """Undo everything after `position`, check the touched rows, and drop the tail."""
        report = rewind_to(position, self.position())
        self.attribute(None)
        return report


# The act of a row j: what was said last before it.
ACT = "(SELECT c.a FROM core_context c WHERE c.seq < j.seq ORDER BY c.seq DESC LIMIT 1)"
# The first change of each key of a table in a span.
FIRST = "seq IN (SELECT min(seq) FROM core_journal WHERE seq > ? AND seq <= ? AND t = ? GROUP BY k)"


def _triggers(table: TableLayout) -> Iterator[str]:
    """Yield the triggers of a table.

    What a change takes is copied before it, while the row can still be read. A key that comes of an
    update is noted after it, so that a row which it replaces is journaled first.
    """
    name, key, number = quote(table.name), quote(table.key), table.number
    rowid, old_rowid = ("r,", "old.rowid,") if has_own_rowid(table) else ("", "")
    came = f"BEGIN INSERT INTO core_journal(t,o,k)VALUES({number},'i',new.{key});END"
    before = f"INSERT INTO core_journal(t,o,k,{rowid}{image_list(table)})SELECT {number}"
    row = f"old.{key},{old_rowid}{_row(table)} FROM {name} WHERE rowid=old.rowid;END"
    changed = f"WHEN new.{key} IS NOT old.{key}"
    yield f"CREATE TRIGGER j{number}i AFTER INSERT ON {name} {came}"
    yield f"CREATE TRIGGER j{number}u BEFORE UPDATE ON {name} BEGIN {before},'u',{row}"
    yield f"CREATE TRIGGER j{number}k AFTER UPDATE ON {name} {changed} {came}"
    yield f"CREATE TRIGGER j{number}d BEFORE DELETE ON {name} BEGIN {before},'d',{row}"


def _row(table: TableLayout) -> str:
    """Return what selects a table's columns in model order: a star, if that is how they lie.

    Columns that migrations added lie at the end.
    """
    lie = tuple(name for _, name, *_ in query(f"PRAGMA table_info({quote(table.name)})"))
    return "*" if lie == table.columns else column_list(table)


def _until(until: int | None) -> int:
    return 2**62 if until is None else until


def _touched(after: int, until: int | None) -> list[TableLayout]:
    rows = query(
        "SELECT DISTINCT t FROM core_journal WHERE seq > ? AND seq <= ?", [after, _until(until)]
    )
    return sorted((layout().by_number(number) for (number,) in rows), key=lambda table: table.name)


def _first_images(
    table: TableLayout, after: int, until: int | None
) -> Iterator[tuple[Any, tuple[Any, ...] | None]]:
    """Yield (key, row before its first change after a position, None if it did not exist)."""
    images = image_list(table)
    rows = query(
        f"SELECT k, o, {images} FROM core_journal WHERE {FIRST}",  # noqa: S608 - constant columns
        [after, _until(until), table.number],
    )
    for key, op, *image in rows:
        yield key, None if op == "i" else tuple(image)


def _live_rows(table: TableLayout, after: int, until: int | None) -> dict[Any, tuple[Any, ...]]:
    columns = stored_list(table)
    rows = query(
        f"SELECT {columns} FROM {quote(table.name)} WHERE {quote(table.key)} IN"  # noqa: S608 - model names
        " (SELECT k FROM core_journal WHERE seq > ? AND seq <= ? AND t = ?)",
        [after, _until(until), table.number],
    )
    return {row[table.key_index]: tuple(row) for row in rows}


def _images_at(table: TableLayout, after: int, until: int) -> dict[Any, tuple[Any, ...] | None]:
    """Return rows as they stood at `until`, for those of the span that changed again later."""
    images = image_list(table)
    rows = query(
        f"SELECT k, o, {images} FROM core_journal WHERE seq IN"  # noqa: S608 - constant columns
        " (SELECT min(seq) FROM core_journal WHERE seq > ? AND t = ? AND k IN"
        " (SELECT k FROM core_journal WHERE seq > ? AND seq <= ? AND t = ?) GROUP BY k)",
        [until, table.number, after, until, table.number],
    )
    return {key: None if op == "i" else tuple(image) for key, op, *image in rows}


def _differ(old: tuple[Any, ...] | None, new: tuple[Any, ...] | None) -> bool:
    """Tell equal values of different storage class apart (1 and 1.0, 0.0 and -0.0)."""
    if old is None or new is None:
        return old is not new
    return [repr(value) for value in old] != [repr(value) for value in new]


def _key_order(key: Any) -> tuple[int, Any]:
    return (0, key) if isinstance(key, int | float) else (1, str(key))


def _act(row: Sequence[Any]) -> ActRow:
    return ActRow(row[0], datetime.fromisoformat(row[1]), *row[2:])
