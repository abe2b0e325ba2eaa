"""Which records a sharing rule means that goes by what they say."""

from __future__ import annotations

from typing import Final
from zoneinfo import ZoneInfo

from clones.core import clock
from clones.crm.queries.formulas import Looker
from clones.crm.queries.soql.conditions import Conditions
from clones.crm.queries.soql.fragments import Sql, joined, quoted
from clones.crm.queries.soql.schema import QuerySchema
from clones.crm.queries.soql.tables import Tables
from clones.crm.rules.schema import SObject
from clones.crm.rules.soql import Calendar, Plan, QueryContext, parse, resolve

_VERSION: Final = 67.0


def criteria_plan(of: SObject, criteria: str) -> Plan:
    """Return the query of the records of an object (as the system sees it) that meet a condition.

    Raises:
        SoqlError: it is no condition, or names what is not there.
    """
    context = QueryContext(schema=QuerySchema(of.schema), calendar=_calendar(), version=_VERSION)
    return resolve(parse(f"SELECT Id FROM {of.name} WHERE {criteria}"), context)  # noqa: S608 - a query of the vendor's, read and resolved


def matching_sql(of: SObject, criteria: str, alias: str) -> Sql:
    """Return that a record (by the alias of its table) meets a condition."""
    plan = criteria_plan(of, criteria)
    tables = Tables(of.name, of.schema, Looker("", clock.now()))
    found = [] if plan.where is None else [Conditions(tables, _calendar()).sql(plan.where)]
    if tables.own is not None:
        found.append(tables.own)
    own, id = Sql(f"{alias}.{quoted('Id')}"), Sql(f"t0.{quoted('Id')}")
    query = Sql("SELECT {} FROM {} WHERE {}").format(id, tables.source, joined(found, " AND "))
    return Sql("{} IN ({})").format(own, query)


def _calendar() -> Calendar:
    """Return what dates mean in a rule, whoever asks."""
    return Calendar(now=clock.now(), zone=ZoneInfo("UTC"), first_weekday=6, fiscal_start=1)
