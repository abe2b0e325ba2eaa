"""Every function and operator is tried with values, with blanks, and with what it refuses."""

from __future__ import annotations

import pytest

from clones.crm.rules.formulas import parse
from clones.crm.rules.formulas.functions import FUNCTIONS, OPERATORS
from clones.crm.rules.formulas.nodes import Call, Node, Operation
from tests.crm.rules.formulas import (
    test_dates,
    test_logic,
    test_markup,
    test_maths,
    test_records,
    test_texts,
)
from tests.crm.rules.formulas.working import refusal

# Tried in tests of their own.
ELSEWHERE = {"GETSESSIONID", "VLOOKUP"}
FORMULAS = [
    *(formula for formula, _ in test_maths.EXAMPLES + test_maths.BLANK),
    *(formula for formula, _ in test_texts.EXAMPLES + test_texts.BLANK),
    *(formula for formula, _ in test_dates.EXAMPLES),
    *test_dates.BLANK,
    *(formula for formula, _ in test_logic.EXAMPLES),
    *(formula for formula, *_ in test_logic.BLANK),
    *(formula for formula, _ in test_records.EXAMPLES + test_records.CHANGES),
    *(formula for formula, _ in test_markup.EXAMPLES),
]


def tried() -> set[str | tuple[str, bool]]:
    found: set[str | tuple[str, bool]] = set()
    waiting: list[Node] = [parse(formula).root for formula in FORMULAS]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Call):
            found.add(node.name.upper())
            waiting += node.arguments
        elif isinstance(node, Operation):
            found.add((node.operator, len(node.operands) == 1))
            waiting += node.operands
    return found


def test_every_function_and_operator_has_an_example() -> None:
    known = {*FUNCTIONS, *OPERATORS}
    # NOT is read as the operator that it is.
    assert known - tried() == ELSEWHERE | {"NOT"}


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_no_function_takes_any_arguments(name: str) -> None:
    if name == "NOT":
        assert refusal("NOT(1)")[0] == "WrongArgumentTypeException"
        return
    # Ten booleans fit none: they are too many, or of the wrong type.
    wrong = {"AND": "1", "OR": "1", "FORMAT": "Stage", "IN": "Stage"}.get(name, "TRUE")
    assert refusal(f"{name}({', '.join([wrong] * 10)})")[1]
