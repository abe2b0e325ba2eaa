"""SOQL and SOSL: from text to a plan. Pure: what an org has, and the time, its caller tells.

The way of a query: `parse` makes nodes of a text (or refuses it, with a place); `resolve` finds
every name in a `SchemaView` and gives each value the type of its field; what is left is a `Plan`,
which a compiler turns into SQL without knowing SOQL. `columns_of` describes what it shows.
"""

from clones.crm.rules.soql.dates import (
    DATE_FUNCTIONS,
    Calendar,
    Days,
    date_part,
    fiscal_year,
    literal_days,
)
from clones.crm.rules.soql.described import columns_of
from clones.crm.rules.soql.errors import SoqlError
from clones.crm.rules.soql.nodes import Query
from clones.crm.rules.soql.parser import parse, parse_search
from clones.crm.rules.soql.paths import QueryContext
from clones.crm.rules.soql.plan import Plan
from clones.crm.rules.soql.printing import print_query, print_search
from clones.crm.rules.soql.resolving import plan_text, resolve
from clones.crm.rules.soql.schema import SchemaChild, SchemaField, SchemaObject, SchemaView
from clones.crm.rules.soql.searches import Search
from clones.crm.rules.soql.searching import SearchPlan, plan_search, resolve_search
from clones.crm.rules.soql.terms import read_terms
from clones.crm.rules.soql.values import whole_id

__all__ = [
    "DATE_FUNCTIONS",
    "Calendar",
    "Days",
    "Plan",
    "Query",
    "QueryContext",
    "SchemaChild",
    "SchemaField",
    "SchemaObject",
    "SchemaView",
    "Search",
    "SearchPlan",
    "SoqlError",
    "columns_of",
    "date_part",
    "fiscal_year",
    "literal_days",
    "parse",
    "parse_search",
    "plan_search",
    "plan_text",
    "print_query",
    "print_search",
    "read_terms",
    "resolve",
    "resolve_search",
    "whole_id",
]
