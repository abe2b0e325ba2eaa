"""The statement of a plan: which columns it reads, how its rows are ordered and grouped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, combinations
from typing import Final

from clones.crm.queries.access.sharing import condition_on
from clones.crm.queries.formulas import Looker
from clones.crm.queries.manners import Manner, manner_of
from clones.crm.queries.soql.conditions import Conditions, has_deleted, not_deleted
from clones.crm.queries.soql.expressions import expression_sql, folded, is_text
from clones.crm.queries.soql.fragments import EVERYTHING, Sql, joined
from clones.crm.queries.soql.tables import Tables
from clones.crm.rules.access.sharing import Level
from clones.crm.rules.schema import OrgSchema, SObject
from clones.crm.rules.soql.dates import Calendar
from clones.crm.rules.soql.plan import (
    Applied,
    Chain,
    Expression,
    FieldColumn,
    Plan,
    PlanGroups,
    PlanNode,
    SortKey,
    ValueColumn,
)

# Orders in which nobody asked for one: rows by their ids.
_BY_ID: Final = 't0."Id"'


@dataclass(frozen=True)
class Asker:
    """Who asks, of which objects, by which days: the id of the user, and what dates mean.

    `rows` stand for the tables of objects without one, which the query asks for.
    """

    user: str
    schema: OrgSchema
    calendar: Calendar
    with_deleted: bool = False
    rows: Mapping[str, Sql] = field(default_factory=dict)

    @cached_property
    def looker(self) -> Looker:
        """For whom formulas are worked out, and when."""
        return Looker(self.user, self.calendar.now)

    @cached_property
    def manner(self) -> Manner:
        """How the user writes days and moments, as FORMAT() shows them."""
        return manner_of(self.user)

    def tables(self, of: str) -> Tables:
        """Return the tables of a statement about an object, none joined yet."""
        return Tables(of, self.schema, self.looker, self.rows.get(of))


@dataclass(slots=True)
class Selection:
    """The columns of a statement: each piece of SQL once, found again by its place."""

    pieces: list[Sql]

    def place(self, piece: Sql) -> int:
        """Return the place of a piece among the columns, which it gets if it has none."""
        if piece not in self.pieces:
            self.pieces.append(piece)
        return self.pieces.index(piece)


def records_sql(
    plan: Plan, tables: Tables, selection: Selection, asker: Asker, *, extra: Sequence[Sql] = ()
) -> Sql:
    """Return the statement that reads the records of a plan, one row each, without its limits.

    `extra` are further conditions.
    """
    ordering = joined([*_sort_keys(plan.order_by, tables, asker), Sql(_BY_ID)], ", ")
    condition = where_sql(plan, tables, asker, extra=extra)
    columns = joined(selection.pieces, ", ")
    # The joins are known once all columns, conditions and keys were asked for.
    statement = Sql("SELECT {} FROM {} WHERE {} ORDER BY {}")
    return statement.format(columns, tables.source, condition, ordering)


def count_sql(plan: Plan, tables: Tables, asker: Asker) -> Sql:
    """Return the statement that counts the records of a plan, without regard to its limits."""
    condition = where_sql(plan, tables, asker)
    return Sql("SELECT COUNT(*) FROM {} WHERE {}").format(tables.source, condition)


def limited(statement: Sql, limit: int | None, offset: int = 0) -> Sql:
    """Return a statement that gives at most so many rows, after the first few."""
    if limit is None and not offset:
        return statement
    most = 2**62 if limit is None else limit
    return Sql(f"{{}} LIMIT {most} OFFSET {offset}").format(statement)


def where_sql(plan: Plan, tables: Tables, asker: Asker, *, extra: Sequence[Sql] = ()) -> Sql:
    """Return the condition on the records of a plan."""
    found = list(extra)
    if plan.where is not None:
        conditions = Conditions(
            tables, asker.calendar, with_deleted=asker.with_deleted, shared=_shared
        )
        found.append(conditions.sql(plan.where))
    if not asker.with_deleted and has_deleted(plan.object.name, asker.schema):
        found.append(not_deleted())
    if plan.scope == "mine" and asker.schema.objects[plan.object.name].field("OwnerId"):
        found.append(Sql('t0."OwnerId" = %s', (asker.user,)))
    if tables.own is not None:
        found.append(tables.own)
    shared = _shared(asker.schema.objects[plan.object.name])
    if shared is not None:
        found.append(shared)
    return joined(found, " AND ") if found else EVERYTHING


def _shared(of: SObject) -> Sql | None:
    """Return that a record may be seen by the user at hand; None where all of them may."""
    return condition_on(of, Level.READ, "t0")


def grouped_sql(plan: Plan, tables: Tables, asker: Asker) -> Sql:
    """Return the statement that reads the groups of a plan, one row each, with its limits.

    Subtotals are groups of their own: each subset of keys that a plan asks for is one SELECT.
    """
    groups = plan.groups or PlanGroups(())
    keys = groups.keys
    condition = where_sql(plan, tables, asker)
    parts = [
        _one_grouping(plan, groups, tables, asker, condition=condition, kept=kept)
        for kept in _subsets(len(keys), groups.kind)
    ]
    # Joins come with the columns: they are written once all parts were asked for.
    source = tables.source
    statement = joined([part.format_source(source) for part in parts], " UNION ALL ")
    if len(parts) > 1:
        statement = Sql("SELECT * FROM ({}) g").format(statement)
    width = len(plan.columns)
    order = [f"{width + place + 1}{text}" for place, text in enumerate(_directions(plan))]
    if not plan.order_by:
        order = [f"{width + place + 1} NULLS FIRST" for place in range(2 * len(keys))]
    if order:
        statement = Sql(f"{{}} ORDER BY {', '.join(order)}").format(statement)
    return limited(statement, plan.limit, plan.offset or 0)


@dataclass(frozen=True, slots=True)
class _Part:
    """A SELECT of one grouping, whose tables are not known yet."""

    columns: Sql
    rest: Sql

    def format_source(self, source: Sql) -> Sql:
        return Sql("SELECT {} FROM {} {}").format(self.columns, source, self.rest)


def _one_grouping(
    plan: Plan,
    groups: PlanGroups,
    tables: Tables,
    asker: Asker,
    *,
    condition: Sql,
    kept: frozenset[int],
) -> _Part:
    keys = groups.keys
    gone = [keys[place] for place in range(len(keys)) if place not in kept]

    def shown(what: Expression) -> Sql:
        if isinstance(what, Applied) and what.name == "GROUPING":
            return Sql("1" if what.argument in gone else "0")
        if what in gone:
            return Sql("NULL")
        found = expression_sql(what, tables, asker.calendar)
        # One spelling of those that differ in case alone.
        return Sql("MIN({})").format(found) if what in keys and is_text(what.type) else found

    columns = [shown(what) for what in grouped_columns(plan)]
    for one in [key.expression for key in plan.order_by] or keys:
        found = shown(one)
        if not plan.order_by:  # a subtotal comes after what it sums up
            columns.append(Sql("1" if one in gone else "0"))
        columns.append(Sql("UPPER({})").format(found) if is_text(one.type) else found)
    rest = Sql("WHERE {}").format(condition)
    folds = [folded(keys[place], tables, asker.calendar) for place in sorted(kept)]
    if folds:
        rest = Sql("{} GROUP BY {}").format(rest, joined(folds, ", "))
    if groups.having is not None:
        rest = _having(rest, groups.having, tables, asker)
    return _Part(joined(columns, ", "), rest)


def grouped_columns(plan: Plan) -> list[Expression]:
    """Return what a grouped query shows of each group; nothing else can stand in one."""
    found: list[Expression] = []
    for column in plan.columns:
        if isinstance(column, FieldColumn):
            found.append(column.chain)
        elif isinstance(column, ValueColumn):
            found.append(column.expression)
    return found


def _having(rest: Sql, having: PlanNode, tables: Tables, asker: Asker) -> Sql:
    found = Conditions(tables, asker.calendar).sql(having)
    return Sql("{} HAVING {}").format(rest, found)


def _subsets(count: int, kind: str) -> list[frozenset[int]]:
    """Return which keys stay in each grouping of a plan, the finest first."""
    if kind == "rollup":
        return [frozenset(range(size)) for size in range(count, -1, -1)]
    if kind == "cube":
        sizes = (combinations(range(count), size) for size in range(count, -1, -1))
        return [frozenset(kept) for kept in chain.from_iterable(sizes)]
    return [frozenset(range(count))]


def _directions(plan: Plan) -> Iterator[str]:
    for key in plan.order_by:
        yield _direction(key)


def _direction(key: SortKey) -> str:
    side = " DESC" if key.descending else ""
    return f"{side} NULLS {'LAST' if key.nulls_last else 'FIRST'}"


def _sort_keys(keys: Sequence[SortKey], tables: Tables, asker: Asker) -> Iterator[Sql]:
    for key in keys:
        found = folded(key.expression, tables, asker.calendar)
        rank = _picklist_rank(key.expression, found, asker)
        if rank is not None:
            yield Sql(f"{{}}{_direction(key)}").format(rank)
        yield Sql(f"{{}}{_direction(key)}").format(found)


def _picklist_rank(what: Expression, folded_sql: Sql, asker: Asker) -> Sql | None:
    """Return the place of a picklist's value in its list, which it is sorted by."""
    if not isinstance(what, Chain) or what.field.type != "picklist":
        return None
    of = asker.schema.find(what.object)
    field = None if of is None else of.field(what.field.name)
    if field is None or not field.values:
        return None
    cases = " ".join("WHEN %s THEN " + str(place) for place, _ in enumerate(field.values))
    values = tuple(one.value.upper() for one in field.values)
    ranked = f"CASE {{}} {cases} WHEN NULL THEN NULL ELSE {len(values)} END"
    found = Sql(ranked, values).format(folded_sql)
    return Sql("CASE WHEN {} IS NULL THEN NULL ELSE {} END").format(folded_sql, found)
