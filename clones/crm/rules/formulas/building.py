"""From the parser's tree to nodes."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, TypeAlias, cast

from lark import Token, Transformer_NonRecursive, Tree
from lark.exceptions import VisitError

from clones.crm.rules.formulas.errors import FormulaError, FormulaSyntaxError
from clones.crm.rules.formulas.nodes import (
    BooleanLiteral,
    Call,
    FieldReference,
    Node,
    NullLiteral,
    NumberLiteral,
    Operation,
    Operator,
    Span,
    TextLiteral,
    leans,
)

DEEPEST: Final = 100  # calls, signs and parentheses in each other
_SYMBOLS: Final = {
    "OR": "||", "AND": "&&", "EQ": "=", "NE": "<>", "LT": "<", "LE": "<=", "GT": ">", "GE": ">=",
    "PLUS": "+", "MINUS": "-", "CONCAT": "&", "TIMES": "*", "OVER": "/", "POWER": "^", "NOT": "!",
}  # fmt: skip

_Children: TypeAlias = list[Any]


@dataclass(frozen=True, slots=True)
class _Deep:
    """A node with how deep it goes."""

    node: Node
    depth: int


def _operator(token: Token) -> Operator:
    return cast("Operator", _SYMBOLS[token.type])


def _parts(children: _Children) -> list[_Deep]:
    return [child for child in children if isinstance(child, _Deep)]


def _span(first: Token, last: Token) -> Span:
    return Span(first.start_pos or 0, last.end_pos or 0)


def _over(parts: list[_Deep]) -> Span:
    return Span(parts[0].node.span.start, parts[-1].node.span.end)


def _deep(node: Node, depth: int) -> _Deep:
    if depth > DEEPEST:
        raise FormulaSyntaxError(f"Syntax error.  'nested more than {DEEPEST} levels deep'")
    return _Deep(node, depth)


class Builder(Transformer_NonRecursive[Token, Any]):
    """Make nodes bottom up, without recursion: the text says how deep they are, not the stack."""

    def build(self, tree: Tree[Token]) -> Node:
        """Return the root of a whole tree.

        Raises:
            FormulaSyntaxError: it is too deep.
        """
        try:
            return cast("Node", self.transform(tree))
        except VisitError as error:
            if isinstance(error.orig_exc, FormulaError):
                raise error.orig_exc from None
            raise

    def start(self, children: _Children) -> Node:
        """Return the root."""
        return cast("Node", children[0].node)

    def _all(self, children: _Children, operator: Operator) -> _Deep:
        parts = _parts(children)
        operands = tuple(part.node for part in parts)
        return _deep(
            Operation(operator, operands, _over(parts)), 1 + max(part.depth for part in parts)
        )

    def disjunction(self, children: _Children) -> _Deep:
        """Return operands of which one must hold."""
        return self._all(children, "||")

    def conjunction(self, children: _Children) -> _Deep:
        """Return operands that must all hold."""
        return self._all(children, "&&")

    def _two(self, children: _Children) -> _Deep:
        left, sign, right = children
        node = Operation(_operator(sign), (left.node, right.node), _over([left, right]))
        # What leans to the left is walked in a loop and costs no level.
        own = 0 if leans(left.node) else 1
        return _deep(node, max(left.depth + own, right.depth + 1))

    equality = relation = sum = product = power = _two

    def signed(self, children: _Children) -> _Deep:
        """Return an operand with a sign, or with `!`."""
        sign, part = children
        span = Span(sign.start_pos or 0, part.node.span.end)
        return _deep(Operation(_operator(sign), (part.node,), span), part.depth + 1)

    def group(self, children: _Children) -> _Deep:
        """Return what stands in parentheses."""
        return _deep(children[1].node, children[1].depth + 1)

    def text(self, children: list[Token]) -> _Deep:
        """Return a text."""
        return _Deep(TextLiteral(str(children[0]), _span(children[0], children[0])), 0)

    def number(self, children: list[Token]) -> _Deep:
        """Return a number."""
        return _Deep(NumberLiteral(Decimal(children[0]), _span(children[0], children[0])), 0)

    def boolean(self, children: list[Token]) -> _Deep:
        """Return TRUE or FALSE."""
        token = children[0]
        return _Deep(BooleanLiteral(token.type == "TRUE", _span(token, token)), 0)

    def null(self, children: list[Token]) -> _Deep:
        """Return NULL."""
        return _Deep(NullLiteral(_span(children[0], children[0])), 0)

    def field(self, children: list[Token]) -> _Deep:
        """Return a field."""
        return _Deep(FieldReference(str(children[0]), _span(children[0], children[0])), 0)

    def call(self, children: _Children) -> _Deep:
        """Return a call."""
        parts = _parts(children)
        arguments = tuple(part.node for part in parts)
        span = _span(children[0], children[-1])
        depth = 1 + max((part.depth for part in parts), default=0)
        return _deep(Call(str(children[0]), arguments, span), depth)
