"""From nodes back to text: in one form, which reads as the same nodes."""

from __future__ import annotations

from collections.abc import Sequence

from clones.tracker.rules.jql import words
from clones.tracker.rules.jql.nodes import (
    And,
    Clause,
    Comparison,
    Empty,
    Field,
    Function,
    List,
    Not,
    Operand,
    Or,
    Predicate,
    Query,
    Sort,
    Value,
)


def print_query(query: Query) -> str:
    """Return a query as text."""
    parts = [print_clause(query.where)] if query.where is not None else []
    if query.order_by:
        parts.append("ORDER BY " + ", ".join(map(_sort, query.order_by)))
    return " ".join(parts)


def print_clause(clause: Clause) -> str:
    """Return a clause as text, with parentheses where others would read it differently."""
    match clause:
        case And(clauses):
            return _joined(" AND ", clauses, (And, Or))
        case Or(clauses):
            return _joined(" OR ", clauses, (Or,))
        case Not(inner):
            text = print_clause(inner)
            return f"NOT ({text})" if isinstance(inner, And | Or) else f"NOT {text}"
        case Comparison(field, operator, operand, predicates):
            parts = [print_field(field), operator]
            parts += [print_operand(operand)] if operand is not None else []
            return " ".join(parts + list(map(_predicate, predicates)))


def _joined(word: str, clauses: Sequence[Clause], grouped: tuple[type, ...]) -> str:
    texts = (
        f"({print_clause(clause)})" if isinstance(clause, grouped) else print_clause(clause)
        for clause in clauses
    )
    return word.join(texts)


def print_field(field: Field) -> str:
    """Return a field as it must be written."""
    name = field.name if field.number is not None else words.encoded(field.name)
    return name + "".join(
        f"[{words.encoded_argument(part.key)}]"
        + (f".{words.encoded_path(part.path)}" if part.path else "")
        for part in field.properties
    )


def print_operand(operand: Operand) -> str:
    """Return an operand as it must be written."""
    match operand:
        case Value(text, number):
            return text if number else words.encoded(text)
        case Function(name, arguments):
            listed = ", ".join(map(words.encoded_argument, arguments))
            return f"{words.encoded_argument(name)}({listed})"
        case Empty():
            return "EMPTY"
        case List(operands):
            return f"({', '.join(map(print_operand, operands))})"


def _predicate(predicate: Predicate) -> str:
    return f"{predicate.operator} {print_operand(predicate.operand)}"


def _sort(sort: Sort) -> str:
    direction = f" {sort.direction.upper()}" if sort.direction is not None else ""
    return print_field(sort.field) + direction


def shown_operand(operand: Operand) -> str:
    """Return an operand as messages show it: texts in quotation marks, numbers without."""
    match operand:
        case Value(text, number):
            return text if number else f'"{text}"'
        case Function():
            return shown_call(operand)
        case Empty():
            return "EMPTY"
        case List(operands):
            return f"({', '.join(map(shown_operand, operands))})"


def shown_call(function: Function) -> str:
    """Return a call as messages show it."""
    return f"{function.name}({', '.join(function.arguments)})"
