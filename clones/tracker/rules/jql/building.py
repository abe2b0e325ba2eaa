"""From the parser's tree to nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

from lark import Token, Transformer_NonRecursive, Tree
from lark.exceptions import VisitError

from clones.tracker.rules.jql.errors import JqlError, syntax
from clones.tracker.rules.jql.nodes import (
    And,
    Clause,
    Comparison,
    Direction,
    Empty,
    Field,
    Function,
    List,
    Not,
    Operator,
    Or,
    Predicate,
    Property,
    Query,
    Sort,
    Span,
    Temporal,
    Value,
)

DEEPEST: Final = 100  # clauses in clauses, or lists in lists
_SYMBOLS: Final = {
    "EQ": "=", "NE": "!=", "LT": "<", "LE": "<=", "GT": ">", "GE": ">=", "LIKE": "~",
    "UNLIKE": "!~",
}  # fmt: skip

_Children: TypeAlias = list[Any]


@dataclass(frozen=True, slots=True)
class _Deep:
    """A node that holds others, with how deep they go."""

    node: Any
    depth: int


def _span(first: Token, last: Token) -> Span:
    return Span(first.start_pos or 0, last.end_pos or 0, first.line or 1, first.column or 1)


def _depth(child: Any) -> int:
    return child.depth if isinstance(child, _Deep) else 0


def _node(child: Any) -> Any:
    return child.node if isinstance(child, _Deep) else child


class Builder(Transformer_NonRecursive[Token, Any]):
    """Make nodes bottom up, without recursion: the text says how deep they are, not the stack."""

    def build(self, tree: Tree[Token]) -> Query:
        """Return the query of a whole tree.

        Raises:
            JqlSyntaxError: a part of it is none after all, or it is too deep.
        """
        try:
            return cast("Query", self.transform(tree))
        except VisitError as error:
            if isinstance(error.orig_exc, JqlError):
                raise error.orig_exc from None
            raise

    def _deep(self, node: Any, inner: _Children) -> _Deep:
        depth = 1 + max(map(_depth, inner), default=0)
        if depth > DEEPEST:
            raise syntax(f"The query is nested more than {DEEPEST} levels deep.")
        return _Deep(node, depth)

    def start(self, children: _Children) -> Query:
        """Return the query."""
        where: Clause | None = None
        sorts: tuple[Sort, ...] = ()
        for child in children:
            if isinstance(child, tuple):
                sorts = child
            elif child is not None:
                where = _node(child)
        return Query(where, sorts)

    def disjunction(self, children: _Children) -> _Deep:
        """Return clauses of which one must hold."""
        parts = [child for child in children if not isinstance(child, Token)]
        return self._deep(Or(tuple(map(_node, parts))), parts)

    def conjunction(self, children: _Children) -> _Deep:
        """Return clauses that must all hold."""
        parts = [child for child in children if not isinstance(child, Token)]
        return self._deep(And(tuple(map(_node, parts))), parts)

    def negation(self, children: _Children) -> _Deep:
        """Return a clause that must not hold."""
        return self._deep(Not(_node(children[1])), children[1:])

    def group(self, children: _Children) -> Any:
        """Return what stands in parentheses."""
        # Counted too: the tree has a level for them, though the nodes have none.
        return self._deep(_node(children[1]), children[1:2])

    def comparison(self, children: _Children) -> Comparison:
        """Return a field, an operator and an operand."""
        field, operator, operand, *predicates = map(_node, children)
        return Comparison(field, operator, operand, tuple(predicates))

    def change(self, children: _Children) -> Comparison:
        """Return a field that changed."""
        field, _, *rest = [_node(child) for child in children if child is not None]
        predicates = tuple(part for part in rest if isinstance(part, Predicate))
        operand = next((part for part in rest if not isinstance(part, Predicate)), None)
        return Comparison(field, "changed", operand, predicates)

    def operator(self, children: list[Token]) -> Operator:
        """Return an operator in lower case."""
        name = " ".join(_SYMBOLS.get(token.type, token.type.lower()) for token in children)
        return cast("Operator", name)

    def predicate(self, children: _Children) -> Predicate:
        """Return what narrows a look into the past."""
        return Predicate(cast("Temporal", children[0].type.lower()), _node(children[1]))

    def cf(self, children: list[Token]) -> Field:
        """Return a custom field by its number."""
        digits = children[2]
        if digits.startswith("-"):
            raise syntax(
                f"Expecting a custom field id (a positive number) but got '{digits}'.",
                _span(digits, digits),
            )
        number = int(digits)
        return Field(f"cf[{number}]", number, span=_span(children[0], children[3]))

    def field(self, children: _Children) -> Field:
        """Return a field."""
        first, properties = children[0], tuple(children[1:])
        if isinstance(first, Field):
            return Field(first.name, first.number, properties, first.span)
        return Field(str(first), None, properties, _span(first, first))

    def path(self, children: list[Token]) -> Property:
        """Return a key and a path: `.` stands between the parts of one, and before it."""
        path = ""
        for token in children[3:]:
            if token.startswith(".") == path.endswith(".") or ".." in token:
                raise _not_a_path(token)
            path += token
        if path.endswith("."):
            raise _not_a_path(children[-1])
        return Property(str(children[1]), path.removeprefix("."))

    def value(self, children: list[Token]) -> Value:
        """Return a literal."""
        token = children[0]
        return Value(str(token), token.type == "NUMBER", _span(token, token))

    def empty(self, children: list[Token]) -> Empty:
        """Return the keyword."""
        return Empty(_span(children[0], children[0]))

    def values(self, children: _Children) -> _Deep:
        """Return a list."""
        parts = [child for child in children if not isinstance(child, Token)]
        span = _span(children[0], children[-1])
        return self._deep(List(tuple(map(_node, parts)), span), parts)

    def function(self, children: list[Token | None]) -> Function:
        """Return a call."""
        tokens = [token for token in children if token is not None]
        arguments = (token for token in tokens[2:-1] if token.type != "ARGUMENT_COMMA")
        return Function(str(tokens[0]), tuple(map(str, arguments)), _span(tokens[0], tokens[-1]))

    def order_by(self, children: _Children) -> tuple[Sort, ...]:
        """Return what to order by."""
        return tuple(child for child in children if isinstance(child, Sort))

    def sort(self, children: _Children) -> Sort:
        """Return a field and a direction."""
        direction = next((part for part in children[1:] if isinstance(part, Token)), None)
        return Sort(
            children[0],
            cast("Direction", direction.type.lower()) if direction is not None else None,
        )


def _not_a_path(token: Token) -> JqlError:
    # What is no path can only be what follows the field.
    return syntax(
        f"Expecting operator but got '{token}'. The valid operators are '=', '!=', '<', '>', '<=', "
        "'>=', '~', '!~', 'IN', 'NOT IN', 'IS' and 'IS NOT'.",
        _span(token, token),
    )
