"""The parts of a formula, as it was typed. Nodes that say the same are equal, wherever they stood.

Long sums lean to the left: `a + b + c` is `(a + b) + c`. What walks over nodes goes down the left
side in a loop (`left_spine`), so that only what is nested costs it a call. Python's own comparing
and showing of nodes do not: of what may be that long, compare and show the text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final, Literal, TypeAlias

Operator = Literal["||", "&&", "=", "<>", "<", "<=", ">", ">=", "+", "-", "&", "*", "/", "^", "!"]

# These take any number of operands, and look at no more of them than they need.
LOGICAL: Final = frozenset({"&&", "||"})
# From the loosest to the tightest; a sign and `!` bind tighter than all.
PRECEDENCE: Final[tuple[frozenset[str], ...]] = (
    frozenset({"||"}),
    frozenset({"&&"}),
    frozenset({"=", "<>"}),
    frozenset({"<", "<=", ">", ">="}),
    frozenset({"+", "-", "&"}),
    frozenset({"*", "/"}),
    frozenset({"^"}),
)


@dataclass(frozen=True, slots=True)
class Span:
    """Where a part stands: offsets into the formula."""

    start: int
    end: int


NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class TextLiteral:
    """A text in quotation marks, its escapes read."""

    value: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class NumberLiteral:
    """A number without a sign."""

    value: Decimal
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class BooleanLiteral:
    """TRUE or FALSE."""

    value: bool
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class NullLiteral:
    """NULL."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class FieldReference:
    """A field by its path, such as `Amount`, `Account.Owner.Name` or `$User.Id`, as typed."""

    path: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function, by its name as typed."""

    name: str
    arguments: tuple[Node, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator with its operands: one for a sign or `!`, two or more for `&&` and `||`."""

    operator: Operator
    operands: tuple[Node, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


Literals: TypeAlias = TextLiteral | NumberLiteral | BooleanLiteral | NullLiteral
Node: TypeAlias = Literals | FieldReference | Call | Operation


@dataclass(frozen=True, slots=True)
class Formula:
    """A whole formula with the text that it was read from."""

    root: Node
    text: str = field(compare=False, repr=False)


def leans(node: Node) -> bool:
    """Tell whether a node is one of those that long sums are made of."""
    return isinstance(node, Operation) and len(node.operands) == 2 and node.operator not in LOGICAL


def left_spine(node: Node) -> tuple[Node, list[Operation]]:
    """Return what stands furthest left, and the operations of two that hold it, innermost first."""
    found: list[Operation] = []
    while isinstance(node, Operation) and leans(node):
        found.append(node)
        node = node.operands[0]
    found.reverse()
    return node, found


def field_paths(formula: Formula) -> tuple[str, ...]:
    """Return the paths of the fields that a formula names, in the order of the text, each once."""
    found: dict[str, None] = {}
    waiting: list[Node] = [formula.root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, FieldReference):
            found.setdefault(node.path)
        elif isinstance(node, Call):
            waiting += reversed(node.arguments)
        elif isinstance(node, Operation):
            waiting += reversed(node.operands)
    return tuple(found)
