"""Logics over the rows of a filter are read once, and hold or become a query's condition."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from clones.crm.rules.filter_logic import DEEPEST, LONGEST, WrongLogic, read_logic

ROWS = ("A = 1", "B = 2", "C = 3")


@pytest.mark.parametrize(
    ("text", "holds", "condition"),
    [
        ("1", lambda a, b, c: a, "(A = 1)"),
        (" 1 and 2 ", lambda a, b, c: a and b, "((A = 1) AND (B = 2))"),
        ("1 OR 2 AND 3", lambda a, b, c: a or (b and c), "((A = 1) OR ((B = 2) AND (C = 3)))"),
        ("(1 OR 2) AND 3", lambda a, b, c: (a or b) and c, "(((A = 1) OR (B = 2)) AND (C = 3))"),
        ("NOT 1 AND 2", lambda a, b, c: (not a) and b, "((NOT (A = 1)) AND (B = 2))"),
        ("NOT(1 AND 2)", lambda a, b, c: not (a and b), "(NOT ((A = 1) AND (B = 2)))"),
        ("1 AND 2 AND 3", lambda a, b, c: a and b and c, "((A = 1) AND (B = 2) AND (C = 3))"),
    ],
)
def test_a_logic_holds_over_rows_and_is_a_condition(
    text: str, holds: Callable[[bool, bool, bool], bool], condition: str
) -> None:
    logic = read_logic(text, len(ROWS))
    for found in itertools.product((False, True), repeat=len(ROWS)):
        assert logic.holds(found) is bool(holds(*found))
    assert logic.text(ROWS) == condition


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not valid"),
        ("1 AND", "not valid"),
        ("AND 1", "not valid"),
        ("1 2", "not valid"),
        ("1 XOR 2", "not valid"),
        ("1 ANDOR 2", "not valid"),
        ("(1 OR 2", "missing a parenthesis"),
        ("1)", "not valid"),
        ("0", "undefined"),
        ("4", "undefined"),
        ("٣", "not valid"),
        ("(" * (DEEPEST + 2) + "1" + ")" * (DEEPEST + 2), "too deeply"),
        ("NOT " * (DEEPEST + 2) + "1", "too deeply"),
        ("1 OR " * LONGEST + "1", "too long"),
    ],
)
def test_what_is_no_logic_is_refused(text: str, why: str) -> None:
    with pytest.raises(WrongLogic, match=why):
        read_logic(text, len(ROWS))
