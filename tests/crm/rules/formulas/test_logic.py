from __future__ import annotations

from datetime import UTC, date
from decimal import Decimal
from typing import Any

import pytest

from clones.crm.rules.formulas import Blanks, FieldType, Kind, field_value
from tests.crm.rules.formulas.working import failure, value

D = Decimal
EXAMPLES: list[tuple[str, Any]] = [
    ("AND(TRUE, 1 = 1)", True),
    ("AND(TRUE, FALSE)", False),
    ("AND(FALSE, 1 / 0 = 1)", False),
    ("TRUE && Closed", True),
    ("FALSE && 1 / 0 = 1", False),
    ("OR(FALSE, Closed)", True),
    ("OR(TRUE, 1 / 0 = 1)", True),
    ("FALSE || FALSE || TRUE", True),
    ("TRUE || 1 / 0 = 1", True),
    ("TRUE || FALSE && FALSE", True),
    ("NOT(Closed)", False),
    ("NOT Closed", False),
    ("!Closed || TRUE", True),
    ("Closed = TRUE", True),
    ("Closed <> NOT(Closed)", True),
    ('IF(Amount > 1000, "big", "small")', "big"),
    ("IF(FALSE, 1 / 0, 2)", D(2)),
    ("IF(TRUE, NULL, 2)", None),
    ('IFS(FALSE, "a", TRUE, "b", "c")', "b"),
    ("IFS(FALSE, 1 / 0, 3)", D(3)),
    ("CASE(2, 1, 10, 2, 20, 30)", D(20)),
    ("CASE(5, 1, 10, 2, 20, 30)", D(30)),
    ('CASE(Stage, "New", "n", "Won", "w", "-")', "w"),
    ('CASE(Name, "blue harbour", 1, "Blue Harbour", 2, 3)', D(2)),
    ("CASE(Due, DATE(2024, 2, 29), DATE(2025, 1, 1), Due)", date(2025, 1, 1)),
    ("CASE(1, 1, 5, 2, 1 / 0, 1 / 0)", D(5)),
    ('IN("b", "a", "b")', True),
    ("IN(3, 1, 2)", False),
    ('IN(Stage, "New", "Won")', True),
    ("ISBLANK(Name)", False),
    ("ISBLANK(0)", False),
    ("ISNULL(Amount)", False),
    ('BLANKVALUE(Name, "none")', "Blue Harbour"),
    ("BLANKVALUE(Amount, 1)", D("1250.5")),
    ("NULLVALUE(Due, DATE(2000, 1, 1))", date(2024, 2, 29)),
    ("IFERROR(1 / 0, 7)", D(7)),
    ("IFERROR(8, 1 / 0)", D(8)),
    ('IFERROR(VALUE("x"), NULL)', None),
]
# Formula, what it gives where blank numbers are zeroes, and where they are blank.
BLANK: list[tuple[str, Any, Any]] = [
    ("AND(NULL, TRUE)", False, False),
    ("OR(NULL, TRUE)", True, True),
    ("OR(NULL, FALSE)", False, False),
    ("NULL && TRUE", False, False),
    ("NULL || TRUE", True, True),
    ("NOT(NULL)", None, None),
    ("!(NoDue > Due)", None, None),
    ("NoClosed", False, False),
    ("NOT(NoClosed)", True, True),
    ("IF(NULL, 1, 2)", D(2), D(2)),
    ("IF(NoAmount = 0, 1, 2)", D(1), D(2)),
    ("IFS(NULL, 1, 2)", D(2), D(2)),
    ("CASE(NoAmount, 0, 1, 2)", D(1), D(2)),
    ("CASE(NoDue, NULL, 1, 2)", D(2), D(2)),
    ('CASE(NoName, "", 1, 2)', D(1), D(1)),
    ("CASE(NoName, NULL, 1, 2)", D(1), D(1)),
    ('CASE(NoStage, "New", 1, 2)', D(2), D(2)),
    ('IN(NoName, "", NULL)', False, False),
    ("IN(NoDue, NULL, Due)", False, False),
    ("ISBLANK(NoAmount)", False, True),
    ("ISNULL(NoAmount)", False, True),
    ("ISBLANK(NoName)", True, True),
    ("ISNULL(NoName)", False, False),
    ('ISNULL(IF(TRUE, NULL, "a"))', False, False),
    ("ISBLANK(NoStage)", True, True),
    ("ISBLANK(NoTopics)", True, True),
    ("ISBLANK(NoPlace)", True, True),
    ("ISNULL(NoDue)", True, True),
    ("ISNULL(NULL)", True, True),
    ("BLANKVALUE(NoAmount, 5)", D(0), D(5)),
    ("NULLVALUE(NoAmount, 5)", D(0), D(5)),
    ('BLANKVALUE(NoName, "none")', "none", "none"),
    ('NULLVALUE(NoName, "none")', None, None),
    ('NULLVALUE(NULL, "none")', None, None),
    ("BLANKVALUE(NULL, 5)", D(5), D(5)),
    ("NULLVALUE(NoDue, Due)", date(2024, 2, 29), date(2024, 2, 29)),
    ("IFERROR(NoAmount, 5)", D(0), None),
    ("IFERROR(1 / NoAmount, 5)", D(5), None),
]


@pytest.mark.parametrize(("formula", "expected"), EXAMPLES)
def test_values_are_chosen(formula: str, expected: Any) -> None:
    assert value(formula) == expected


@pytest.mark.parametrize(("formula", "as_zero", "as_blank"), BLANK)
def test_blanks_are_told_from_values(formula: str, as_zero: Any, as_blank: Any) -> None:
    assert value(formula, blanks=Blanks.ZEROES) == as_zero
    assert value(formula, blanks=Blanks.BLANKS) == as_blank


def test_what_is_not_chosen_is_not_worked_out() -> None:
    assert failure("IF(TRUE, 1 / 0, 2)").text == "Division by zero"
    assert failure("AND(TRUE, 1 / 0 = 1)").text == "Division by zero"
    assert failure("CASE(1, 1 / 0, 5, 6)").text == "Division by zero"


def test_a_checkbox_is_never_blank() -> None:
    box = FieldType(Kind.BOOLEAN)
    assert value("NoDue > Due") is None
    assert field_value(None, box, zone=UTC) is False
    assert field_value(value("Due > NoDue"), box, zone=UTC) is False
    assert field_value(value("Due = Due"), box, zone=UTC) is True


def test_fields_show_numbers_to_their_scale_and_texts_without_blanks_around_them() -> None:
    share = FieldType(Kind.NUMBER, percent=True)
    assert field_value(value("1 / 3"), share, zone=UTC, scale=2) == D("33.33")
    assert field_value(D("2.345"), FieldType(Kind.NUMBER), zone=UTC, scale=2) == D("2.35")
    assert field_value(D("2.345"), FieldType(Kind.NUMBER), zone=UTC) == D("2.345")
    assert field_value(value('" a "'), FieldType(Kind.TEXT), zone=UTC) == "a"
    assert field_value(value('"  "'), FieldType(Kind.TEXT), zone=UTC) is None
