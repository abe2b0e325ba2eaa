"""A search as a user asks it: read, resolved for that user and moment, run object by object."""

from __future__ import annotations

from dataclasses import dataclass

from clones.crm.errors import CrmError
from clones.crm.queries.schema import org_schema
from clones.crm.queries.soql.answers import Record, records_of
from clones.crm.queries.soql.asking import context_of
from clones.crm.queries.soql.fragments import Sql
from clones.crm.queries.soql.statements import Asker
from clones.crm.queries.soql.tables import Tables
from clones.crm.queries.sosl.words import WordConditions
from clones.crm.rules.searched_fields import searched_fields
from clones.crm.rules.soql import Plan, SearchPlan, SoqlError, parse_search, resolve_search
from clones.crm.rules.soql.searches import Search
from clones.crm.rules.soql.searching import SearchedObject


@dataclass(frozen=True, slots=True)
class FoundRecords:
    """What a search found, object by object in the order that was asked for.

    Records of an object come by what the search sorts them by, else by their ids.
    """

    plan: SearchPlan
    records: list[Record]


def search(asked: str | Search, *, user: str, version: float, root: str) -> FoundRecords:
    """Return what a user (by id) finds by a SOSL search; `root` is the API version's address.

    Raises:
        CrmError: it is no search, or names what is not there.
    """
    schema = org_schema()
    context = context_of(user, schema, version)
    try:
        read = parse_search(asked) if isinstance(asked, str) else asked
        plan = resolve_search(read, context)
    except SoqlError as error:
        raise CrmError(error.message, code=error.code) from error
    asker = Asker(user, schema, context.calendar)
    records = [record for one in plan.objects for record in _found(plan, one, asker, root)]
    return FoundRecords(plan, records)


def _found(plan: SearchPlan, one: SearchedObject, asker: Asker, root: str) -> list[Record]:
    if plan.term is None or not one.rows:
        return []
    of, term = asker.schema.objects[one.object.name], plan.term
    fields = searched_fields(of, plan.fields)
    query = Plan(one.object, one.columns, where=one.where, order_by=one.order_by, offset=one.offset)

    def condition(tables: Tables) -> Sql:
        return WordConditions(of, fields, tables).sql(term)

    return records_of(query, asker, root, most=one.rows, condition=condition)
