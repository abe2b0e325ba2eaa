"""Undoing on SQLite: sets per touched table, as few rows and indexes as the change itself took.

A key's first image after the mark is what it was at the mark (nothing, where that first change is
an insert). Keys that came are deleted, keys that went are inserted at their old rowid, and of keys
that stayed only those columns are set that differ in any of them: unchanged indexes and the foreign
keys of other tables are then left alone. (Django declares foreign keys deferred, so order does not
matter; a pragma to defer them would make SQLite compile every statement anew.) Full-text tables are
not in the layout: they follow by the triggers of the tables they index.

Where a differing column is part of a unique constraint, or a row came back at another rowid, places
may have been swapped between rows: all touched rows of the table are then deleted before any is
inserted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from django.db import connection, models

from clones.core.journal.engine import RewindReport
from clones.core.journal.layout import TableLayout, layout
from clones.core.journal.sqlite_statements import (
    column_list,
    has_own_rowid,
    image_list,
    query,
    quote,
)

# f is a touched key with its first change, j that change, t the row as it stands.
FIRST = "temp.undo f CROSS JOIN core_journal j ON j.seq=f.s"


@dataclass(frozen=True, slots=True)
class _Statements:
    """The statements that undo the changes of one table.

    `count` groups the touched keys by (came, absent), `flags` tells column by column whether keys
    that stayed differ. `loose` are columns whose equal values may differ in storage class, so they
    are always set.
    """

    count: str
    flags: str
    delete_came: str
    delete_all: str
    insert: str
    unique: frozenset[str] | None
    loose: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Difference:
    """How the touched keys of a table differ from their first images.

    `came` and `gone` count keys to delete and to insert, `stayed` those that are there and should
    be; `moved` says whether one of these has another rowid, `columns` in which one differs.
    """

    came: int
    gone: int
    stayed: int
    moved: bool
    columns: tuple[str, ...]


def rewind_to(position: int, end: int) -> RewindReport:
    """Undo what the journal holds after `position` up to `end`, check it, and drop the tail."""
    ((changes,),) = query("SELECT count(*) FROM core_journal WHERE seq>?", (position,))
    mismatches: list[str] = []
    touched: list[TableLayout] = []
    if changes:
        query(
            "CREATE TEMP TABLE IF NOT EXISTS undo"
            " (t INTEGER, k, s INTEGER, o TEXT, PRIMARY KEY (t, k)) WITHOUT ROWID"
        )
        # SQLite takes the other columns of a min() from the row that has the minimum.
        query(
            "INSERT INTO temp.undo (t, k, s, o) SELECT t, k, min(seq), o FROM core_journal"
            " WHERE seq>? AND seq<=? GROUP BY t, k",
            (position, end),
        )
        numbers = query("SELECT DISTINCT t FROM temp.undo ORDER BY t")
        touched = [layout().by_number(number) for (number,) in numbers]
        for table in touched:
            _undo(table)
        for table in touched:
            left = _compare(table)
            if left.came or left.gone or left.moved or left.columns:
                mismatches.append(
                    f"{table.name}: {left.came} rows too many, {left.gone} missing,"
                    f" differences in {', '.join(left.columns) or 'no column'}"
                )
        query("DELETE FROM temp.undo")
        query("DELETE FROM core_journal WHERE seq>?", (position,))
    query("DELETE FROM core_act WHERE opened>=?", (position,))
    query("DELETE FROM core_context WHERE seq>=?", (position,))
    return RewindReport(changes, len(touched), tuple(mismatches))


def _undo(table: TableLayout) -> None:
    statements, found = _statements(table.number), _compare(table)
    unsure = statements.unique is None or not statements.unique.isdisjoint(found.columns)
    if unsure or found.moved:
        query(statements.delete_all)
        query(statements.insert)
        return
    if found.came:
        query(statements.delete_came)
    if found.stayed:
        columns = statements.loose.union(found.columns) - {table.key}
        if columns:
            query(_update(table.number, columns))
    if found.gone:
        query(statements.insert)


def _compare(table: TableLayout) -> _Difference:
    statements = _statements(table.number)
    counts = {(came, absent): count for came, absent, count in query(statements.count)}
    stayed = counts.get((0, 0), 0)
    moved, *flags = query(statements.flags)[0] if stayed else (0,)
    columns = tuple(column for column, flag in zip(table.columns, flags, strict=False) if flag)
    return _Difference(
        came=counts.get((1, 0), 0),
        gone=counts.get((0, 1), 0),
        stayed=stayed,
        moved=bool(moved),
        columns=columns,
    )


@cache
def _statements(number: int) -> _Statements:
    table = layout().by_number(number)
    name, key = quote(table.name), quote(table.key)
    keys = f"SELECT k FROM temp.undo WHERE t={number}"  # noqa: S608 - a number of ours
    rowid, image_rowid = ("rowid,", "j.r,") if has_own_rowid(table) else ("", "")
    loose = frozenset(column for column in table.columns if _is_loose(table, column))
    moved = "max(t.rowid<>j.r)" if rowid else "0"
    flags = ",".join(
        f"max(t.{quote(column)} IS NOT j.b{index} COLLATE BINARY"
        + (f" OR typeof(t.{quote(column)})<>typeof(j.b{index}))" if column in loose else ")")
        for index, column in enumerate(table.columns)
    )
    return _Statements(
        count=(
            f"SELECT f.o='i',t.{key} IS NULL,count(*) FROM temp.undo f"  # noqa: S608 - model names
            f" LEFT JOIN {name} t ON t.{key}=f.k WHERE f.t={number} GROUP BY 1,2"
        ),
        flags=(
            f"SELECT {moved},{flags} FROM {FIRST} CROSS JOIN {name} t ON t.{key}=f.k"  # noqa: S608 - model names
            f" WHERE f.t={number} AND f.o<>'i'"
        ),
        delete_came=f"DELETE FROM {name} WHERE {key} IN ({keys} AND o='i')",  # noqa: S608 - model names
        delete_all=f"DELETE FROM {name} WHERE {key} IN ({keys})",  # noqa: S608 - model names
        insert=(
            f"INSERT INTO {name} ({rowid}{column_list(table)})"  # noqa: S608 - model names
            f" SELECT {image_rowid}{image_list(table, 'j.')} FROM {FIRST}"
            f" WHERE f.t={number} AND f.o<>'i'"
            f" AND NOT EXISTS (SELECT 1 FROM {name} t WHERE t.{key}=f.k)"
        ),
        unique=_unique_columns(table),
        loose=loose,
    )


@cache
def _update(number: int, columns: frozenset[str]) -> str:
    table = layout().by_number(number)
    sets = ",".join(
        f"{quote(column)}=j.b{index}"
        for index, column in enumerate(table.columns)
        if column in columns
    )
    name = quote(table.name)
    return (
        f"UPDATE {name} SET {sets} FROM {FIRST}"  # noqa: S608 - model names
        f" WHERE f.t={number} AND f.o<>'i' AND {name}.{quote(table.key)}=f.k"
    )


def _is_loose(table: TableLayout, column: str) -> bool:
    """Tell whether a column's declared type lets equal values keep different storage classes."""
    field = table.fields[table.columns.index(column)]
    declared = str(field.db_type(connection) or "").upper()
    return not declared or any(part in declared for part in ("BLOB", "REAL", "FLOA", "DOUB"))


def _unique_columns(table: TableLayout) -> frozenset[str] | None:
    """Return the columns, but the key, of unique constraints; None if that cannot be told."""
    meta = table.fields[0].model._meta
    names = {field.name for field in table.fields if field.unique and not field.primary_key}
    for together in meta.unique_together:
        names.update(together)
    for constraint in meta.constraints:
        if isinstance(constraint, models.UniqueConstraint):
            if constraint.expressions or constraint.condition is not None:
                return None
            names.update(constraint.fields)
    return frozenset(str(field.column) for field in table.fields if field.name in names)
