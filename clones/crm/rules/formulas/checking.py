"""From nodes to a checked formula: every field and function found, every part with its type."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from clones.crm.rules.formulas.errors import (
    LONGEST_COMPILED,
    compiled_too_big,
    function_not_allowed,
    unknown_field,
    unknown_function,
    unsupported_type,
    wrong_result_type,
)
from clones.crm.rules.formulas.functions import OPERATORS, find_function
from clones.crm.rules.formulas.functions.signatures import Function, Typed, refuse_picklist
from clones.crm.rules.formulas.nodes import (
    BooleanLiteral,
    Call,
    FieldReference,
    Formula,
    Node,
    NullLiteral,
    NumberLiteral,
    Operation,
    TextLiteral,
    left_spine,
)
from clones.crm.rules.formulas.types import FieldResolver, Kind, Place

_LITERALS = {
    TextLiteral: Kind.TEXT,
    NumberLiteral: Kind.NUMBER,
    BooleanLiteral: Kind.BOOLEAN,
    NullLiteral: Kind.NULL,
}
# A field of days takes moments: the day that they are on for who looks.
_ALSO = {Kind.DATE: frozenset({Kind.DATETIME})}


@dataclass(frozen=True, slots=True)
class Checked:
    """A formula that can be worked out.

    Attributes:
        formula: what was checked.
        root: its parts with their types.
        returns: the type that its place takes, None where it takes any.
        size: its characters, with the formulas of the fields that it names in their place.
    """

    formula: Formula
    root: Typed
    returns: Kind | None
    size: int


def check(
    formula: Formula, *, returns: Kind | None, fields: FieldResolver, place: Place
) -> Checked:
    """Return a formula with the types of its parts.

    Args:
        formula: what `parse` returned.
        returns: the type that its place takes, None where it takes any.
        fields: what finds the fields that it names.
        place: where it stands.

    Raises:
        FormulaCheckError: it cannot be saved there.
    """
    checker = _Checker(fields, place)
    root = checker.typed(formula.root)
    if returns is not None and root.kind not in {returns, Kind.NULL, *_ALSO.get(returns, ())}:
        refuse_picklist(root)
        raise wrong_result_type(returns.value, root.kind.value)
    size = len(formula.text) + checker.added
    if size > LONGEST_COMPILED:
        raise compiled_too_big(size)
    return Checked(formula, root, returns, size)


def parts(root: Typed) -> Iterator[Typed]:
    """Yield the parts of a checked formula, each before its operands."""
    waiting = [root]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += reversed(part.operands)


class _Checker:
    def __init__(self, fields: FieldResolver, place: Place) -> None:
        self._fields = fields
        self._place = place
        self.added = 0  # characters of other fields' formulas

    def typed(self, node: Node) -> Typed:
        """Return a node with its type."""
        if isinstance(node, FieldReference):
            return self._field(node)
        if isinstance(node, Call):
            return self._call(node)
        if not isinstance(node, Operation):
            return Typed(node, _LITERALS[type(node)])
        first, links = left_spine(node)
        if not links:
            operands = tuple(self.typed(operand) for operand in node.operands)
            return self._applied(OPERATORS[node.operator, len(operands) == 1], operands, node)
        found = self.typed(first)
        for link in links:
            operands = (found, self.typed(link.operands[1]))
            found = self._applied(OPERATORS[link.operator, False], operands, link)
        return found

    def _field(self, node: FieldReference) -> Typed:
        field = self._fields(node.path)
        if field is None:
            raise unknown_field(node.path, at=node.span.start)
        if field.unusable is not None:
            raise unsupported_type(field.unusable, node.path, at=node.span.start)
        self.added += max(0, field.size - len(node.path)) if field.size else 0
        return Typed(node, field.kind, field=field)

    def _call(self, node: Call) -> Typed:
        function = find_function(node.name)
        if function is None:
            raise unknown_function(node.name, at=node.span.start)
        allowed = function.places
        if allowed is not None and self._place not in {*allowed, Place.ANYWHERE}:
            raise function_not_allowed(node.name, at=node.span.start)
        operands = tuple(self.typed(argument) for argument in node.arguments)
        return self._applied(function, operands, node)

    def _applied(self, function: Function, operands: tuple[Typed, ...], node: Node) -> Typed:
        own = next((one for one in function.overloads if one.accepts(operands)), function)
        return Typed(node, own.check(own, operands, node), own, operands)
