"""Whatever a text says, it has an answer: a plan, or an error of the vendor's."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clones.crm.rules.soql import (
    Query,
    SoqlError,
    columns_of,
    parse,
    parse_search,
    plan_search,
    plan_text,
    print_query,
    print_search,
    resolve,
)
from tests.crm.rules.soql import drawn, drawn_valid
from tests.crm.rules.soql.memory import CONTEXT

CODES = {
    "INVALID_FIELD", "INVALID_QUERY_FILTER_OPERATOR", "INVALID_SEARCH", "INVALID_TYPE",
    "MALFORMED_QUERY", "MALFORMED_SEARCH", "NUMBER_OUTSIDE_VALID_RANGE",
}  # fmt: skip
GOOD = [
    "SELECT Id, Name FROM Account WHERE Name LIKE 'A%' AND CreatedDate > LAST_N_DAYS:30 LIMIT 5",
    "SELECT Id, (SELECT Id FROM Contacts WHERE Email != null) FROM Account ORDER BY Name DESC",
    "SELECT LeadSource, COUNT(Id) n FROM Lead GROUP BY ROLLUP(LeadSource) HAVING COUNT(Id) > 1",
    "SELECT TYPEOF What WHEN Account THEN Phone ELSE Name END FROM Task WHERE Owner.Name = 'x'",
    "SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact) AND (NOT Rate__c = 5)",
    "SELECT Id FROM Account WHERE DISTANCE(Location__c, GEOLOCATION(37.1, -122), 'mi') < 20",
]
SEARCHES = [
    "FIND {joe AND \"big deal\"} IN NAME FIELDS RETURNING Account(Id, Name WHERE Name = 'x')",
    "FIND {a\\{b* OR (c AND NOT d)} RETURNING Contact, Lead(Name ORDER BY Name) WITH HIGHLIGHT",
]
PIECES = [
    "SELECT", "FROM", "WHERE", "(", ")", ",", "=", "'", "\\", "Id", "Name", "Account", "AND", "OR",
    "NOT", "IN", "LIKE", "5", "null", "TODAY", "LAST_N_DAYS:", ":", "{", "}", "/*", "//", "\n", " ",
    "COUNT(", "TYPEOF", "END", "GROUP BY", "ORDER BY", "LIMIT", "2026-01-01", "T10:00:00Z", "é",
    '"', "FIND {", "RETURNING", "WITH", "\x00",
]  # fmt: skip


def refusal(plan: Callable[[], object]) -> SoqlError | None:
    """Return the error that comes of planning, None if a plan does."""
    try:
        plan()
    except SoqlError as error:
        return error
    return None


def answered(text: str) -> None:
    for plan in (plan_text, plan_search):
        error = refusal(partial(plan, text, CONTEXT))
        if error is not None:
            assert error.code in CODES
            assert error.text
            assert error.message.endswith(error.text)


@given(
    st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join))
)
@settings(max_examples=400, deadline=None)
def test_any_text_has_an_answer(text: str) -> None:
    answered(text)
    answered(f"SELECT Id FROM Account WHERE {text}")
    answered(f"FIND {{{text}}}")


@st.composite
def mutations(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(GOOD + SEARCHES))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        length = draw(st.integers(0, 8))
        piece = draw(st.one_of(st.just(""), st.sampled_from(PIECES), st.text(max_size=3)))
        text = text[:at] + piece + text[at + length :]
    return text


@given(mutations())
@settings(max_examples=500, deadline=None)
def test_any_change_of_a_good_query_has_an_answer(text: str) -> None:
    answered(text)


@given(drawn.queries)
@settings(max_examples=300, deadline=None)
def test_any_query_reads_the_same_after_it_is_printed(query: Query) -> None:
    text = print_query(query)
    assert parse(text) == query
    assert print_query(parse(text)) == text


@given(drawn.queries)
@settings(max_examples=300, deadline=None)
def test_any_query_has_a_plan_that_can_be_described_or_an_error(query: Query) -> None:
    error = refusal(lambda: columns_of(resolve(query, CONTEXT)))
    assert error is None or error.code in CODES


@given(st.one_of(drawn_valid.record_queries(), drawn_valid.group_queries()))
@settings(max_examples=300, deadline=None)
def test_any_query_of_what_there_is_has_a_plan(query: Query) -> None:
    read = parse(print_query(query))
    assert read == query
    plan = resolve(read, CONTEXT)
    assert len(plan.columns) == len(query.select)
    assert columns_of(plan)["columnMetadata"]
    assert (plan.where is None) == (query.where is None)
    assert len(plan.order_by) == len(query.order_by)


@pytest.mark.parametrize("text", GOOD)
def test_the_good_ones_are_good(text: str) -> None:
    assert plan_text(text, CONTEXT).columns
    assert parse(print_query(parse(text))) == parse(text)


@pytest.mark.parametrize("text", SEARCHES)
def test_so_are_the_searches(text: str) -> None:
    assert plan_search(text, CONTEXT).objects
    assert parse_search(print_search(parse_search(text))) == parse_search(text)


HUGE = {
    "values": "SELECT Id FROM Account WHERE Name IN (" + "'x'," * 24_000 + "'x')",
    "terms": "SELECT Id FROM Account WHERE Name = 'x'" + " AND Name = 'x'" * 6_000,
    "fields": "SELECT " + "Id, " * 24_000 + "Id FROM Account",
    "groups": "SELECT "
    + ", ".join(f"Name a{number}" for number in range(5_000))
    + " FROM Account GROUP BY BillingCity"
    + ", Industry" * 2_500
    + ", Name",
    "parentheses": "SELECT Id FROM Account WHERE " + "(" * 90_000,
    "open comment": "SELECT Id FROM Account /*" + " *" * 45_000,
    "comments": "SELECT " + "/**/ " * 18_000 + "Id FROM Account",
    "blanks": "SELECT Id" + " " * 90_000 + "FROM Account",
    "open string": "SELECT Id FROM Account WHERE Name = '" + "x\\'" * 30_000,
    "open search": "FIND {" + "x " * 45_000,
    "quotes": "FIND {" + '"x" ' * 20_000 + "}",
    "digits": "SELECT Id FROM Account WHERE Rate__c = " + "9" * 90_000,
    "limit": "SELECT Id FROM Account LIMIT " + "9" * 90_000,
    "counted": "SELECT Id FROM Account WHERE CreatedDate = LAST_N_DAYS:" + "9" * 90_000,
    "path": "SELECT " + "Parent." * 14_000 + "Name FROM Account",
    "empty lists": "SELECT Id FROM Account WHERE " + "Name IN " * 11_000 + "()",
}


@pytest.mark.parametrize("name", HUGE)
def test_hostile_texts_are_answered_soon(name: str) -> None:
    started = time.process_time()
    answered(HUGE[name])
    assert time.process_time() - started < 5


@pytest.mark.parametrize("word", ["AND", "OR"])
def test_the_deepest_conditions_are_planned_printed_and_compared(word: str) -> None:
    deep = "Name = 'x'"
    for level in range(100):
        deep = f"NOT ({deep})" if level % 2 else f"Name = 'x' {word} ({deep})"
    text = f"SELECT Id FROM Account WHERE {deep}"
    assert plan_text(text, CONTEXT).where is not None
    assert parse(print_query(parse(text))) == parse(text)
    assert refusal(lambda: parse(f"SELECT Id FROM Account WHERE ({deep})")) is not None


def test_what_is_four_times_as_long_takes_no_sixteen_times_as_long() -> None:
    def seconds(number: int) -> float:
        text = "SELECT Id FROM Account WHERE Name = 'x'" + " AND Name = 'x'" * number
        started = time.process_time()
        plan_text(text, CONTEXT)
        return time.process_time() - started

    seconds(100)
    assert min(seconds(6000) for _ in range(2)) < 8 * min(seconds(1500) for _ in range(2))


@pytest.mark.parametrize("name", HUGE)
def test_the_hostile_texts_are_no_longer_than_a_statement_may_be(name: str) -> None:
    assert 80_000 < len(HUGE[name]) <= 100_000
