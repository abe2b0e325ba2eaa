"""A query in parts, each of the records between two ids."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from clones.crm.queries.soql.answers import fetched, records_of
from clones.crm.queries.soql.asking import Question
from clones.crm.queries.soql.fragments import Sql, quoted
from clones.crm.queries.soql.statements import Selection, records_sql
from clones.crm.queries.soql.tables import Tables


def bounds_of(question: Question, size: int) -> list[str]:
    """Return the ids at which parts begin that have `size` records of the object each.

    They are of all its records, whatever the query's conditions, so a part may find few or none.
    """
    plan = replace(question.plan, columns=(), where=None, order_by=(), limit=None, offset=None)
    tables = question.asker.tables(plan.object.name)
    selection = Selection([])
    key = selection.place(Sql(f"t0.{quoted('Id')}"))
    rows = fetched(records_sql(plan, tables, selection, question.asker))
    return [str(row[key]) for row in rows[::size]]


def part_of(
    question: Question, root: str, *, since: str, until: str | None, start: int, size: int
) -> list[dict[str, Any]]:
    """Return records of a query from an id on and before another, from a place among them on."""
    plan = question.plan
    if plan.limit is not None:
        size = max(min(size, plan.limit - start), 0)

    def between(tables: Tables) -> Sql:
        own = tables.field("Id")
        if until is None:
            return Sql("{} >= %s", (since,)).format(own)
        return Sql("{0} >= %s AND {0} < %s", (since, until)).format(own)

    return records_of(plan, question.asker, root, most=size, condition=between, start=start)
