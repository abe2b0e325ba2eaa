from __future__ import annotations

from decimal import Decimal

import pytest

from clones.crm.rules.formulas import FormulaSyntaxError, field_paths, parse, print_formula
from clones.crm.rules.formulas.nodes import (
    BooleanLiteral,
    Call,
    FieldReference,
    NullLiteral,
    NumberLiteral,
    Operation,
    Operator,
    Span,
    TextLiteral,
)


def field(path: str) -> FieldReference:
    return FieldReference(path)


def two(sign: Operator, left: str, right: str) -> Operation:
    return Operation(sign, (field(left), field(right)))


A, B, C = field("a"), field("b"), field("c")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", A),
        (" a /* b */ ", A),
        ("/* it's \n over lines **/ a", A),
        ("a\u200b", A),
        ("$User.Name__c", field("$User.Name__c")),
        ("a:b.c#d", field("a:b.c#d")),
        ("12.50", NumberLiteral(Decimal("12.50"))),
        ("TRUE", BooleanLiteral(value=True)),
        ("false", BooleanLiteral(value=False)),
        ("Null", NullLiteral()),
        ('"a\'b"', TextLiteral("a'b")),
        (r"'a\'b\t'", TextLiteral("a'b\t")),
        ("nullable", field("nullable")),
        ("Today()", Call("Today")),
        ("f(a, b)", Call("f", (A, B))),
        ("((a))", A),
        ("a + b - c", Operation("-", (two("+", "a", "b"), C))),
        ("a + b * c", Operation("+", (A, two("*", "b", "c")))),
        ("a * b ^ c", Operation("*", (A, two("^", "b", "c")))),
        ("(a + b) * c", Operation("*", (two("+", "a", "b"), C))),
        ("a - (b - c)", Operation("-", (A, two("-", "b", "c")))),
        ("a & b < c", Operation("<", (two("&", "a", "b"), C))),
        ("a < b = c", Operation("=", (two("<", "a", "b"), C))),
        ("a == b", two("=", "a", "b")),
        ("a != b", two("<>", "a", "b")),
        ("a || b || c", Operation("||", (A, B, C))),
        ("a || b && c", Operation("||", (A, two("&&", "b", "c")))),
        ("(a || b) || c", Operation("||", (two("||", "a", "b"), C))),
        ("-a ^ b", Operation("^", (Operation("-", (A,)), B))),
        ("a--b", Operation("-", (A, Operation("-", (B,))))),
        ("!a && b", Operation("&&", (Operation("!", (A,)), B))),
        ("NOT(a)", Operation("!", (A,))),
        ("not a", Operation("!", (A,))),
        ("AND(a, b)", Call("AND", (A, B))),
    ],
)
def test_a_formula_is_read(text: str, expected: object) -> None:
    found = parse(text)
    assert found.root == expected
    assert parse(print_formula(found)) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Syntax error.  Missing field name"),
        ("/* nothing */", "Syntax error.  Found 'end of formula'"),
        ("1 +", "Syntax error.  Found 'end of formula'"),
        ("f(1, 2", "Syntax error.  Missing ')'"),
        ("(a", "Syntax error.  Missing ')'"),
        ("a)", "Syntax error. Extra ')'"),
        ("1 2", "Syntax error.  Found '2'"),
        ("a garbage", "Syntax error.  Found 'garbage'"),
        ("f(,)", "Syntax error.  Found ','"),
        ("1 + * 2", "Syntax error.  Found '*'"),
        ("a # b", "Syntax error.  Found '#'"),
        (".5", "Syntax error.  Found '.'"),
        ('"open', "Syntax error.  Missing '\"'"),
        ("'two\nlines'", "Syntax error.  Missing '''"),
        (r'"\q"', r"Syntax error.  Found '\q'"),
        ("a /* open", "Syntax error.  Missing '*/'"),
        ("_a", "Syntax error.  Found '_'"),
    ],
)
def test_what_is_no_formula_is_refused_in_the_services_words(text: str, said: str) -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        parse(text)
    assert caught.value.text == said


def test_a_refusal_has_its_place() -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        parse("a + ? b")
    assert caught.value.at == 4
    with pytest.raises(FormulaSyntaxError) as ended:
        parse("a +")
    assert ended.value.at is None


def test_parts_know_their_places() -> None:
    root = parse(" f( a , 'x' ) + 12").root
    assert isinstance(root, Operation)
    assert root.span == Span(1, 18)
    assert root.operands[0].span == Span(1, 13)
    assert root.operands[1].span == Span(16, 18)


def test_fields_are_listed_once_in_the_order_of_the_text() -> None:
    assert field_paths(parse("IF(b.c > 1, a & b.c, -(d))")) == ("b.c", "a", "d")
    assert field_paths(parse("1 + 2")) == ()
