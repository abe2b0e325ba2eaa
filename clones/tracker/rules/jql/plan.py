"""What a query asks for, once every name is resolved: what a compiler turns into SQL.

`Match(field, test, negated=True)` finds records that have a value and fail the test: the service's
`!=`, `not in` and `!~` never find empty fields. `Not` finds all that its node does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from clones.tracker.rules.jql.dates import Days, Stretch
from clones.tracker.rules.jql.site import ResolvedField
from clones.tracker.rules.jql.texts import TextQuery

Ordering = Literal["=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Ref:
    """A thing by its id; a text by itself, for labels and the like."""

    id: str


@dataclass(frozen=True, slots=True)
class Call:
    """What a function answers, which needs the data: only its arguments are resolved.

    `function` is the canonical name. Each argument is the ids of what it names, or its one text.
    """

    function: str
    arguments: tuple[tuple[str, ...], ...] = ()


Item: TypeAlias = Ref | Call


@dataclass(frozen=True, slots=True)
class Blank:
    """The test that a field has no value."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of these; of a field with several values, any of them. Without items nothing is."""

    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Ordered:
    """Before or after a thing, in the order that its kind has (versions, priorities, keys)."""

    operator: Ordering
    item: Item


@dataclass(frozen=True, slots=True)
class Amount:
    """A number, or seconds for a duration."""

    operator: Ordering
    value: Decimal


@dataclass(frozen=True, slots=True)
class Like:
    """Words in a text; for a version, in its name."""

    query: TextQuery


@dataclass(frozen=True, slots=True)
class Was:
    """Had one of these values (or none, if `blank`) at some time within `during`.

    `by` has, for each predicate, who may have set the value.
    """

    items: tuple[Item, ...]
    blank: bool
    by: tuple[tuple[Item, ...], ...]
    during: Stretch


@dataclass(frozen=True, slots=True)
class Side:
    """What a value was before or after a change."""

    items: tuple[Item, ...]
    blank: bool


@dataclass(frozen=True, slots=True)
class Changed:
    """Was changed within `during`; None for a side that may be anything."""

    before: Side | None
    after: Side | None
    by: tuple[tuple[Item, ...], ...]
    during: Stretch


Test: TypeAlias = Blank | OneOf | Ordered | Amount | Stretch | Days | Like | Was | Changed


@dataclass(frozen=True, slots=True)
class Match:
    """A field that meets a test."""

    field: ResolvedField
    test: Test
    negated: bool = False


@dataclass(frozen=True, slots=True)
class All:
    """Nodes that must all hold."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Any:
    """Nodes of which one must hold."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """A node that must not hold."""

    node: Node


Node: TypeAlias = All | Any | Not | Match


@dataclass(frozen=True, slots=True)
class OrderedBy:
    """A field to order by."""

    field: ResolvedField
    descending: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """A query that can be run. Without `where` it finds all."""

    where: Node | None
    order_by: tuple[OrderedBy, ...]
