"""Which operands an operator takes, and which predicates: known without any field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from clones.tracker.rules.jql.catalogue import functions
from clones.tracker.rules.jql.errors import Message, MessageKind, at_place
from clones.tracker.rules.jql.nodes import (
    Comparison,
    Empty,
    Field,
    Function,
    List,
    Operand,
    Operator,
    Query,
    comparisons,
    singles,
)
from clones.tracker.rules.jql.printing import shown_operand

_LISTS: Final[frozenset[Operator]] = frozenset({"in", "not in", "was in", "was not in"})
_EMPTIES: Final[frozenset[Operator]] = frozenset({"is", "is not"})
_ORDERED: Final[frozenset[Operator]] = frozenset({"<", "<=", ">", ">="})
_HISTORY: Final[frozenset[Operator]] = frozenset(
    {"was", "was not", "was in", "was not in", "changed"}
)
_NAMES: Final = {
    "=": "EQUALS",
    "!=": "NOT_EQUALS",
    "~": "LIKE",
    "!~": "NOT_LIKE",
    "<": "LESS_THAN",
    "<=": "LESS_THAN_EQUALS",
    ">": "GREATER_THAN",
    ">=": "GREATER_THAN_EQUALS",
}


def misuses(query: Query) -> list[Message]:
    """Return what is wrong with a query on any site, in the order of the text.

    Names that are empty are refused here and not by the grammar: the service's editor takes them.
    """
    found = [message for part in comparisons(query.where) for message in misuse(part)]
    return found + [text for sort in query.order_by for text in nameless(sort.field)]


def misuse(comparison: Comparison, products: frozenset[str] | None = None) -> list[Message]:
    """Return what is wrong with a comparison whatever the site's data.

    `products` are those whose functions are known, None for all: of the answer of a function that
    nobody knows nothing can be said.
    """
    found = [*nameless(comparison.field)]
    for single in singles(comparison.operand):
        if isinstance(single, Function) and not single.name.strip():
            sentence = "Error in the JQL Query: A function name cannot be empty."
            found.append(Message(MessageKind.SYNTAX, at_place(sentence, single.span)))
    found += _predicates(comparison)
    operand = comparison.operand
    if comparison.operator == "changed":
        if operand is not None:
            found.append(_operand_of_changed(operand))
    elif operand is not None and not found:
        listed = is_list(operand, products)
        found += _operand(comparison.field.name, comparison.operator, operand, listed=listed)
    return found


def nameless(field: Field) -> Iterator[Message]:
    """Yield what is said of a field whose name is empty."""
    if not field.name.strip():
        sentence = "Error in the JQL Query: A field name cannot be empty."
        yield Message(MessageKind.SYNTAX, at_place(sentence, field.span))


def _predicates(comparison: Comparison) -> Iterator[Message]:
    operator = comparison.operator
    name = _NAMES.get(operator, operator.upper().replace(" ", "_"))
    for predicate in comparison.predicates:
        if operator in _HISTORY and (
            operator == "changed" or predicate.operator not in {"from", "to"}
        ):
            continue
        shown = f"{predicate.operator} {shown_operand(predicate.operand)}"
        text = f"The {name} operator does not support the use of the {shown} predicate."
        yield Message(MessageKind.OPERAND, text)


def _operand_of_changed(operand: Operand) -> Message:
    text = (
        "The CHANGED operator does not support the use of values without predicates. You must "
        f"prefix the {shown_operand(operand)} value with a suitable predicate."
    )
    return Message(MessageKind.OPERAND, text)


def is_list(operand: Operand, products: frozenset[str] | None) -> bool | None:
    """Tell whether an operand is a list; None for a function that nobody knows."""
    if isinstance(operand, Function):
        function = functions().get(operand.name.lower())
        if function is None or (products is not None and function.product not in products):
            return None
        return function.is_list
    return isinstance(operand, List)


def _operand(
    name: str, operator: Operator, operand: Operand, *, listed: bool | None
) -> Iterator[Message]:
    shown = shown_operand(operand)
    if operator in _EMPTIES:
        if not isinstance(operand, Empty):
            text = (
                f"Operator '{operator}' does not support searching for non-empty values for field "
                f"'{name}'."
            )
            yield Message(MessageKind.OPERAND, text)
    elif isinstance(operand, Empty) and operator in _LISTS | _ORDERED:
        text = (
            f"Operator '{operator}' does not support the empty value representation '{shown}' for "
            f"field '{name}'."
        )
        yield Message(MessageKind.OPERAND, text)
    elif operator in _LISTS and listed is False:
        text = (
            f"Operator '{operator}' does not support the non-list value '{shown}' for field "
            f"'{name}'."
        )
        yield Message(MessageKind.OPERAND, text)
    elif operator not in _LISTS and listed:
        text = (
            f"Operator '{operator}' does not support the list value '{shown}' for field '{name}'."
        )
        yield Message(MessageKind.OPERAND, text)
