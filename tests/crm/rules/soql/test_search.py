"""SOSL: what is looked for, where, and what is answered of it."""

from __future__ import annotations

import pytest

from clones.crm.rules.soql import (
    SearchPlan,
    SoqlError,
    parse_search,
    plan_search,
    print_search,
    read_terms,
)
from clones.crm.rules.soql import nodes as n
from clones.crm.rules.soql.searches import Returned, Search, SearchOption
from clones.crm.rules.soql.searching import NAME_FIELDS_TOO
from clones.crm.rules.soql.strings import Exactly, LikePattern
from clones.crm.rules.soql.terms import (
    AllTerms,
    AnyTerm,
    SearchPhrase,
    SearchTerm,
    SearchWord,
    WithoutTerm,
)
from tests.crm.rules.soql.memory import CONTEXT


def word(text: str) -> SearchWord:
    return SearchWord(LikePattern((Exactly(text),)))


JOE, SMITH, BIG, DEAL = map(word, ("joe", "smith", "big", "deal"))
NAME = n.SelectedField(n.FieldPath(("Name",)))


def plan(text: str) -> SearchPlan:
    return plan_search(text, CONTEXT)


def refusal(text: str) -> SoqlError:
    with pytest.raises(SoqlError) as caught:
        plan(text)
    return caught.value


def test_the_whole_of_a_search() -> None:
    found = parse_search(
        "find {joe} in name fields returning Account(Name n, toLabel(Type) where Name = 'x' order "
        "by Name desc limit 5 offset 2), Lead(Name using listview = Mine), Contact with division = "
        "'d' with snippet(target_length=120) with network in ('a', 'b') with highlight with data "
        "category G__c below x__c limit 10 update viewstat"
    )
    assert found == Search(
        "joe",
        "NAME",
        (
            Returned(
                n.FieldPath(("Account",)),
                (
                    n.SelectedField(n.FieldPath(("Name",)), "n"),
                    n.SelectedCall(n.FunctionCall("toLabel", (n.FieldPath(("Type",)),))),
                ),
                n.Comparison(n.FieldPath(("Name",)), "=", n.StringValue("x")),
                None,
                (n.OrderItem(n.FieldPath(("Name",)), descending=True),),
                5,
                2,
            ),
            Returned(n.FieldPath(("Lead",)), (NAME,), listview="Mine"),
            Returned(n.FieldPath(("Contact",))),
        ),
        (
            SearchOption("DIVISION", (n.StringValue("d"),)),
            SearchOption("SNIPPET", (n.NumberValue("120"),)),
            SearchOption("NETWORK", (n.StringValue("a"), n.StringValue("b"))),
            SearchOption("HIGHLIGHT"),
        ),
        (n.DataCategory("G__c", "BELOW", ("x__c",)),),
        10,
        ("VIEWSTAT",),
    )


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("joe", JOE),
        ("joe smith", AllTerms((JOE, SMITH), implicit=True)),
        ("joe AND smith and big", AllTerms((JOE, SMITH, BIG))),
        ("joe OR smith", AnyTerm((JOE, SMITH))),
        ("joe OR smith AND big", AnyTerm((JOE, AllTerms((SMITH, BIG))))),
        ("(joe OR smith) AND big", AllTerms((AnyTerm((JOE, SMITH)), BIG))),
        ("joe AND NOT smith", WithoutTerm(JOE, SMITH)),
        ("joe AND smith AND NOT big", AllTerms((JOE, WithoutTerm(SMITH, BIG)))),
        ("joe AND NOT smith AND big", WithoutTerm(JOE, AllTerms((SMITH, BIG)))),
        ("joe smith OR big", AnyTerm((AllTerms((JOE, SMITH), implicit=True), BIG))),
        ('"joe smith" big', AllTerms((SearchPhrase((JOE, SMITH)), BIG), implicit=True)),
        ('"joe-smith"', SearchPhrase((JOE, SMITH))),
        ('"AND"', SearchPhrase((word("AND"),))),
        ("joe-smith", AllTerms((JOE, SMITH), implicit=True)),
        (r"\{1\+1\}\:2", word("{1+1}:2")),
        (r"\"joe", word('"joe')),
        ("jo?n*", SearchWord(LikePattern((Exactly("jo"), "one", Exactly("n"), "any")))),
        ("*oe", word("oe")),
        (r"jo\*", word("jo*")),
        ("x@example.com", word("x@example.com")),
    ],
)
def test_what_is_looked_for(term: str, expected: SearchTerm) -> None:
    assert read_terms(term) == expected


