"""Objects without a table: their rows are those of others, worked out for a query that asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from clones.crm.models import model_of
from clones.crm.queries.access.record_access import ACCESS, rows_of_access
from clones.crm.queries.access.viewing import viewer
from clones.crm.queries.soql.activities import (
    ACTIVITIES,
    check_asking_for_activities,
    rows_of_activities,
)
from clones.crm.queries.soql.fragments import Sql
from clones.crm.queries.soql.recents import RECENTS, rows_of_recents
from clones.crm.rules.schema import OrgSchema
from clones.crm.rules.soql.dates import Calendar
from clones.crm.rules.soql.plan import ChildColumn, Plan

_ROWS: Final[Mapping[str, Callable[[Plan, OrgSchema, Calendar, str], Sql]]] = {
    ACCESS: lambda plan, schema, *_: rows_of_access(plan, schema),
    RECENTS: lambda _, schema, __, user: rows_of_recents(user, schema),
    **dict.fromkeys(
        ACTIVITIES,
        lambda plan, schema, calendar, _: rows_of_activities(plan.object.name, schema, calendar),
    ),
}


def is_tableless(name: str) -> bool:
    """Tell whether an object (by name) has no table of its own."""
    return name in _ROWS


def tableless_rows(
    plan: Plan, schema: OrgSchema, calendar: Calendar, user: str
) -> Mapping[str, Sql]:
    """Return the rows of the objects without a table that a plan asks for, as what FROM takes.

    Raises:
        SoqlError: the plan may not ask for them so.
    """
    found: dict[str, Sql] = {}
    for outer, one in _plans(plan):
        name = one.object.name
        if name in ACTIVITIES:
            check_asking_for_activities(outer, one, viewer())
        if name in _ROWS and name not in found:
            found[name] = _ROWS[name](one, schema, calendar, user)
    return found


def table_of(name: str, key: str, schema: OrgSchema) -> str:
    """Return the table that a record of an object is in: its own, or that of what it stands for."""
    of = schema.of_id(key) if name in _ROWS else None
    return str(model_of(of or schema.objects[name])._meta.db_table)


def _plans(plan: Plan, outer: Plan | None = None) -> Iterator[tuple[Plan, Plan]]:
    """Yield a plan and those of children within it, each after the one that it stands in."""
    yield outer or plan, plan
    for column in plan.columns:
        if isinstance(column, ChildColumn):
            yield from _plans(column.plan, plan)
