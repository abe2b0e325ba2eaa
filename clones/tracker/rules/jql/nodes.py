"""The parts of a query, as it was typed. Nodes that say the same are equal, wherever they stood."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Operator = Literal[
    "=", "!=", "<", "<=", ">", ">=", "~", "!~",
    "in", "not in", "is", "is not", "was", "was not", "was in", "was not in", "changed",
]  # fmt: skip
Temporal = Literal["before", "after", "on", "during", "by", "from", "to"]
Direction = Literal["asc", "desc"]


@dataclass(frozen=True, slots=True)
class Span:
    """Where a part stands: offsets into the text, and the line and column (from 1) of its start."""

    start: int
    end: int
    line: int
    column: int


NOWHERE = Span(0, 0, 1, 1)


@dataclass(frozen=True, slots=True)
class Property:
    """A property of an entity, `[key].path`: the path is empty for the whole value."""

    key: str
    path: str


@dataclass(frozen=True, slots=True)
class Field:
    """A field by its name, or by `cf[number]`: then `number` is set and the name says the same."""

    name: str
    number: int | None = None
    properties: tuple[Property, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Value:
    """A literal. A whole number without quotation marks is more than its text: it may be an id."""

    text: str
    number: bool = False
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Function:
    """A call of a function."""

    name: str
    arguments: tuple[str, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Empty:
    """The keyword EMPTY, or NULL."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class List:
    """Operands in parentheses; lists may hold lists."""

    operands: tuple[Operand, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


Operand: TypeAlias = Value | Function | Empty | List


@dataclass(frozen=True, slots=True)
class Predicate:
    """What narrows a look into the past: `before -4w`, `by jane`, `from a`."""

    operator: Temporal
    operand: Operand


@dataclass(frozen=True, slots=True)
class Comparison:
    """A field, an operator, and what it is compared with: None only for `changed`."""

    field: Field
    operator: Operator
    operand: Operand | None
    predicates: tuple[Predicate, ...] = ()


@dataclass(frozen=True, slots=True)
class And:
    """Clauses that must all hold: two or more."""

    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Clauses of which one must hold: two or more."""

    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """A clause that must not hold."""

    clause: Clause


Clause: TypeAlias = And | Or | Not | Comparison


@dataclass(frozen=True, slots=True)
class Sort:
    """A field to order by; without a direction the field's own counts."""

    field: Field
    direction: Direction | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """A whole query; without a clause it finds everything."""

    where: Clause | None = None
    order_by: tuple[Sort, ...] = ()


def comparisons(clause: Clause | None) -> Iterator[Comparison]:
    """Yield the comparisons of a clause, in the order of the text."""
    if isinstance(clause, Comparison):
        yield clause
    elif isinstance(clause, Not):
        yield from comparisons(clause.clause)
    elif clause is not None:
        for part in clause.clauses:
            yield from comparisons(part)


def singles(operand: Operand | None) -> Iterator[Value | Function | Empty]:
    """Yield what an operand holds, lists opened."""
    if isinstance(operand, List):
        for part in operand.operands:
            yield from singles(part)
    elif operand is not None:
        yield operand
