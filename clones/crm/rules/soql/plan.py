"""What a query asks for, once every name is resolved: what a compiler turns into SQL.

How tests treat records without a value:

- `Compare` with `=` and an order, `Within`, `Like`, `OneOf`: never met by a null.
- `Compare` with `!=`, and each of the others with `negated`: met by a null, as by any other value.
- `PlanNot` finds every record that its node does not find.
- A boolean is never null: where its parent is missing, it counts as false.
- Paths over parents are outer joins: a record without the parent has a null at the end of the path.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Literal, TypeAlias

from clones.crm.rules.soql.nodes import DataCategory
from clones.crm.rules.soql.schema import SchemaChild, SchemaField, SchemaObject
from clones.crm.rules.soql.strings import LikePattern

Ordering = Literal["=", "!=", "<", "<=", ">", ">="]
PathUnit = Literal["mi", "km"]


@dataclass(frozen=True, slots=True)
class Hop:
    """One step from a record to its parent.

    `target` is the parent's object: `Name` for a polymorphic reference, whose records are in any of
    `field.reference_to` and of which only the fields of `Name` are asked.
    """

    object: str
    field: SchemaField
    target: str

    @property
    def key(self) -> str:
        """The name of the relationship, in describe's casing: its key in a record."""
        return self.field.relationship_name or self.field.name


@dataclass(frozen=True, slots=True)
class Chain:
    """A field at the end of zero to five steps over parents, of records of `root`."""

    root: str
    hops: tuple[Hop, ...]
    field: SchemaField

    @property
    def object(self) -> str:
        """The object that has the field."""
        return self.hops[-1].target if self.hops else self.root

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the path, in describe's casing."""
        return (*(hop.key for hop in self.hops), self.field.name)

    @property
    def type(self) -> str:
        """The type of what it yields, a word of describe."""
        return self.field.type


@dataclass(frozen=True, slots=True)
class Applied:
    """A function of the language applied to a field, or to another function.

    `name` is the vendor's: an aggregate (`COUNT`, `COUNT_DISTINCT`, `SUM`, `AVG`, `MIN`, `MAX`), a
    date function (its meaning: `dates.DATE_FUNCTIONS`), `convertTimezone`, `GROUPING`, `toLabel`,
    `FORMAT` or `convertCurrency`. `type` is that of the result, a word of describe.
    """

    name: str
    argument: Expression
    type: str


@dataclass(frozen=True, slots=True)
class RowCount:
    """`COUNT()`: how many records there are."""

    type: str = "int"


@dataclass(frozen=True, slots=True)
class Distance:
    """How far a location field is from a place, in miles or kilometres.

    `latitude` and `longitude` are degrees.
    """

    location: Chain
    latitude: Decimal
    longitude: Decimal
    unit: PathUnit
    type: str = "double"