def test_long_terms_lose_their_operators_and_longer_ones_find_nothing() -> None:
    long = "joe AND NOT (smith) " + "x" * 4000
    assert read_terms(long) == AnyTerm((JOE, SMITH, word("x" * 4000)))
    assert read_terms("x" * 10_000) is not None
    assert read_terms("x" * 10_001) is None
    assert plan(f"FIND {{{'x' * 10_001}}}").term is None


@pytest.mark.parametrize(
    ("term", "code", "text"),
    [
        ("a", "INVALID_SEARCH", "search term must be longer than one character: a"),
        ("a*", "INVALID_SEARCH", "search term must be longer than one character: a*"),
        ("**", "INVALID_SEARCH", "search term must be longer than one character: **"),
        ("", "INVALID_SEARCH", "search term must be longer than one character: "),
        ("(joe", "MALFORMED_SEARCH", "unexpected token: '<EOF>'"),
        ("joe)", "MALFORMED_SEARCH", "unexpected token: ')'"),
        ("joe AND", "MALFORMED_SEARCH", "unexpected token: '<EOF>'"),
        ("joe AND OR smith", "MALFORMED_SEARCH", "unexpected token: 'OR'"),
        ("NOT joe", "MALFORMED_SEARCH", "unexpected token: 'NOT'"),
        ('"joe', "MALFORMED_SEARCH", "The search term has an unmatched quotation mark."),
        ("(" * 51 + "joe" + ")" * 51, "MALFORMED_SEARCH",
         "The search term is nested more than 50 levels deep"),
    ],
)  # fmt: skip
def test_what_may_not_be_looked_for(term: str, code: str, text: str) -> None:
    error = refusal(f"FIND {{{term}}}")
    assert (error.code, error.message) == (code, text)


@pytest.mark.parametrize("text", ["FIND 'joe'", "FIND joe", "FIND {joe", "FIND"])
def test_a_term_stands_in_braces(text: str) -> None:
    error = refusal(text)
    assert (error.code, error.message) == (
        "MALFORMED_SEARCH", "No search term found. The search term must be enclosed in braces."
    )  # fmt: skip


def rows(text: str) -> list[tuple[str, int]]:
    return [(found.object.name, found.rows) for found in plan(text).objects]


@pytest.mark.parametrize(
    ("ending", "expected"),
    [
        ("RETURNING Account", [("Account", 250)]),
        ("RETURNING Account(Name WHERE Name != null)", [("Account", 2000)]),
        ("RETURNING Account(Name ORDER BY Name)", [("Account", 2000)]),
        ("RETURNING Account(Name LIMIT 7)", [("Account", 7)]),
        ("RETURNING Contact(Name WHERE Name != null), Account",
         [("Contact", 250), ("Account", 250)]),
        ("RETURNING Contact, Account LIMIT 20", [("Contact", 10), ("Account", 10)]),
        ("RETURNING Contact, Account, Lead LIMIT 5", [("Contact", 2), ("Account", 2), ("Lead", 1)]),
        ("RETURNING Contact(Id LIMIT 0), Account(Id LIMIT 3) LIMIT 20",
         [("Contact", 0), ("Account", 3)]),
        ("RETURNING Product2(Id)", [("Product2", 250)]),
    ],
)  # fmt: skip
def test_how_many_rows_there_are_of_each_object(
    ending: str, expected: list[tuple[str, int]]
) -> None:
    assert rows(f"FIND {{joe}} {ending}") == expected


