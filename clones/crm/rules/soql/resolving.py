"""From nodes to a plan: every name resolved, every value typed, the vendor's limits kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from clones.crm.rules.soql import nodes as n
from clones.crm.rules.soql.columns import ColumnResolver
from clones.crm.rules.soql.conditions import ConditionResolver
from clones.crm.rules.soql.errors import SoqlError, malformed, no_relationship
from clones.crm.rules.soql.grouping import (
    GroupRules,
    aggregates,
    counts_rows,
    group_rules,
    is_grouped,
    plan_groups,
)
from clones.crm.rules.soql.parser import parse
from clones.crm.rules.soql.paths import PathScope, QueryContext, object_scope
from clones.crm.rules.soql.plan import (
    ChildColumn,
    FieldColumn,
    Plan,
    PlanColumn,
    PlanNode,
    RowCount,
    SortKey,
    ValueColumn,
)
from clones.crm.rules.soql.printing import print_operand
from clones.crm.rules.soql.schema import SchemaChild
from clones.crm.rules.soql.sorting import sort_key

MOST_CHILDREN: Final = 20  # subqueries for children
LARGEST_OFFSET: Final = 2000
MOST_SORTS: Final = 32
LEVELS: Final = 5  # of a query with its subqueries, from version 58; two before
_LEVELS_BEFORE_58: Final = 2
_LONG_TEXT: Final = 255
_BATCH, _BATCH_OF_LONG_TEXTS = 2000, 200
# Objects of which the vendor answers only what hangs on named records.
_ONLY_BY: Final = {"ContentDocumentLink": frozenset({"id", "contentdocumentid", "linkedentityid"})}


def resolve(query: n.Query, context: QueryContext) -> Plan:
    """Return the plan of a query.

    Raises:
        SoqlError: a name is not there, a value does not fit, or a limit is exceeded.
    """
    try:
        return _resolved(query, context)
    except SoqlError as error:
        raise error.within(query.source) from None


def plan_text(text: str, context: QueryContext) -> Plan:
    """Return the plan of a text.

    Raises:
        SoqlError: it is no query, or none that can be run.
    """
    return resolve(parse(text), context)


def _resolved(query: n.Query, context: QueryContext) -> Plan:
    scope = object_scope(context, query.sources)
    if query.offset is not None and query.offset > LARGEST_OFFSET:
        raise SoqlError(
            "NUMBER_OUTSIDE_VALID_RANGE", f"Maximum SOQL offset allowed is {LARGEST_OFFSET}"
        )
    plan = _Resolver(scope, query, _Children()).plan()
    _require_filter(query, scope)
    return plan


@dataclass(slots=True)
class _Children:
    """How many subqueries for children a query has."""

    number: int = 0

    def add(self, at: n.TextSpan) -> None:
        self.number += 1
        if self.number > MOST_CHILDREN:
            raise malformed(f"A query can have at most {MOST_CHILDREN} child subqueries", at)


@dataclass(frozen=True, slots=True)
class _Resolver:
    """Resolve a query, or a subquery of it at a level (1 for the query itself)."""

    scope: PathScope
    query: n.Query
    children: _Children
    level: int = 1

    def plan(self) -> Plan:
        query, scope = self.query, self.scope
        rules = group_rules(query, scope) if is_grouped(query) else None
        counted = counts_rows(query)
        columns = self._count() if counted else self._columns(rules)
        groups = None if rules is None or counted else plan_groups(query, rules, scope)
        return Plan(
            scope.root,
            columns,
            where=self._where(),
            groups=groups,
            counts_rows=counted,
            order_by=tuple(self._sort(item, rules) for item in self._sorts()),
            limit=query.limit,
            offset=query.offset,
            scope=(query.scope or "everything").lower(),
            purposes=query.purposes,
            updates=query.updates,
            data_categories=query.data_categories,
            batch_limit=_batch_limit(columns),
        )

    def _count(self) -> tuple[PlanColumn, ...]:
        return (ValueColumn(RowCount(), ("expr0",), "COUNT()"),)

    def _columns(self, rules: GroupRules | None) -> tuple[PlanColumn, ...]:
        resolver = ColumnResolver(self.scope, self.query, rules)
        columns: list[PlanColumn] = []
        for item in self.query.select:
            if isinstance(item, n.ChildSelect):
                columns.append(self._child(item.query, rules))
            else:
                if isinstance(item, n.SelectedCall) and not item.call.arguments:
                    raise malformed("COUNT() must be the only thing selected", item.call.span)
                columns.extend(resolver.resolve(item))
        return tuple(columns)

    def _child(self, child: n.Query, rules: GroupRules | None) -> ChildColumn:
        source = child.sources[0]
        at = source.path.span
        self.children.add(at)
        context = self.scope.context
        levels = LEVELS if context.version >= 58 else _LEVELS_BEFORE_58
        if self.level + 1 > levels:
            raise malformed(f"A query can have at most {levels} levels of child subqueries", at)
        if rules is not None:
            raise malformed("Child subqueries cannot be used in a grouped query", at)
        if any(isinstance(i, n.SelectedCall) and aggregates(i.call) for i in child.select):
            raise malformed("only root queries support aggregate expressions")
        if child.offset is not None and self.query.limit != 1:
            raise malformed(
                "OFFSET in a child subquery is only allowed where the outer query has LIMIT 1", at
            )
        relationship = self._relationship(source)
        found = context.schema.object(relationship.object) if relationship is not None else None
        if relationship is None or found is None:
            raise no_relationship(source.path.names[-1], at, place="FROM part of query call")
        scope = PathScope(context, found, {}, self.scope.parents)
        if source.alias is not None:
            scope.aliases[source.alias.lower()] = ()
        plan = _Resolver(scope, child, self.children, self.level + 1).plan()
        return ChildColumn(relationship, plan)

    def _relationship(self, source: n.Source) -> SchemaChild | None:
        """Return the child relationship that FROM of a subquery names, `Account.Contacts` too."""
        names = source.path.names
        outer = {self.scope.root.name.lower(), *self.scope.aliases}
        if len(names) == 2 and names[0].lower() in outer:
            names = names[1:]
        if len(names) != 1 or len(self.query.sources) != 1:
            return None
        return self.scope.context.schema.child(self.scope.root.name, names[0])

    def _where(self) -> PlanNode | None:
        if self.query.where is None:
            return None
        return ConditionResolver(self.scope).resolve(self.query.where)

    def _sorts(self) -> tuple[n.OrderItem, ...]:
        if len(self.query.order_by) > MOST_SORTS:
            raise malformed(
                f"ORDER BY takes at most {MOST_SORTS} fields",
                self.query.order_by[MOST_SORTS].key.span,
            )
        return self.query.order_by

    def _sort(self, item: n.OrderItem, rules: GroupRules | None) -> SortKey:
        key = sort_key(item, self.scope)
        if rules is not None:
            rules.require(item.key, key.expression, ordered=True)
        elif isinstance(item.key, n.FunctionCall) and aggregates(item.key):
            shown = print_operand(item.key)
            raise malformed(f"Ordered field must be grouped or aggregated: {shown}", item.key.span)
        return key


def _batch_limit(columns: tuple[PlanColumn, ...]) -> int:
    long_texts = sum(
        isinstance(column, FieldColumn)
        and column.chain.field.custom
        and column.chain.type == "textarea"
        and column.chain.field.length > _LONG_TEXT
        for column in columns
    )
    return _BATCH_OF_LONG_TEXTS if long_texts >= 2 else _BATCH


def _require_filter(query: n.Query, scope: PathScope) -> None:
    wanted = _ONLY_BY.get(scope.root.name)
    if wanted is None:
        return
    parts = query.where.conditions if isinstance(query.where, n.AllOf) else (query.where,)
    for part in parts:
        if isinstance(part, n.Comparison):
            named = part.operator == "="
        else:
            named = isinstance(part, n.InList | n.SemiJoin) and not part.negated
        if named and part is not None and not isinstance(part, n.AllOf | n.AnyOf | n.Negation):
            left = part.left
            if isinstance(left, n.FieldPath) and left.names[-1].lower() in wanted:
                return
    raise malformed(
        f"Implementation restriction: {scope.root.name} requires a filter by a single Id on "
        "ContentDocumentId or LinkedEntityId using the equals operator or multiple Id's using the "
        "IN operator."
    )
