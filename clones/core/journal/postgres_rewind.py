"""Undoing on PostgreSQL: one call of a function that each store has, in one round trip.

Of each touched key the function puts back what it held first: a row that was made goes, one that
was changed is changed back, one that was deleted returns. Foreign keys wait for the commit, which
checks those of rows that went or came and of keys that moved; a wrong rewind fails there, loudly.
The triggers stand aside by a setting of the transaction, so no superuser is needed.

The functions are static SQL, so each connection plans them once.
"""

from __future__ import annotations

import hashlib
from functools import cache

from django.db.models import UniqueConstraint

from clones.core.journal.engine import RewindReport
from clones.core.journal.layout import TableLayout, layout
from clones.core.journal.postgres_statements import key_kind, query, quote

UNDO = """
CREATE FUNCTION core_undo_{number}(made text[], held text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    keys {kind}[] := made;
    images {name}[] := held;
    wrong bigint := 0;
    kept bigint;
BEGIN
    IF keys IS NOT NULL THEN
        DELETE FROM {name} x WHERE x.{key} = ANY (keys);
        SELECT count(*) INTO wrong FROM {name} x WHERE x.{key} = ANY (keys);
    END IF;
    IF images IS NOT NULL THEN
        {moved}
        UPDATE {name} x SET {assigned} FROM unnest(images) r WHERE x.{key} = r.{key};
        GET DIAGNOSTICS kept = ROW_COUNT;
        IF kept < cardinality(images) THEN
            INSERT INTO {name} SELECT r.* FROM unnest(images) r
                WHERE NOT EXISTS (SELECT 1 FROM {name} x WHERE x.{key} = r.{key});
        END IF;
        SELECT count(*) INTO kept FROM unnest(images) r LEFT JOIN {name} x ON x.{key} = r.{key}
            WHERE x.{key} IS NULL OR x *<> r;
        wrong := wrong + kept;
    END IF;
    RETURN wrong;
END
$$
"""

# Rows that hold what another row had meanwhile go and come back: an UPDATE would meet the other.
MOVED = "DELETE FROM {name} x USING unnest(images) r WHERE x.{key} = r.{key} AND ({differ});"

# One reading of the journal tells what each touched row held first. Rows that earlier rewinds
# dropped stay in its index until it is vacuumed: only a plain index scan learns to pass them by.
REWIND = """
CREATE FUNCTION {name}(since bigint, OUT number integer, OUT changes bigint, OUT wrong bigint)
RETURNS SETOF record LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    touched record;
BEGIN
    SET CONSTRAINTS ALL DEFERRED;
    PERFORM set_config('sandlot.undoing', 'on', true);
    FOR touched IN
        SELECT f.t, max(f.n) AS n, array_agg(f.k) FILTER (WHERE f.b IS NULL) AS made,
            array_agg(f.b) FILTER (WHERE f.b IS NOT NULL) AS held
        FROM (
            SELECT DISTINCT ON (j.t, j.k) j.t, j.k, j.b, count(*) OVER (PARTITION BY j.t) AS n
            FROM core_journal j WHERE j.seq > since ORDER BY j.t, j.k, j.seq
        ) f GROUP BY f.t ORDER BY f.t
    LOOP
        number := touched.t;
        changes := touched.n;
        CASE number
            {undone}
        END CASE;
        RETURN NEXT;
    END LOOP;
    PERFORM set_config('sandlot.undoing', 'off', true);
    IF number IS NOT NULL THEN
        DELETE FROM core_journal WHERE seq > since;
        UPDATE core_dropped SET seq = nextval('core_journal_seq');
    END IF;
    DELETE FROM core_act WHERE opened >= since;
    PERFORM set_config('sandlot.act', '', true);
END
$$
"""
UNDONE = "WHEN {number} THEN wrong := core_undo_{number}(touched.made, touched.held);"


def install() -> None:
    """Create the functions that undo."""
    for statement in _undoing():
        query(statement)
    undone = (UNDONE.format(number=table.number) for table in layout().tables)
    query(REWIND.format(name=rewind_name(), undone="\n            ".join(undone)))


@cache
def rewind_name() -> str:
    """Return the function's name, which says what it does: another build's is another one."""
    text = "".join([*_undoing(), REWIND, UNDONE])
    return f"core_rewind_{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def is_installed() -> bool:
    """Tell whether the bound store undoes as this build does."""
    return bool(query("SELECT 1 FROM pg_proc WHERE proname = %s", [rewind_name()]))


def rewind_to(position: int) -> RewindReport:
    """Undo what the journal holds after `position`, compare the touched rows, drop the tail."""
    found = query(f"SELECT number, changes, wrong FROM {rewind_name()}(%s)", [position])  # noqa: S608 - our own name
    mismatches = tuple(
        f"{layout().by_number(number).name}: {wrong} rows differ"
        for number, _, wrong in found
        if wrong
    )
    return RewindReport(sum(changes for _, changes, _ in found), len(found), mismatches)


@cache
def _undoing() -> tuple[str, ...]:
    return tuple(_undo(table) for table in layout().tables)


def _undo(table: TableLayout) -> str:
    name, key = quote(table.name), quote(table.key)
    unique = [quote(column) for column in _unique_columns(table)]
    differ = " OR ".join(f"x.{column} IS DISTINCT FROM r.{column}" for column in unique)
    return UNDO.format(
        number=table.number,
        name=name,
        key=key,
        kind=key_kind(table),
        moved=MOVED.format(name=name, key=key, differ=differ) if unique else "",
        assigned=", ".join(f"{quote(column)} = r.{quote(column)}" for column in table.columns),
    )


def _unique_columns(table: TableLayout) -> list[str]:
    """Return the columns on which a table's rows exclude each other, besides the key.

    Of constraints over expressions, or of rows that meet a condition, those are all.
    """
    meta = table.fields[0].model._meta
    names = {field.name for field in table.fields if field.unique}
    for together in meta.unique_together:
        names.update(together)
    for constraint in meta.constraints:
        if isinstance(constraint, UniqueConstraint):
            if constraint.expressions or constraint.condition is not None:
                return [name for name in table.columns if name != table.key]
            names.update(constraint.fields)
    return [
        str(field.column)
        for field in table.fields
        if field.name in names and field.column != table.key
    ]
