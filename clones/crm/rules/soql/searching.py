"""From a SOSL search to its plan: objects, columns, conditions and how many rows of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from clones.crm.rules.soql import nodes as n
from clones.crm.rules.soql.columns import ColumnResolver
from clones.crm.rules.soql.conditions import ConditionResolver
from clones.crm.rules.soql.errors import SoqlError, no_object
from clones.crm.rules.soql.grouping import aggregates
from clones.crm.rules.soql.parser import parse_search
from clones.crm.rules.soql.paths import PathScope, QueryContext
from clones.crm.rules.soql.plan import (
    Chain,
    FieldColumn,
    PlanColumn,
    PlanNode,
    SortKey,
)
from clones.crm.rules.soql.resolving import LARGEST_OFFSET
from clones.crm.rules.soql.schema import SchemaObject
from clones.crm.rules.soql.searches import FieldsSearched, Returned, Search, SearchOption
from clones.crm.rules.soql.sorting import sort_key
from clones.crm.rules.soql.terms import SearchTerm, read_terms

MOST_ROWS: Final = 2000
_PER_OBJECT: Final = 250
# Where IN NAME FIELDS looks besides names.
NAME_FIELDS_TOO: Final[dict[str, tuple[str, ...]]] = {
    "Account": ("Website", "Site"),
    "Asset": ("SerialNumber",),
    "Case": ("SuppliedName", "SuppliedCompany", "Subject"),
    "Contact": ("AssistantName", "AccountName"),
    "Event": ("Subject",),
    "Lead": ("Company",),
    "Note": ("Title",),
    "Report": ("Description",),
    "Task": ("Subject",),
    "User": ("CommunityNickname",),
}


@dataclass(frozen=True, slots=True)
class SearchedObject:
    """An object that is searched, with what is shown of what is found.

    `rows` is the most that the answer has of it, LIMITs and the vendor's bounds taken together;
    `listview` the name of a list view whose filter counts, too.
    """

    object: SchemaObject
    columns: tuple[PlanColumn, ...]
    rows: int
    where: PlanNode | None = None
    order_by: tuple[SortKey, ...] = ()
    offset: int | None = None
    listview: str | None = None


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """A search that can be run.

    `term` is None where nothing can be found. `objects` come in the order of the answer. `limit` is
    spread evenly over them already.
    """

    term: SearchTerm | None
    fields: FieldsSearched
    objects: tuple[SearchedObject, ...]
    limit: int | None = None
    options: tuple[SearchOption, ...] = ()
    data_categories: tuple[n.DataCategory, ...] = ()
    updates: tuple[str, ...] = ()


def resolve_search(search: Search, context: QueryContext) -> SearchPlan:
    """Return the plan of a search.

    Raises:
        SoqlError: a name is not there, a value does not fit, or a limit is exceeded.
    """
    try:
        return _resolved(search, context)
    except SoqlError as error:
        code = "MALFORMED_SEARCH" if error.code == "MALFORMED_QUERY" else error.code
        raise error.within(search.source, code=code) from None


def plan_search(text: str, context: QueryContext) -> SearchPlan:
    """Return the plan of a text.

    Raises:
        SoqlError: it is no search, or none that can be run.
    """
    return resolve_search(parse_search(text), context)


def _resolved(search: Search, context: QueryContext) -> SearchPlan:
    term = read_terms(search.term)
    if search.limit is not None and search.limit > MOST_ROWS:
        raise SoqlError("NUMBER_OUTSIDE_VALID_RANGE", f"Maximum SOSL limit allowed is {MOST_ROWS}")
    named = search.returned or tuple(
        Returned(n.FieldPath((name,))) for name in context.schema.searched_objects()
    )
    seen: set[str] = set()
    objects: list[SearchedObject] = []
    for returned in named:
        found = context.schema.object(returned.object.text)
        if found is None or not found.searchable:
            raise no_object(returned.object.text, returned.object.span)
        if found.name in seen:
            raise SoqlError(
                "MALFORMED_SEARCH",
                f"sObject type '{found.name}' is named more than once",
                returned.object.span,
            )
        seen.add(found.name)
        share = _share(search.limit, len(objects), len(named))
        rows = _rows(returned, len(named))
        rows = rows if share is None else min(rows, share)
        objects.append(_searched(returned, PathScope(context, found), rows))
    return SearchPlan(
        term,
        search.fields,
        tuple(objects),
        search.limit,
        search.options,
        search.data_categories,
        search.updates,
    )


def _share(limit: int | None, position: int, number: int) -> int | None:
    """Return how much of an overall limit an object gets: as much as the others, or one more."""
    return None if limit is None else limit // number + (position < limit % number)


def _searched(returned: Returned, scope: PathScope, rows: int) -> SearchedObject:
    if returned.offset is not None and returned.offset > LARGEST_OFFSET:
        raise SoqlError(
            "NUMBER_OUTSIDE_VALID_RANGE", f"Maximum SOSL offset allowed is {LARGEST_OFFSET}"
        )
    columns = _columns(returned, scope)
    where = None
    if returned.where is not None:
        where = ConditionResolver(scope).resolve(returned.where)
    return SearchedObject(
        scope.root,
        columns,
        rows,
        where,
        tuple(sort_key(item, scope) for item in returned.order_by),
        returned.offset,
        returned.listview,
    )


def _rows(returned: Returned, number: int) -> int:
    if number > 1:
        bound = min(MOST_ROWS // number, _PER_OBJECT)
    else:
        narrowed = returned.where is not None or bool(returned.order_by)
        bound = MOST_ROWS if narrowed else _PER_OBJECT
    return bound if returned.limit is None else min(bound, returned.limit)


def _columns(returned: Returned, scope: PathScope) -> tuple[PlanColumn, ...]:
    if not returned.items:
        described = scope.context.schema.field(scope.root.name, "Id")
        if described is None:
            raise no_object(scope.root.name, returned.object.span)
        return (FieldColumn(Chain(scope.root.name, (), described), (described.name,)),)
    resolver = ColumnResolver(scope, n.Query(returned.items, (), limit=returned.limit), None)
    columns: list[PlanColumn] = []
    for item in returned.items:
        if isinstance(item, n.SelectedCall) and (aggregates(item.call) or not item.call.arguments):
            raise SoqlError(
                "MALFORMED_SEARCH",
                f"function {item.call.name} is not allowed in RETURNING",
                item.call.span,
            )
        columns.extend(resolver.resolve(item))
    return tuple(columns)
