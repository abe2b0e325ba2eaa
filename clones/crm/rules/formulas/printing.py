"""From nodes back to text: in one form, which reads as the same nodes."""

from __future__ import annotations

from typing import Final

from clones.crm.rules.formulas.nodes import (
    LOGICAL,
    PRECEDENCE,
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

_LEVELS: Final = {sign: level for level, signs in enumerate(PRECEDENCE) for sign in signs}
_TIGHTEST: Final = len(PRECEDENCE)
_ESCAPES: Final = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n", "\r": r"\r", "\t": r"\t"})


def print_formula(formula: Formula | Node) -> str:
    """Return a formula as text, with parentheses where it would be read differently without."""
    return _printed(formula.root if isinstance(formula, Formula) else formula)


def print_text(value: str) -> str:
    """Return a text as it must be written."""
    return f'"{value.translate(_ESCAPES)}"'


def _level(node: Node) -> int:
    if isinstance(node, Operation) and len(node.operands) > 1:
        return _LEVELS[node.operator]
    return _TIGHTEST


def _within(node: Node, level: int) -> str:
    text = _printed(node)
    return f"({text})" if _level(node) < level else text


def _printed(node: Node) -> str:
    match node:
        case TextLiteral(value):
            return print_text(value)
        case NumberLiteral(value):
            return format(value, "f")
        case BooleanLiteral(value):
            return "TRUE" if value else "FALSE"
        case NullLiteral():
            return "NULL"
        case FieldReference(path):
            return path
        case Call(name, arguments):
            return f"{name}({', '.join(map(_printed, arguments))})"
    return _operation(node)


def _operation(node: Operation) -> str:
    if len(node.operands) == 1:
        return f"{node.operator}{_within(node.operands[0], _TIGHTEST)}"
    if node.operator not in LOGICAL:
        return _spine(node)
    level = _LEVELS[node.operator] + 1
    return f" {node.operator} ".join(_within(operand, level) for operand in node.operands)


def _spine(node: Operation) -> str:
    first, links = left_spine(node)
    text, level = _printed(first), _level(first)
    for link in links:
        own = _LEVELS[link.operator]
        text = f"({text})" if level < own else text
        text = f"{text} {link.operator} {_within(link.operands[1], own + 1)}"
        level = own
    return text
