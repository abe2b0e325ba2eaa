"""Undoing on PostgreSQL: every touched key goes, then first images come back, in one round trip.

Constraints wait for the commit, which checks them: a wrong rewind fails there, loudly. The triggers
stand aside by a setting of the transaction, so no superuser is needed.
"""

from __future__ import annotations

from functools import cache

from clones.core.journal.engine import RewindReport
from clones.core.journal.layout import TableLayout, layout
from clones.core.journal.postgres_statements import key_kind, query, quote


def rewind_to(position: int) -> RewindReport:
    """Undo what the journal holds after `position`, check it, and drop the tail."""
    found = query(
        "SELECT t, count(*) FROM core_journal WHERE seq > %s GROUP BY t ORDER BY t", [position]
    )
    touched = [layout().by_number(number) for number, _ in found]
    mismatches: tuple[str, ...] = ()
    if touched:
        statements = [
            "SET LOCAL sandlot.undoing = 'on'",
            "SET CONSTRAINTS ALL DEFERRED",
            *(_delete(table.number).format(position=position) for table in touched),
            *(_insert(table.number).format(position=position) for table in touched),
            "SET LOCAL sandlot.undoing = 'off'",
        ]
        query(";".join(statements))
        compared = (_compare(table.number).format(position=position) for table in touched)
        counts = query(" UNION ALL ".join(compared))
        mismatches = tuple(
            f"{layout().by_number(number).name}: {count} rows differ"
            for number, count in counts
            if count
        )
        query(
            f"DELETE FROM core_journal WHERE seq > {position};"  # noqa: S608 - numbers
            "UPDATE core_dropped SET seq = nextval('core_journal_seq')"
        )
    query("DELETE FROM core_act WHERE opened >= %s", [position])
    return RewindReport(sum(count for _, count in found), len(touched), mismatches)


@cache
def _delete(number: int) -> str:
    table = layout().by_number(number)
    return (
        f"DELETE FROM {quote(table.name)} WHERE {quote(table.key)} IN (SELECT k::{key_kind(table)}"  # noqa: S608 - model names
        f" FROM core_journal WHERE seq > {{position}} AND t = {number})"
    )


@cache
def _insert(number: int) -> str:
    table = layout().by_number(number)
    return (
        f"INSERT INTO {quote(table.name)} SELECT (r).* FROM (SELECT b::{quote(table.name)} AS r"  # noqa: S608 - model names
        f" FROM {_firsts(table)} f WHERE b IS NOT NULL OFFSET 0) i"
    )


@cache
def _compare(number: int) -> str:
    table = layout().by_number(number)
    return (
        f"SELECT {number}, count(*) FROM {_firsts(table)} f LEFT JOIN {quote(table.name)} x"  # noqa: S608 - model names
        f" ON x.{quote(table.key)} = f.k::{key_kind(table)} WHERE x::text IS DISTINCT FROM f.b"
    )


def _firsts(table: TableLayout) -> str:
    """Return the first journal row of each key after a position, as a subquery."""
    return (
        "(SELECT DISTINCT ON (k) k, b FROM core_journal"  # noqa: S608 - a number
        f" WHERE seq > {{position}} AND t = {table.number} ORDER BY k, seq)"
    )
