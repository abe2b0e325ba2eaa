"""Whatever a formula says, it is read and worked out in little, counted work."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal, localcontext
from typing import Any

import pytest

from clones.crm.rules.formulas import (
    LONGEST,
    Failure,
    FormulaSyntaxError,
    FormulaValueError,
    Situation,
    parse,
    print_formula,
)
from clones.crm.rules.formulas.building import DEEPEST
from clones.crm.rules.formulas.errors import LONGEST_TEXT
from clones.crm.rules.formulas.evaluating import MOST_CHARACTERS, Evaluation
from clones.crm.rules.formulas.functions.formats import format_
from clones.crm.rules.formulas.functions.texts import lpad, regex, rpad, substitute
from tests.crm.rules.formulas.working import NOW, checked, failure, reader, value

LONG = "x" * LONGEST_TEXT


def said_of(text: str) -> str:
    with pytest.raises(FormulaSyntaxError) as caught:
        parse(text)
    return caught.value.text


def counted(formula: str, record: dict[str, Any]) -> tuple[int, int]:
    """Return how many fields a formula reads and how many characters it makes, with errors too."""
    reads = 0

    def read(path: str) -> Any:
        nonlocal reads
        reads += 1
        return reader(record)(path)

    evaluation = Evaluation(read, Situation(now=NOW))
    with suppress(FormulaValueError):
        evaluation.value(checked(formula).root)
    return reads, evaluation.characters


def test_a_long_formula_is_refused_with_the_lengths() -> None:
    assert parse("a" + " " * (LONGEST - 1)).root == parse("a").root
    assert said_of("a" + " " * LONGEST) == (
        "Formula is too long (3901 characters).  Maximum length is 3900 characters"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [("(", ")"), ("-", ""), ("!", ""), ("f(", ")"), ("1+(", ")"), ("1^-(", ")")],
)
def test_a_deep_formula_is_refused(before: str, after: str) -> None:
    deepest = DEEPEST // len(before.strip("1f") or "1")
    assert parse(before * deepest + "1" + after * deepest).text.startswith(before)
    assert "levels deep" in said_of(before * (deepest + 1) + "1" + after * (deepest + 1))
    assert "levels deep" in said_of(before * 700 + "1" + after * 700)


@pytest.mark.parametrize("sign", ["+", "-", "&", "*", "/", "&&", "||"])
def test_a_long_sum_is_not_deep(sign: str) -> None:
    operand = {"&": "''", "&&": "TRUE", "||": "FALSE"}.get(sign, "1")
    text = sign.join([operand] * (LONGEST // (len(operand) + len(sign))))
    assert value(text) == {
        "+": Decimal(1950), "-": Decimal(-1948), "&&": True, "||": False, "&": None,
    }.get(sign, Decimal(1))  # fmt: skip
    assert print_formula(parse(text)).count(sign) == text.count(sign)


def test_every_mention_of_a_field_is_read_at_most_once() -> None:
    deep = "1"
    for _ in range(DEEPEST - 5):
        deep = f"IFERROR(1/NoAmount,{deep})"
    assert counted(deep, {"NoAmount": 0}) == (DEEPEST - 5, 0)
    wide = "CASE(Amount," + "Amount,1," * 300 + "2)"
    assert counted(wide, {"Amount": Decimal(5)})[0] == 2
    never = "CASE(Amount," + "NoAmount,1," * 250 + "2)"
    assert counted(never, {"Amount": Decimal(5)})[0] == 251


@pytest.mark.parametrize(
    "formula",
    [
        "LPAD(Name, 10 ^ 9)",
        "RPAD(Name, 131073, Name)",
        "Name & Name",
        'SUBSTITUTE(Name, "x", "xx")',
        'FORMAT("{0}{0}", Name)',
        'HYPERLINK(Name, "x")',
        'REGEX(Name, "x*")',
        'LIKE(Name, "%x")',
        'UPPER(SUBSTITUTE(LPAD("", 9) & LEFT(Name, 90000), "x", "\u1f52"))',
    ],
)
def test_a_text_that_grows_too_long_is_an_error(formula: str) -> None:
    assert failure(formula, record={"Name": LONG}).failure is Failure.TOO_BIG


@pytest.mark.parametrize(
    "make",
    [
        lambda: lpad("x", Decimal(10**9)),
        lambda: rpad("x", Decimal(10**9)),
        lambda: substitute(LONG, "x", "xx"),
        lambda: format_(Situation(now=NOW), "{0}" * 1000, LONG),
        lambda: regex(LONG, "x*"),
    ],
)
def test_a_long_text_is_not_even_begun(make: Callable[[], Any]) -> None:
    with pytest.raises(FormulaValueError) as caught:
        make()
    assert caught.value.failure is Failure.TOO_BIG


def test_texts_that_double_are_stopped_early() -> None:
    doubled = "Name"
    for _ in range(80):
        doubled = f'SUBSTITUTE({doubled}, "x", "xx")'
    _, characters = counted(doubled, {"Name": "x"})
    assert characters < 2 * LONGEST_TEXT


def test_what_one_formula_makes_is_bounded_in_all() -> None:
    many = "||".join(["REVERSE(Name)=''"] * 200)
    _, characters = counted(many, {"Name": LONG})
    assert MOST_CHARACTERS < characters <= MOST_CHARACTERS + LONGEST_TEXT
    joined = 'FORMAT("' + "{0}" * 1000 + '", Name)'
    assert failure(joined, record={"Name": LONG}).failure is Failure.TOO_BIG


@pytest.mark.parametrize(
    "formula",
    [
        "9" * 1001,
        "9" * 3000 + " = 1",
        "*".join(["10^64"] * 17),
        "EXP(700) ^ 2",
        "EXP(709) * EXP(709) * EXP(709) * EXP(709)",
        "(10 ^ 64) ^ 999999999",
    ],
)
def test_a_number_that_grows_too_big_is_an_error(formula: str) -> None:
    assert failure(formula).failure is Failure.TOO_BIG


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("1.000000001 ^ 999999999", Decimal("2.71828182845904524")),
        ("0.5 ^ 999999999", Decimal(0)),
        ("MOD(10 ^ 64, 7)", Decimal(pow(10, 64, 7))),
        ("ROUND(1 / 3, 10 ^ 60) = 1 / 3", True),
        ("ROUND(10 ^ 60, 10 ^ 60 * -1)", Decimal(0)),
        ("LEN(TEXT(10 ^ 64))", Decimal(65)),
        ('VALUE("1e999") > 0', True),
        ("LEFT(Name, 10 ^ 60)", "Blue Harbour"),
        ("MID(Name, -(10 ^ 60), 10 ^ 60)", "Blue Harbour"),
    ],
)
def test_far_reaching_numbers_are_worked_out(formula: str, expected: Any) -> None:
    found = value(formula)
    if isinstance(expected, Decimal) and isinstance(found, Decimal):
        assert abs(found - expected) <= abs(expected) * Decimal("1e-8")
    else:
        assert found == expected


def test_a_number_with_a_far_exponent_is_none() -> None:
    assert value('ISNUMBER("1e999999999")') is False
    assert failure('VALUE("1e999999999")').failure is Failure.ERROR
    assert failure("Amount", record={"Amount": Decimal("1e5000")}).failure is Failure.TOO_BIG


def test_numbers_have_their_own_precision_wherever_they_are_worked_out() -> None:
    with localcontext() as context:
        context.prec = 3
        assert value("FLOOR(123456789.5) + 1 / 8") == Decimal("123456789.125")
        assert value("Due - DATE(2024, 2, 28) + 123456") == 123457
        assert value('FORMATCURRENCY("USD", 1234567.891)') == "USD 1,234,567.89"


@pytest.mark.parametrize("pattern", ["(a*)*b", "(a|aa)+$", "(.*a){20}"])
def test_patterns_that_go_back_elsewhere_do_not_here(pattern: str) -> None:
    assert value(f'REGEX(Name, "{pattern}")', record={"Name": "a" * 20_000 + "c"}) is False
