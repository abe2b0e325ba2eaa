"""What no document and no recorded answer says: each guess has a test that changes with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clones.crm.rules.soql import (
    SoqlError,
    columns_of,
    literal_days,
    parse,
    plan_search,
    plan_text,
    read_terms,
)
from clones.crm.rules.soql import plan as p
from clones.crm.rules.soql.nodes import DateLiteral
from clones.crm.rules.soql.strings import Exactly, LikePattern
from clones.crm.rules.soql.terms import AllTerms, SearchWord
from tests.crm.rules.soql.memory import CALENDAR, CONTEXT

PAGE = Path(__file__).parents[4] / "docs" / "fidelity" / "crm-soql.md"


def refusal(query: str) -> SoqlError:
    with pytest.raises(SoqlError) as caught:
        plan_text(query, CONTEXT)
    return caught.value


def test_the_page_names_every_guess() -> None:
    named = re.findall(r"`tests/crm/rules/soql/test_guesses\.py::(\w+)`", PAGE.read_text("utf-8"))
    held = re.findall(
        r"^def (test_unverified_\w+)", Path(__file__).read_text("utf-8"), re.MULTILINE
    )
    assert sorted(named) == sorted(held)
    assert len(held) > 10


def test_unverified_an_excerpt_has_45_characters_before_and_50_after() -> None:
    error = refusal("SELECT Id FROM Account WHERE " + "Name = 'xx' AND " * 9 + "Name = 5")
    assert error.message.split("\n")[1] == ("AND Name = 'xx' AND Name = 'xx' AND Name = 5")
    early = refusal(
        "SELECT Nothing, Name, Industry, Website, Phone, BillingCity, Type FROM Account"
    )
    assert early.message.split("\n")[1] == ("SELECT Nothing, Name, Industry, Website, Phone")


def test_unverified_the_first_token_is_refused_without_an_excerpt() -> None:
    assert refusal("FETCH Id FROM Account").message == "unexpected token: 'FETCH'"


def test_unverified_parentheses_nest_a_hundred_levels() -> None:
    assert parse("SELECT Id FROM Account WHERE " + "(" * 100 + "Id = null" + ")" * 100).where
    error = refusal("SELECT Id FROM Account WHERE " + "(" * 101 + "Id = null" + ")" * 101)
    assert error.text == "The query is nested more than 100 levels deep"


def test_unverified_sentences_on_what_is_too_long() -> None:
    assert refusal("SELECT Id FROM Account" + " " * 100_000).text == (
        "SOQL statements cannot be longer than 100000 characters."
    )
    assert refusal(f"SELECT Id FROM Account WHERE Name = '{'x' * 4001}'").text == (
        "String literals in a WHERE clause cannot be longer than 4000 characters."
    )


def test_unverified_comments_are_read_over() -> None:
    assert parse("SELECT Id // x\nFROM /* y */ Account") == parse("SELECT Id FROM Account")


def test_unverified_nulls_come_first_in_descending_order_too() -> None:
    (key,) = plan_text("SELECT Id FROM Account ORDER BY Name DESC", CONTEXT).order_by
    assert not key.nulls_last


def test_unverified_an_empty_text_is_null() -> None:
    plan = plan_text("SELECT Id FROM Account WHERE Name = ''", CONTEXT)
    assert isinstance(plan.where, p.Compare)
    assert plan.where.value is None


def test_unverified_last_n_years_begins_n_and_one_years_ago() -> None:
    assert literal_days(DateLiteral("LAST_N_YEARS", 1), CALENDAR).start.year == 2024


def test_unverified_an_operator_that_a_type_has_not() -> None:
    error = refusal("SELECT Id FROM Account WHERE AnnualRevenue LIKE '5'")
    assert (error.code, error.text) == (
        "INVALID_QUERY_FILTER_OPERATOR", "invalid operator LIKE on field 'AnnualRevenue'"
    )  # fmt: skip


def test_unverified_an_id_that_is_none_is_an_operators_fault() -> None:
    error = refusal("SELECT Id FROM Account WHERE Id = 'abc'")
    assert (error.code, error.text) == (
        "INVALID_QUERY_FILTER_OPERATOR", "invalid ID field: abc"
    )  # fmt: skip


def test_unverified_what_only_changes_how_a_field_is_shown_keeps_its_name() -> None:
    plan = plan_text("SELECT toLabel(Account.Type), FORMAT(Amount) FROM Opportunity", CONTEXT)
    keys = [column.keys for column in plan.columns if isinstance(column, p.ValueColumn)]
    assert keys == [("Account", "Type"), ("Amount",)]


def test_unverified_a_date_function_alone_is_ungrouped() -> None:
    error = refusal("SELECT CALENDAR_YEAR(CreatedDate) FROM Account")
    assert error.text == "Field must be grouped or aggregated: CALENDAR_YEAR(CreatedDate)"


def test_unverified_a_function_out_of_its_place() -> None:
    error = refusal("SELECT Id FROM Account WHERE COUNT(Id) > 1")
    assert (error.code, error.text) == (
        "MALFORMED_QUERY", "function COUNT is not allowed in WHERE"
    )  # fmt: skip


def test_unverified_sentences_on_limits() -> None:
    path = "Parent." * 6
    assert refusal(f"SELECT {path}Name FROM Account").text == (
        f"field path '{path[:-1]}' has more than 5 levels of relationships"
    )
    children = ", ".join(["(SELECT Id FROM Contacts)"] * 21)
    assert refusal(f"SELECT {children} FROM Account").text == (
        "A query can have at most 20 child subqueries"
    )


def test_unverified_columns_tell_their_java_types() -> None:
    (column,) = columns_of(plan_text("SELECT CreatedDate FROM Account", CONTEXT))["columnMetadata"]
    assert (column["apexType"], column["insertable"]) == ("Datetime", True)


def test_unverified_marks_part_words_of_a_search_and_do_not_begin_them() -> None:
    words = tuple(SearchWord(LikePattern((Exactly(text),))) for text in ("555", "1234"))
    assert read_terms("*555-?1234") == AllTerms(words, implicit=True)


def test_unverified_an_object_is_named_once_in_returning() -> None:
    with pytest.raises(SoqlError, match="'Account' is named more than once"):
        plan_search("FIND {joe} RETURNING Account, Account(Name)", CONTEXT)