def test_without_returning_ids_of_what_is_searched_by_default() -> None:
    found = plan("FIND {joe}")
    names = [searched.object.name for searched in found.objects]
    assert names == ["Account", "Contact", "Opportunity", "Lead", "Case", "Task", "User", "Group",
                     "Order"]  # fmt: skip
    assert {searched.rows for searched in found.objects} == {2000 // 9}
    assert [len(searched.columns) for searched in found.objects] == [1] * 9


def test_what_is_shown_and_asked_of_an_object() -> None:
    found = plan(
        "FIND {joe} IN EMAIL FIELDS RETURNING Contact(lastname, Account.Name shown WHERE Email != "
        "null ORDER BY LastName DESC NULLS LAST OFFSET 5)".replace(" shown", "")
    )
    (searched,) = found.objects
    assert found.fields == "EMAIL"
    assert [column.keys for column in searched.columns if hasattr(column, "keys")] == [
        ("LastName",), ("Account", "Name")
    ]  # fmt: skip
    (key,) = searched.order_by
    assert (key.descending, key.nulls_last, searched.offset) == (True, True, 5)
    assert searched.where is not None


@pytest.mark.parametrize(
    ("ending", "code", "text"),
    [
        ("RETURNING Account, account(Name)", "MALFORMED_SEARCH",
         "sObject type 'Account' is named more than once"),
        ("RETURNING UserRole", "INVALID_TYPE", "sObject type 'UserRole' is not supported."),
        ("RETURNING Nothing", "INVALID_TYPE", "sObject type 'Nothing' is not supported."),
        ("RETURNING Account(Nothing)", "INVALID_FIELD",
         "No such column 'Nothing' on entity 'Account'."),
        ("RETURNING Account(COUNT(Id))", "MALFORMED_SEARCH",
         "function COUNT is not allowed in RETURNING"),
        ("RETURNING Account(Name ORDER BY Description)", "MALFORMED_SEARCH",
         "field 'Description' can not be sorted in a query call"),
        ("RETURNING Account(Name OFFSET 2001)", "NUMBER_OUTSIDE_VALID_RANGE",
         "Maximum SOSL offset allowed is 2000"),
        ("LIMIT 2001", "NUMBER_OUTSIDE_VALID_RANGE", "Maximum SOSL limit allowed is 2000"),
        ("RETURNING", "MALFORMED_SEARCH", "unexpected token: '<EOF>'"),
        ("RETURNING Account(Name", "MALFORMED_SEARCH", "unexpected token: '<EOF>'"),
        ("RETURNING Account((SELECT Id FROM Contacts))", "MALFORMED_SEARCH",
         "unexpected token: '('"),
        ("IN SOME FIELDS", "MALFORMED_SEARCH", "unexpected token: 'SOME'"),
        ("WITH DIVISION > 'x'", "MALFORMED_SEARCH", "unexpected token: '>'"),
        ("WITH SNIPPET(length=5)", "MALFORMED_SEARCH", "unexpected token: 'length'"),
    ],
)  # fmt: skip
def test_what_is_wrong_beside_the_term(ending: str, code: str, text: str) -> None:
    error = refusal(f"FIND {{joe}} {ending}")
    assert error.code == code
    assert error.text.startswith(text)


def test_the_place_is_shown() -> None:
    error = refusal("FIND {joe} RETURNING Account(Nothing)")
    assert error.message.startswith(
        "\nFIND {joe} RETURNING Account(Nothing)\n                             ^\n"
        "ERROR at Row:1:Column:30\nNo such column 'Nothing'"
    )


def test_a_search_reads_the_same_after_it_is_printed() -> None:
    text = (
        "FIND {a\\}b* AND c?} IN PHONE FIELDS RETURNING Account(Name WHERE Name IN ('x') ORDER BY "
        "Name NULLS LAST LIMIT 5 OFFSET 1), Lead(Id USING LISTVIEW = Mine), Case WITH DATA "
        "CATEGORY G__c AT (x__c) WITH NETWORK IN ('a') WITH HIGHLIGHT WITH SNIPPET "
        "(target_length=120) WITH DIVISION = 'd' WITH SPELL_CORRECTION = FALSE LIMIT 3 UPDATE "
        "TRACKING"
    )
    assert print_search(parse_search(text)) == text


def test_names_are_also_looked_for_in_other_fields() -> None:
    assert NAME_FIELDS_TOO["Lead"] == ("Company",)
