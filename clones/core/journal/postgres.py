"""The journal on PostgreSQL: triggers that keep the old row as its composite's own text.

`old::text` and back is exact for every type (unlike JSON, which loses its null, the sign of zero
and digits), as long as dates, intervals and floats are written in one form: connections pin it, and
the trigger refuses to work under another. Positions are `max(seq)`, or what a rewind dropped if
that is more, so that a transaction sees the position of the rows it sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from clones.core.journal.engine import ActRow, JournalRow, Operation, RewindReport, RowChange
from clones.core.journal.layout import TableLayout, layout
from clones.core.journal.postgres_rewind import install, is_installed, rewind_to
from clones.core.journal.postgres_statements import (
    column_list,
    enqueue,
    key_of_text,
    query,
    quote,
    run_many,
    stream,
)

OPERATIONS: dict[str, Operation] = {"i": "insert", "u": "update", "d": "delete"}

TABLES = """
CREATE SEQUENCE core_journal_seq;
CREATE TABLE core_journal (
    seq bigint PRIMARY KEY DEFAULT nextval('core_journal_seq'),
    a bigint, t integer NOT NULL, o char(1) NOT NULL, k text, b text
);
CREATE TABLE core_act (
    id bigint PRIMARY KEY, opened bigint NOT NULL, at text NOT NULL, step bigint NOT NULL,
    request text, actor text NOT NULL, cause bigint, label text NOT NULL
);
CREATE INDEX core_act_opened ON core_act (opened);
CREATE TABLE core_dropped (id integer PRIMARY KEY CHECK (id = 1), seq bigint NOT NULL);
INSERT INTO core_dropped VALUES (1, 0);
"""

# Asked before a function is called: a rewind touches many rows.
NOT_UNDOING = "current_setting('sandlot.undoing', true) IS DISTINCT FROM 'on'"

# One function per name of a key column: PL/pgSQL resolves `new.id` when it is compiled.
FUNCTION = """
CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    act bigint := nullif(current_setting('sandlot.act', true), '')::bigint;
    number integer := tg_argv[0]::integer;
BEGIN
    IF tg_op = 'INSERT' THEN
        INSERT INTO core_journal (a, t, o, k) VALUES (act, number, 'i', new.{column}::text);
        RETURN NULL;
    END IF;
    IF current_setting('datestyle') !~ '^ISO' OR current_setting('intervalstyle') <> 'postgres'
       OR current_setting('extra_float_digits')::integer < 1 THEN
        RAISE EXCEPTION 'rows cannot be journaled under this DateStyle, IntervalStyle or'
            ' extra_float_digits';
    END IF;
    IF tg_op = 'DELETE' THEN
        INSERT INTO core_journal (a, t, o, k, b)
            VALUES (act, number, 'd', old.{column}::text, old::text);
        RETURN NULL;
    END IF;
    INSERT INTO core_journal (a, t, o, k, b)
        VALUES (act, number, 'u', old.{column}::text, old::text);
    IF new.{column} IS DISTINCT FROM old.{column} THEN
        INSERT INTO core_journal (a, t, o, k) VALUES (act, number, 'i', new.{column}::text);
    END IF;
    RETURN NULL;