Expression: TypeAlias = Chain | Applied | RowCount | Distance


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in a named currency."""

    currency: str
    amount: Decimal


# None is null; texts are compared without case unless the field says otherwise; datetimes are in
# UTC; ids have their 18 characters.
PlanValue: TypeAlias = str | Decimal | bool | date | datetime | time | Money | None


@dataclass(frozen=True, slots=True)
class Compare:
    """An expression compared with a value."""

    left: Expression
    operator: Ordering
    value: PlanValue


@dataclass(frozen=True, slots=True)
class Within:
    """An expression whose value lies in [`start`, `end`); None for no bound.

    Dates for a date, datetimes in UTC for a datetime: what a date literal comes to.
    """

    left: Expression
    start: date | datetime | None
    end: date | datetime | None
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Like:
    """A text that has the form of a pattern, compared without case."""

    left: Expression
    pattern: LikePattern
    negated: bool = False


@dataclass(frozen=True, slots=True)
class OneOf:
    """An expression whose value is one of these, or lies in one of the stretches.

    A None among the values stands for records without one.
    """

    left: Expression
    values: tuple[PlanValue, ...]
    stretches: tuple[Within, ...] = ()
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Includes:
    """A multi-select picklist of which all choices of one of these sets are selected."""

    left: Expression
    choices: tuple[tuple[str, ...], ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class WholeSelection:
    """A multi-select picklist whose selection is exactly this set (`=`; `!=` if `negated`)."""

    left: Expression
    choices: tuple[str, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class InQuery:
    """A field whose value is among those that a query on another object finds.

    `narrowed` is the one object that records of a polymorphic field may belong to, else None.
    """

    left: Chain
    query: InnerPlan
    negated: bool = False
    narrowed: str | None = None


@dataclass(frozen=True, slots=True)
class InnerPlan:
    """The query of a semi-join: the values of one field of the records of an object."""

    object: str
    field: Chain
    where: PlanNode | None


@dataclass(frozen=True, slots=True)
class PlanAll:
    """Nodes that must all hold."""

    nodes: tuple[PlanNode, ...]


@dataclass(frozen=True, slots=True)
class PlanAny:
    """Nodes of which one must hold."""

    nodes: tuple[PlanNode, ...]


@dataclass(frozen=True, slots=True)
class PlanNot:
    """A node that must not hold."""

    node: PlanNode


PlanNode: TypeAlias = (
    PlanAll
    | PlanAny
    | PlanNot
    | Compare
    | Within
    | Like
    | OneOf
    | Includes
    | WholeSelection
    | InQuery
)


@dataclass(frozen=True, slots=True)
class FieldColumn:
    """A field of each record, shown under `keys`: the last in the nests that the others name.

    In a grouped query `keys` is the one name of the column.
    """

    chain: Chain
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ValueColumn:
    """What a function yields, shown under `keys`; `text` is the call in the vendor's writing.

    `toLabel`, `FORMAT` and `convertCurrency` of a field without an alias are shown where the field
    would be; otherwise `keys` has one name (the alias, or `expr0`, `expr1` and so on).
    """

    expression: Expression
    keys: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class ChildColumn:
    """The children of each record by a relationship: a list under `relationship.name`."""

    relationship: SchemaChild
    plan: Plan


@dataclass(frozen=True, slots=True)
class PlanBranch:
    """What is shown of a polymorphic parent that is a record of `object`."""

    object: str
    columns: tuple[FieldColumn, ...]


@dataclass(frozen=True, slots=True)
class TypeOfColumn:
    """What is shown of a polymorphic parent, by its object; `otherwise` for all other objects.

    The chains of a branch start at the branch's object, those of `otherwise` at `Name`. Where
    `otherwise` is empty, a parent of another object is a nest without fields.
    """

    path: tuple[Hop, ...]
    branches: tuple[PlanBranch, ...]
    otherwise: tuple[FieldColumn, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the path to the parent, in describe's casing."""
        return tuple(hop.key for hop in self.path)


PlanColumn: TypeAlias = FieldColumn | ValueColumn | ChildColumn | TypeOfColumn


@dataclass(frozen=True, slots=True)
class PlanGroups:
    """How rows are grouped. Without keys all are one group.

    `kind` is `plain`, `rollup` (subtotals from the right, then the total) or `cube` (subtotals of
    every subset). `having` is a condition on groups.
    """

    keys: tuple[Expression, ...]
    kind: Literal["plain", "rollup", "cube"] = "plain"
    having: PlanNode | None = None


@dataclass(frozen=True, slots=True)
class SortKey:
    """A key to order by, and whether nulls come last."""

    expression: Expression
    descending: bool = False
    nulls_last: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """A query that can be run.

    Args:
        object: whose records are asked for.
        columns: what is shown of each, in order.
        where: None for all.
        groups: set for a grouped or aggregated query: rows are `AggregateResult`.
        counts_rows: a lone `COUNT()`: the answer is `totalSize` alone, bounded by `limit`.
        limit, offset: as asked; None for none.
        scope: the word after USING SCOPE in lower case, `everything` without one.
        purposes: what stands after FOR: VIEW, REFERENCE, UPDATE.
        updates: what stands after UPDATE: TRACKING, VIEWSTAT.
        data_categories: filters of articles, all of which must hold.
        batch_limit: the most records of one page: 200 where long custom texts are asked for.
    """

    object: SchemaObject
    columns: tuple[PlanColumn, ...]
    where: PlanNode | None = None
    groups: PlanGroups | None = None
    counts_rows: bool = False
    order_by: tuple[SortKey, ...] = ()
    limit: int | None = None
    offset: int | None = None
    scope: str = "everything"
    purposes: tuple[str, ...] = ()
    updates: tuple[str, ...] = ()
    data_categories: tuple[DataCategory, ...] = ()
    batch_limit: int = 2000


def chains_of(expression: Expression) -> Iterator[Chain]:
    """Yield the fields that an expression reads."""
    if isinstance(expression, Chain):
        yield expression
    elif isinstance(expression, Applied):
        yield from chains_of(expression.argument)
    elif isinstance(expression, Distance):
        yield expression.location
