"""The functions that choose, and those that look for blanks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from clones.crm.rules.formulas.errors import (
    FormulaValueError,
    illegal_argument_type,
    wrong_argument_count,
    wrong_argument_type,
)
from clones.crm.rules.formulas.functions.signatures import (
    BOOLEAN,
    PICKS,
    PLAIN,
    Function,
    Table,
    Typed,
    common_kind,
    refuse_picklist,
    require_count,
    require_kind,
)
from clones.crm.rules.formulas.nodes import Node, TextLiteral
from clones.crm.rules.formulas.types import Kind

if TYPE_CHECKING:
    from clones.crm.rules.formulas.evaluating import Evaluation

LOGIC = Table()
JOINED = Table(symbols=True)


@LOGIC.function("AND", BOOLEAN, gives=Kind.BOOLEAN, repeats=True, lazy=True)
@JOINED.function("&&", BOOLEAN, gives=Kind.BOOLEAN, repeats=True, lazy=True)
def all_hold(evaluation: Evaluation, operands: Sequence[Typed]) -> bool:
    """Tell whether all operands hold; the first that does not ends it. A blank one does not."""
    return all(evaluation.value(operand) for operand in operands)


@LOGIC.function("OR", BOOLEAN, gives=Kind.BOOLEAN, repeats=True, lazy=True)
@JOINED.function("||", BOOLEAN, gives=Kind.BOOLEAN, repeats=True, lazy=True)
def any_holds(evaluation: Evaluation, operands: Sequence[Typed]) -> bool:
    """Tell whether one of the operands holds; the first that does ends it."""
    return any(evaluation.value(operand) for operand in operands)


def _if_kind(function: Function, operands: Sequence[Typed], node: Node) -> Kind:
    require_count(function, operands, 3, 3, node.span.start)
    require_kind(function, operands[0], BOOLEAN)
    return common_kind(function, operands[1:])


@LOGIC.checked("IF", _if_kind, lazy=True)
def if_(evaluation: Evaluation, operands: Sequence[Typed]) -> Any:
    """Return one of two values; a blank condition does not hold."""
    condition, then, otherwise = operands
    return evaluation.value(then if evaluation.value(condition) else otherwise)


def _ifs_kind(function: Function, operands: Sequence[Typed], node: Node) -> Kind:
    count = len(operands)
    if count < 3 or count % 2 == 0:
        expected = max(3, count + 1)
        raise wrong_argument_count(function.shown, expected, count, at=node.span.start)
    for condition in operands[:-1:2]:
        require_kind(function, condition, BOOLEAN)
    return common_kind(function, [*operands[1::2], operands[-1]])


@LOGIC.checked("IFS", _ifs_kind, lazy=True)
def ifs(evaluation: Evaluation, operands: Sequence[Typed]) -> Any:
    """Return the value after the first condition that holds, or the last."""
    for condition, then in zip(operands[:-1:2], operands[1::2], strict=True):
        if evaluation.value(condition):
            return evaluation.value(then)
    return evaluation.value(operands[-1])


def _case_kind(function: Function, operands: Sequence[Typed], node: Node) -> Kind:
    count = len(operands)
    if count < 4 or count % 2:
        raise wrong_argument_count(
            function.shown, max(4, count - count % 2), count, at=node.span.start
        )
    subject, cases, results = operands[0], operands[1:-1:2], [*operands[2:-1:2], operands[-1]]
    for operand in operands:
        if operand.kind is Kind.BOOLEAN:
            raise illegal_argument_type(function.shown, at=operand.node.span.start)
    if subject.kind in {Kind.GEOLOCATION, Kind.MULTIPICKLIST}:
        refuse_picklist(subject)
        raise illegal_argument_type(function.shown, at=subject.node.span.start)
    if subject.kind is Kind.PICKLIST:
        for case in cases:
            require_text_literal(function, case)
    else:
        common_kind(function, [subject, *cases])
    return common_kind(function, results)


def require_text_literal(function: Function, operand: Typed) -> None:
    """Refuse what is no text in quotation marks, as picklists ask for.

    Raises:
        FormulaCheckError: it is none.
    """
    if not isinstance(operand.node, TextLiteral):
        raise wrong_argument_type(
            function.shown, "Text Literal", operand.kind.value, at=operand.node.span.start
        )


@LOGIC.checked("CASE", _case_kind, lazy=True)
def case(evaluation: Evaluation, operands: Sequence[Typed]) -> Any:
    """Return the value after the first case that is equal, or the last.

    Of what is blank only texts are equal.
    """
    subject = evaluation.value(operands[0])
    for one, then in zip(operands[1:-1:2], operands[2:-1:2], strict=True):
        value = evaluation.value(one)
        if isinstance(subject, str) and value is None:
            value = ""
        if subject is not None and subject == value:
            return evaluation.value(then)
    return evaluation.value(operands[-1])


def _in_kind(function: Function, operands: Sequence[Typed], node: Node) -> Kind:
    require_count(function, operands, 2, None, node.span.start)
    if operands[0].kind is Kind.PICKLIST:
        for choice in operands[1:]:
            require_text_literal(function, choice)
    else:
        common_kind(function, operands)
    return Kind.BOOLEAN


@LOGIC.checked("IN", _in_kind, lazy=True)
def in_(evaluation: Evaluation, operands: Sequence[Typed]) -> bool:
    """Tell whether a value is one of some others; a blank one never is."""
    subject = evaluation.value(operands[0])
    if subject is None or subject == "":
        return False
    return any(subject == evaluation.value(choice) for choice in operands[1:])


def _any_kind(function: Function, operands: Sequence[Typed], node: Node) -> Kind:
    require_count(function, operands, 1, 1, node.span.start)
    require_kind(function, operands[0], (*PLAIN, *PICKS))
    return Kind.BOOLEAN


@LOGIC.checked("ISBLANK", _any_kind, lazy=True)
def is_blank(evaluation: Evaluation, operands: Sequence[Typed]) -> bool:
    """Tell whether a value is blank."""
    value = evaluation.value(operands[0])
    return value is None or value == ""


@LOGIC.checked("ISNULL", _any_kind, lazy=True)
def is_null(evaluation: Evaluation, operands: Sequence[Typed]) -> bool:
    """Tell whether a value is blank; no text ever is."""
    return evaluation.value(operands[0]) is None


def _substitute_kind(function: Function, operands: Sequence[Typed], node: Node) -> Kind:
    require_count(function, operands, 2, 2, node.span.start)
    return common_kind(function, operands)


@LOGIC.checked("BLANKVALUE", _substitute_kind, lazy=True)
def blank_value(evaluation: Evaluation, operands: Sequence[Typed]) -> Any:
    """Return a value, or another where it is blank."""
    value = evaluation.value(operands[0])
    return evaluation.value(operands[1]) if value is None or value == "" else value


@LOGIC.checked("NULLVALUE", _substitute_kind, lazy=True)
def null_value(evaluation: Evaluation, operands: Sequence[Typed]) -> Any:
    """Return a value, or another where it is blank; no text ever is."""
    value = evaluation.value(operands[0])
    texts = Kind.TEXT in {operand.kind for operand in operands}
    return evaluation.value(operands[1]) if value is None and not texts else value


@LOGIC.checked("IFERROR", _substitute_kind, lazy=True)
def if_error(evaluation: Evaluation, operands: Sequence[Typed]) -> Any:
    """Return a value, or another where there is an error."""
    try:
        return evaluation.value(operands[0])
    except FormulaValueError:
        return evaluation.value(operands[1])
