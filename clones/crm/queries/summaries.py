"""What roll-up summary fields come to, read for any number of parents by one statement."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, date, datetime
from typing import Any

from clones.crm.queries.formulas import Looker
from clones.crm.queries.soql.answers import fetched
from clones.crm.queries.soql.conditions import Conditions, has_deleted, not_deleted
from clones.crm.queries.soql.expressions import expression_sql
from clones.crm.queries.soql.fragments import Sql, joined, listed
from clones.crm.queries.soql.schema import QuerySchema
from clones.crm.queries.soql.statements import grouped_columns
from clones.crm.queries.soql.tables import Tables
from clones.crm.rules.schema import Field, SObject
from clones.crm.rules.soql import Calendar, Plan, QueryContext, parse, resolve
from clones.crm.rules.summaries import Summary

_VERSION = 64.0


def summary_plan(child: SObject, summary: Summary, looker: Looker) -> Plan:
    """Return a summary as a plan of a query over the children.

    Raises:
        SoqlError: it names what is not there, or what cannot be summed up or compared.
    """
    calendar = Calendar(now=looker.now, zone=looker.zone, first_weekday=0, fiscal_start=1)
    context = QueryContext(QuerySchema(child.schema), calendar, _VERSION)
    return resolve(parse(summary.query(child)), context)


def sums_of(
    child: SObject, field: Field, summary: Summary, parents: Collection[str], looker: Looker
) -> dict[str, Any]:
    """Return what a summary field comes to for parents, by their ids.

    Every child counts that is not in the recycle bin, whoever may see it.
    """
    found: dict[str, Any] = dict.fromkeys(parents, summary.nothing)
    if not found:
        return found
    plan = summary_plan(child, summary, looker)
    tables = Tables(child.name, child.schema, looker)
    calendar = Calendar(now=looker.now, zone=looker.zone, first_weekday=0, fiscal_start=1)
    key, value = (expression_sql(one, tables, calendar) for one in grouped_columns(plan))
    wanted = [Sql("{} IN ({})").format(key, listed(sorted(found)))]
    if plan.where is not None:
        wanted.append(Conditions(tables, calendar).sql(plan.where))
    if tables.own is not None:
        wanted.append(tables.own)
    if has_deleted(child.name, child.schema):
        wanted.append(not_deleted())
    statement = Sql("SELECT {}, {} FROM {} WHERE {} GROUP BY {}").format(
        key, value, tables.source, joined(wanted, " AND "), key
    )
    for id, one in fetched(statement):
        found[str(id)] = summary.nothing if one is None else _kept(field, one)
    return found


def _kept(field: Field, value: Any) -> Any:
    """Return a value of a statement as the column of a summary field keeps it."""
    if field.is_number:
        return round(float(value), field.scale) + 0.0
    if not isinstance(value, str):
        return value
    return date.fromisoformat(value[:10]) if field.type == "date" else _moment(value)


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