END
$$
"""

OPEN_ACT = """
WITH opened AS (
    INSERT INTO core_act (id, opened, at, step, request, actor, cause, label)
    SELECT (SELECT coalesce(max(id), 0) + 1 FROM core_act),
        greatest((SELECT max(seq) FROM core_journal), seq), %s, %s, %s, %s, %s, %s
    FROM core_dropped RETURNING id
) SELECT set_config('sandlot.act', id::text, true) FROM opened
"""

NO_TRUNCATE = """
CREATE FUNCTION core_no_truncate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'TRUNCATE would go round the journal: use DELETE';
END
$$
"""


class PostgresJournal:
    """Implement `JournalEngine` on PostgreSQL."""

    # Set-up

    def install(self) -> None:
        """Create the journal's tables, its functions and the triggers."""
        query(TABLES)
        query(NO_TRUNCATE)
        for key in sorted({table.key for table in layout().tables}):
            query(FUNCTION.format(name=quote(f"core_journal_{key}"), column=quote(key)))
        for table in layout().tables:
            name = quote(table.name)
            query(
                f"CREATE TRIGGER j{table.number} AFTER INSERT OR UPDATE OR DELETE ON {name}"
                f" FOR EACH ROW WHEN ({NOT_UNDOING})"
                f" EXECUTE FUNCTION {quote(f'core_journal_{table.key}')}({table.number})"
            )
            query(
                f"CREATE TRIGGER j{table.number}t BEFORE TRUNCATE ON {name}"
                " FOR EACH STATEMENT EXECUTE FUNCTION core_no_truncate()"
            )
        install()

    def uninstall(self) -> None:
        """Drop the journal's triggers with their functions, and its tables."""
        rows = query(
            "SELECT oid::regprocedure::text FROM pg_proc"
            " WHERE pronamespace = 'public'::regnamespace AND proname ~ '^core_'"
        )
        for (function,) in rows:
            query(f"DROP FUNCTION {function} CASCADE")
        query("DROP TABLE core_journal, core_act, core_dropped")
        query("DROP SEQUENCE core_journal_seq")

    def missing_triggers(self) -> list[str]:
        """Return the journaled tables without their triggers, or with one that is switched off.

        Without the function that undoes, those are all.
        """
        if not is_installed():
            return [table.name for table in layout().tables]
        found = {
            name
            for (name,) in query(
                "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'O'"
            )
        }
        return [
            table.name
            for table in layout().tables
            if not {f"j{table.number}", f"j{table.number}t"} <= found
        ]

    # Writing

    position_sql = "(SELECT greatest((SELECT max(seq) FROM core_journal), seq) FROM core_dropped)"

    def position(self) -> int:
        """Return the newest sequence of a row that was committed, or dropped by a rewind."""
        return int(query(f"SELECT {self.position_sql}")[0][0])

    def committed(self) -> int:
        """Return 0: the server tells with each answer whether a transaction is open.

        The connection's wrapper begins none inside another (`wake`).
        """
        return 0

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
        """Record an act, attribute to it what follows in this transaction, and return its id.

        Writers are alone, so the next number is free.
        """
        rows = query(OPEN_ACT, [at.astimezone(UTC).isoformat(), step, request, actor, cause, label])
        return int(rows[0][0])

    def attribute(self, act: int | None) -> None:
        """Attribute the rows written from now on in this transaction to `act`."""
        enqueue("SELECT set_config('sandlot.act', %s, true)", ["" if act is None else str(act)])

    def settle(self) -> int:
        """Drop the acts that wrote nothing since the newest row, and return its position."""
        position = self.position()
        query("DELETE FROM core_act WHERE opened >= %s", [position])
        return position

    def forget(self) -> int:
        """Drop the row changes so far, which can then not be undone; keep acts, as causes."""
        position = self.settle()
        query("UPDATE core_dropped SET seq = %s", [position])
        query("TRUNCATE core_journal")
        return position

    # Reading

    def acts(self, after: int = 0, until: int | None = None) -> dict[int, ActRow]:
        """Return the acts that wrote rows between two positions."""
        rows = query(
            "SELECT id, at, step, request, actor, cause, label FROM core_act WHERE id IN"
            " (SELECT DISTINCT a FROM core_journal WHERE seq > %s AND seq <= %s)",
            [after, _until(until)],
        )
        return {row[0]: _act(row) for row in rows}

    def act(self, act: int) -> ActRow | None:
        """Return one act, or None."""
        rows = query(
            "SELECT id, at, step, request, actor, cause, label FROM core_act WHERE id = %s", [act]
        )
        return _act(rows[0]) if rows else None

    def rows(self, after: int, until: int | None = None) -> Iterator[JournalRow]:
        """Yield the row changes after a position, in order."""
        span = [after, _until(until)]
        found = query(
            "SELECT seq, a, t, o, k FROM core_journal WHERE seq > %s AND seq <= %s ORDER BY seq",
            span,
        )
        images: dict[int, tuple[Any, ...]] = {}
        for number in sorted({row[2] for row in found}):
            images.update(_images(layout().by_number(number), "seq > %s AND seq <= %s", span))
        for seq, act, number, op, key in found:
            table = layout().by_number(number)
            yield JournalRow(
                seq, act, table, OPERATIONS[op], key_of_text(table, key), images.get(seq)
            )

    def changes(self, after: int, until: int | None = None) -> list[RowChange]:
        """Return the net row changes between two positions, in (table name, key) order."""
        span = [after, _until(until)]
        found: list[RowChange] = []
        touched = query(
            "SELECT DISTINCT t FROM core_journal WHERE seq > %s AND seq <= %s ORDER BY t", span
        )
        for (number,) in touched:
            table = layout().by_number(number)
            before = _first_images(table, span)
            live = _live_rows(table, span)
            if until is not None:
                live.update(_images_at(table, list(before), until))
            for key in sorted(before):
                old, new = before[key], live.get(key)
                if old != new or repr(old) != repr(new):
                    found.append(RowChange(table, key, old, new))
        return found

    def dump(self) -> Iterator[tuple[str, Sequence[Any]]]:
        """Yield (table, stored values) of every journaled row, in (table, key) order."""
        for table in layout().tables:
            columns = column_list(table)
            statement = f"SELECT {columns} FROM {quote(table.name)} ORDER BY {quote(table.key)}"  # noqa: S608 - model names
            for row in stream(statement):
                yield table.name, row

    def live(
        self, rows: Iterable[tuple[str, Any]]
    ) -> dict[tuple[str, Any], tuple[Any, ...] | None]:
        """Return rows by (table, key) as they stand."""
        found: dict[tuple[str, Any], tuple[Any, ...] | None] = {}
        for name, key in rows:
            table = layout().by_name(name)
            columns = column_list(table)
            statement = f"SELECT {columns} FROM {quote(name)} WHERE {quote(table.key)} = %s"  # noqa: S608 - model names
            match = query(statement, [key])
            found[(name, key)] = tuple(match[0]) if match else None
        return found

    # Making stores

    def load(self, table: TableLayout, rows: Sequence[Sequence[Any]]) -> None:
        """Insert stored rows into a store that is being made."""
        marks = ",".join(["%s"] * len(table.columns))
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
            " VALUES (-1, %s, %s, %s, %s, %s, %s, %s)",
            acts,
        )

    # Undoing

    def rewind(self, position: int) -> RewindReport:
        """Undo everything after `position`, check the touched rows, and drop the tail."""
        return rewind_to(position)


