from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from clones.crm.rules.formulas import Blanks, Failure
from tests.crm.rules.formulas.working import failure, value

D = Decimal
EXAMPLES: list[tuple[str, Any]] = [
    ("1 + 2", D(3)),
    ("0.1 + 0.2", D("0.3")),
    ("7 - 10", D(-3)),
    ("2 - 3 - 4", D(-5)),
    ("12 / 8", D("1.5")),
    ("1 / 3", D("0." + "3" * 39)),
    ("2 * 3 ^ 2", D(18)),
    ("2 ^ 3 ^ 2", D(64)),
    ("-2 ^ 2", D(4)),
    ("2 ^ -2", D("0.25")),
    ("10 ^ -50", D(0)),
    ("0 ^ 0", D(1)),
    ("(-1) ^ 3", D(-1)),
    ("- - 4", D(4)),
    ("+5", D(5)),
    ("Rate", D("0.125")),
    ("Rate * Amount", D("156.3125")),
    ("ABS(-4.5)", D("4.5")),
    ("CEILING(2.1)", D(3)),
    ("CEILING(-2.1)", D(-3)),
    ("FLOOR(-2.9)", D(-2)),
    ("FLOOR(6 / 11 * 11)", D(6)),
    ("MCEILING(-2.9)", D(-2)),
    ("MFLOOR(-2.1)", D(-3)),
    ("MFLOOR(1 / 3 * 3)", D(1)),
    ("MOD(17, 5)", D(2)),
    ("MOD(-17, 5)", D(-2)),
    ("MOD(17, -5)", D(2)),
    ("MOD(5.5, 2)", D("1.5")),
    ("MOD(8, 0)", D(8)),
    ("MAX(3, 9, 4)", D(9)),
    ("MIN(3)", D(3)),
    ("ROUND(2.5, 0)", D(3)),
    ("ROUND(-2.5, 0)", D(-3)),
    ("ROUND(1.005, 2)", D("1.01")),
    ("ROUND(1234, -2)", D(1200)),
    ("ROUND(7, -1)", D(0)),
    ("ROUND(70, -1)", D(70)),
    ("ROUND(3.14159, 2.9)", D("3.14")),
    ("ROUND(2, 999999)", D(2)),
    ("TRUNC(2.99, 1)", D("2.9")),
    ("TRUNC(-2.99)", D(-2)),
    ("TRUNC(1999, -3)", D(1000)),
    ("SQRT(144)", D(12)),
    ("EXP(0)", D(1)),
    ("LN(1)", D(0)),
    ("LOG(100)", D(2)),
    ("ROUND(PI(), 5)", D("3.14159")),
    ("SIN(0)", D(0)),
    ("COS(0)", D(1)),
    ("TAN(0)", D(0)),
    ("ASIN(0)", D(0)),
    ("ACOS(1)", D(0)),
    ("ATAN(0)", D(0)),
    ("ROUND(ATAN2(1, 1) * 4, 5)", D("3.14159")),
    ('VALUE("12.50")', D("12.5")),
    ('VALUE("-.5e2")', D(-50)),
    ('ISNUMBER("7.")', True),
    ('ISNUMBER("1e400")', True),
    ('ISNUMBER("seven")', False),
    ('ISNUMBER("")', False),
    ('ISNUMBER("1_000")', False),
    ('ISNUMBER("Infinity")', False),
    ('ISNUMBER(" 1")', False),
    ("1 < 2", True),
    ("2 <= 1", False),
    ("3 > 3", False),
    ("3 >= 3", True),
    ("1.0 = 1", True),
    ("1 == 2", False),
    ("1 <> 1.00", False),
    ("1 != 2", True),
]
# What is blank where NoAmount is, and what stands in its place as a zero.
BLANK: list[tuple[str, Any]] = [
    ("NoAmount + 1", D(1)),
    ("1 - NoAmount", D(1)),
    ("NoAmount * 5", D(0)),
    ("NoAmount / 5", D(0)),
    ("NoAmount ^ 2", D(0)),
    ("-NoAmount", D(0)),
    ("+NoAmount", D(0)),
    ("NoRate", D(0)),
    ("ABS(NoAmount)", D(0)),
    ("CEILING(NoAmount)", D(0)),
    ("FLOOR(NoAmount)", D(0)),
    ("MCEILING(NoAmount)", D(0)),
    ("MFLOOR(NoAmount)", D(0)),
    ("MOD(NoAmount, 3)", D(0)),
    ("MAX(NoAmount, 3)", D(3)),
    ("MIN(NoAmount, 3)", D(0)),
    ("ROUND(2.5, NoAmount)", D(3)),
    ("TRUNC(NoAmount)", D(0)),
    ("SQRT(NoAmount)", D(0)),
    ("EXP(NoAmount)", D(1)),
    ("LN(NoAmount + 1)", D(0)),
    ("LOG(NoAmount + 1)", D(0)),
    ("SIN(NoAmount)", D(0)),
    ("COS(NoAmount)", D(1)),
    ("TAN(NoAmount)", D(0)),
    ("ASIN(NoAmount)", D(0)),
    ("ACOS(NoAmount + 1)", D(0)),
    ("ATAN(NoAmount)", D(0)),
    ("ATAN2(NoAmount, 1)", D(0)),
    ("NoAmount < 1", True),
    ("NoAmount <= 1", True),
    ("NoAmount > 1", False),
    ("NoAmount >= 1", False),
    ("NoAmount = 0", True),
    ("NoAmount <> 0", False),
]
WITHOUT_VALUE = [
    ("1 / 0", Failure.ERROR),
    ("0 / 0", Failure.ERROR),
    ("0 ^ -1", Failure.ERROR),
    ("2 ^ 0.5", Failure.ERROR),
    ("SQRT(-1)", Failure.ERROR),
    ("LN(0)", Failure.ERROR),
    ("LOG(-1)", Failure.ERROR),
    ("ASIN(2)", Failure.ERROR),
    ("ACOS(2)", Failure.ERROR),
    ('VALUE("1,000")', Failure.ERROR),
    ('VALUE("NaN")', Failure.ERROR),
    ("10 ^ 65", Failure.TOO_BIG),
    ("EXP(1000)", Failure.TOO_BIG),
]


@pytest.mark.parametrize(("formula", "expected"), EXAMPLES)
def test_numbers_are_worked_out(formula: str, expected: Any) -> None:
    assert value(formula) == expected


@pytest.mark.parametrize(("formula", "as_zero"), BLANK)
def test_a_blank_number_is_a_zero_or_makes_the_result_blank(formula: str, as_zero: Any) -> None:
    assert value(formula, blanks=Blanks.ZEROES) == as_zero
    assert value(formula, blanks=Blanks.BLANKS) is None


@pytest.mark.parametrize(("formula", "shown"), WITHOUT_VALUE)
def test_what_has_no_value_says_how_it_is_shown(formula: str, shown: Failure) -> None:
    assert failure(formula).failure is shown


def test_null_is_no_zero_in_either_mode() -> None:
    assert value("NULL + 1", blanks=Blanks.ZEROES) is None
    assert value("NULL = 1", blanks=Blanks.ZEROES) is None


def test_floats_of_records_are_taken_as_they_are_written() -> None:
    assert value("Amount + 0.2", record={"Amount": 0.1}) == D("0.3")
    assert failure("Amount", record={"Amount": float("inf")}).failure is Failure.TOO_BIG
    assert failure("Amount", record={"Amount": float("nan")}).failure is Failure.ERROR
    assert failure("Amount", record={"Amount": "many"}).failure is Failure.ERROR
