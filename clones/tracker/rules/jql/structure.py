"""A parsed query as the API shows it."""

from __future__ import annotations

from typing import Any, Literal

from clones.tracker.rules.jql.errors import UNKNOWN_VALUES, JqlError, MessageKind
from clones.tracker.rules.jql.fields import typed_name
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
from clones.tracker.rules.jql.parser import parse
from clones.tracker.rules.jql.planning import plan_query
from clones.tracker.rules.jql.printing import print_field, print_operand
from clones.tracker.rules.jql.site import SiteView

Validation = Literal["strict", "warn", "none"]


def parsed(text: str, site: SiteView, validation: Validation) -> dict[str, Any]:
    """Return what `/jql/parse` answers for one query.

    `strict` keeps the structure of a query with errors to itself; `warn` shows it, and warns of
    values that do not exist; `none` asks for the form alone.
    """
    answer: dict[str, Any] = {"query": text}
    try:
        query = parse(text)
    except JqlError as error:
        return answer | {"errors": error.texts}
    if validation == "none":
        return answer | {"structure": structure(query)}
    messages = plan_query(query, site).messages
    soft = UNKNOWN_VALUES if validation == "warn" else {MessageKind.USER}
    errors = [message.text for message in messages if message.kind not in soft]
    warnings = [message.text for message in messages if message.kind in soft]
    if validation == "warn" or not errors:
        answer["structure"] = structure(query)
    if errors:
        answer["errors"] = errors
    if warnings:
        answer["warnings"] = warnings
    return answer


def structure(query: Query) -> dict[str, Any]:
    """Return the parts of a query, without what it does not have."""
    shown: dict[str, Any] = {}
    if query.where is not None:
        shown["where"] = _clause(query.where)
    if query.order_by:
        shown["orderBy"] = {"fields": [_sort(sort) for sort in query.order_by]}
    return shown


def _clause(clause: Clause) -> dict[str, Any]:
    match clause:
        case And(clauses):
            return {"clauses": [_clause(part) for part in clauses], "operator": "and"}
        case Or(clauses):
            return {"clauses": [_clause(part) for part in clauses], "operator": "or"}
        case Not(inner):
            return {"clauses": [_clause(inner)], "operator": "not"}
        case Comparison():
            return _comparison(clause)


def _comparison(comparison: Comparison) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "field": _field(comparison.field),
        "operator": comparison.operator,
    }
    if comparison.operand is not None:
        shown["operand"] = _operand(comparison.operand)
    if comparison.operator == "changed" or comparison.operator.startswith("was"):
        shown["predicates"] = [_predicate(predicate) for predicate in comparison.predicates]
    return shown


def _field(field: Field) -> dict[str, Any]:
    shown: dict[str, Any] = {"name": typed_name(field), "encodedName": print_field(field)}
    if field.properties:
        entity = field.name.removesuffix(".property")
        shown["property"] = [
            {"entity": entity, "key": part.key, "path": part.path} for part in field.properties
        ]
    return shown


def _operand(operand: Operand) -> dict[str, Any]:
    written = print_operand(operand)
    match operand:
        case Value(text):
            return {"value": text, "encodedValue": written}
        case Function(name, arguments):
            return {"function": name, "arguments": list(arguments), "encodedOperand": written}
        case Empty():
            return {"keyword": "empty"}
        case List(operands):
            return {"values": [_operand(part) for part in operands], "encodedOperand": written}


def _predicate(predicate: Predicate) -> dict[str, Any]:
    return {"operator": predicate.operator, "operand": _operand(predicate.operand)}


def _sort(sort: Sort) -> dict[str, Any]:
    shown: dict[str, Any] = {"field": _field(sort.field)}
    return shown if sort.direction is None else shown | {"direction": sort.direction}