def _until(until: int | None) -> int:
    return 2**62 if until is None else until


def _act(row: Sequence[Any]) -> ActRow:
    number, at, step, request, actor, cause, label = row
    return ActRow(number, datetime.fromisoformat(at), step, request, actor, cause, label)


def _images(table: TableLayout, where: str, values: Sequence[Any]) -> dict[int, tuple[Any, ...]]:
    """Return the images of a table's journal rows by sequence."""
    rows = stream(
        f"SELECT seq, {column_list(table, '(r).')} FROM (SELECT seq, b::{quote(table.name)} AS r"  # noqa: S608 - model names
        f" FROM core_journal WHERE t = {table.number} AND b IS NOT NULL AND {where} OFFSET 0) i",
        values,
    )
    return {row[0]: tuple(row[1:]) for row in rows}


def _first_images(table: TableLayout, span: Sequence[int]) -> dict[Any, tuple[Any, ...] | None]:
    """Return what each touched key of a table held before its first change in a span."""
    firsts = query(
        "SELECT DISTINCT ON (k) k, seq FROM core_journal"
        " WHERE seq > %s AND seq <= %s AND t = %s ORDER BY k, seq",
        [*span, table.number],
    )
    images = _images(table, "seq = ANY(%s)", [[seq for _, seq in firsts]])
    return {key_of_text(table, key): images.get(seq) for key, seq in firsts}


def _live_rows(table: TableLayout, span: Sequence[int]) -> dict[Any, tuple[Any, ...] | None]:
    """Return the touched rows of a table as they stand, by key."""
    kind = "bigint" if table.key_is_number else "text"
    rows = stream(
        f"SELECT {column_list(table)} FROM {quote(table.name)} WHERE {quote(table.key)} IN"  # noqa: S608 - model names
        f" (SELECT k::{kind} FROM core_journal WHERE seq > %s AND seq <= %s AND t = %s)",
        [*span, table.number],
    )
    return {row[table.key_index]: tuple(row) for row in rows}


def _images_at(
    table: TableLayout, keys: Sequence[Any], until: int
) -> dict[Any, tuple[Any, ...] | None]:
    """Return what keys held at a position, of those that changed after it."""
    nexts = query(
        "SELECT DISTINCT ON (k) k, seq FROM core_journal"
        " WHERE seq > %s AND t = %s AND k = ANY(%s) ORDER BY k, seq",
        [until, table.number, [str(key) for key in keys]],
    )
    images = _images(table, "seq = ANY(%s)", [[seq for _, seq in nexts]])
    return {key_of_text(table, key): images.get(seq) for key, seq in nexts}
