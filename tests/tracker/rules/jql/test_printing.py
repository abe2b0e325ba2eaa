"""Nodes and text say the same: whatever is printed is read as what it was."""

from __future__ import annotations

import contextlib
import re
import string
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from clones.tracker.rules.jql import JqlError, JqlSyntaxError, misuses, parse, parser, print_query
from clones.tracker.rules.jql import nodes as n
from clones.tracker.rules.jql.words import KEYWORDS, UNUSED
from tests.growth import TIMES, stays_a_line

TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.sampled_from([*KEYWORDS, *UNUSED, "7", "-4w", "Two words", "don't", 'say "x"', "\\", "a.b"]),
)
NAMES = TEXTS.filter(lambda text: text != "")
NUMBERS = st.integers(-(2**63), 2**63 - 1).map(str)
VALUES = st.one_of(TEXTS.map(n.Value), NUMBERS.map(lambda digits: n.Value(digits, number=True)))
FUNCTIONS = st.builds(n.Function, NAMES, st.lists(st.one_of(TEXTS, NUMBERS), max_size=3).map(tuple))
SINGLES = st.one_of(VALUES, FUNCTIONS, st.just(n.Empty()))
OPERANDS = st.recursive(
    SINGLES,
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(lambda parts: n.List(tuple(parts))),
    max_leaves=5,
)
PATHS = st.one_of(
    st.just(""),
    st.lists(st.from_regex(r"[a-z0-9_ $]{1,5}", fullmatch=True), min_size=1, max_size=3).map(
        ".".join
    ),
)
PROPERTIES = st.lists(st.builds(n.Property, TEXTS, PATHS), max_size=2).map(tuple)
FIELDS = st.one_of(
    st.builds(n.Field, NAMES, st.none(), PROPERTIES),
    st.builds(
        lambda number, properties: n.Field(f"cf[{number}]", number, properties),
        st.integers(0, 10**6),
        PROPERTIES,
    ),
)
PREDICATES = st.lists(
    st.builds(
        n.Predicate,
        st.sampled_from(["before", "after", "on", "during", "by", "from", "to"]),
        OPERANDS,
    ),
    max_size=2,
).map(tuple)
OPERATORS = st.sampled_from(
    [
        "=",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "~",
        "!~",
        "in",
        "not in",
        "is",
        "is not",
        "was",
        "was not",
        "was in",
        "was not in",
    ]
)
COMPARISONS = st.one_of(
    st.builds(n.Comparison, FIELDS, OPERATORS, OPERANDS, PREDICATES),
    st.builds(n.Comparison, FIELDS, st.just("changed"), st.one_of(st.none(), OPERANDS), PREDICATES),
)
CLAUSES = st.recursive(
    COMPARISONS,
    lambda inner: st.one_of(
        inner.map(n.Not),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: n.And(tuple(parts))),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: n.Or(tuple(parts))),
    ),
    max_leaves=6,
)
SORTS = st.lists(st.builds(n.Sort, FIELDS, st.sampled_from([None, "asc", "desc"])), max_size=3).map(
    tuple
)
QUERIES = st.builds(n.Query, st.one_of(st.none(), CLAUSES), SORTS)


@given(QUERIES)
@settings(max_examples=150, deadline=None)
def test_what_is_printed_is_read_as_what_it_was(query: n.Query) -> None:
    printed = print_query(query)
    assert parse(printed) == query
    assert print_query(parse(printed)) == printed


PIECES = st.sampled_from(
    [
        *KEYWORDS,
        "status",
        "Done",
        "'a b'",
        '"',
        "7",
        "-4w",
        "cf[10]",
        "=",
        "!=",
        "~",
        "!~",
        "<=",
        ">",
        "(",
        ")",
        ",",
        "[",
        "]",
        "!",
        "&&",
        "||",
        "fn(",
        "now()",
        ".x",
        "select",
        "@",
        "\\",
        "\n",
    ]
)


@given(st.lists(PIECES, max_size=14).map(" ".join))
@example("a = f(b c)")
@example("a[b")
@settings(max_examples=300, deadline=None)
def test_no_text_makes_anything_but_an_error_of_ours(text: str) -> None:
    try:
        query = parse(text)
    except JqlSyntaxError as error:
        (sentence,) = error.texts
        assert re.match(r"Error in (the )?JQL Query: \S", sentence)
        if "unction argument" in sentence:
            assert "(" in text or "[" in text
        return
    misuses(query)
    assert parse(print_query(query)) == query


@given(st.text(max_size=60))
@settings(max_examples=200, deadline=None)
def test_no_characters_do_either(text: str) -> None:
    try:
        query = parse(text)
    except JqlError:
        return
    assert parse(print_query(query)) == query


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        (
            "STATUS='In Progress' && !(a=1||b!=2)",
            'STATUS = "In Progress" AND NOT (a = 1 OR b != 2)',
        ),
        ("a = b or c = d and e = f", "a = b OR c = d AND e = f"),
        ("(a = b or c = d) and e = f", "(a = b OR c = d) AND e = f"),
        ("a in (x,'7',7, null)", 'a in (x, "7", 7, EMPTY)'),
        ("a = fn ( 1 , 'two words' , -1d)", 'a = fn(1, "two words", -1d)'),
        ("cf[007] is not null", "cf[7] is not EMPTY"),
        ("development [ commits ] . all > 0", "development[commits].all > 0"),
        ("issue.property['a b'].c = 'd'", 'issue.property["a b"].c = d'),
        ("status WAS NOT IN (a) By b", "status was not in (a) by b"),
        (
            "status Changed From a To b During ('2026-01-01', now())",
            "status changed from a to b during (2026-01-01, now())",
        ),
        ("order by a, b Asc, 'c d' DESC", 'ORDER BY a, b ASC, "c d" DESC'),
        (r"a = '\u00e9\t\'x\''", "a = \"\u00e9\\t'x'\""),
        ("a = 'and'", 'a = "and"'),
        ("", ""),
    ],
)
def test_a_query_has_one_printed_form(typed: str, printed: str) -> None:
    assert print_query(parse(typed)) == printed


def read(text: str) -> None:
    """Read a query as if nobody had before."""
    parser._parsed.cache_clear()
    with contextlib.suppress(JqlError):
        misuses(parse(text))


@pytest.mark.parametrize(
    ("piece", "joint"),
    [("a = b", " and "), ("a = b", " or "), ("a in (b, c)", " and "), ("not a = 'x y'", " or ")],
)
def test_time_grows_with_the_length_alone(piece: str, joint: str) -> None:
    short, long = joint.join([piece] * 100), joint.join([piece] * 100 * TIMES)
    assert stays_a_line(lambda: read(short), lambda: read(long), bound=8 * 4)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 50000,
        "!" * 90000,
        "a in " + "(" * 50000,
        "a = '" + "\\" * 90000,
        "a" * 99000,
        "a = f" + "(" * 50000,
        "not " * 20000 + "a = b",
        "[" * 90000,
        "é" * 90000 + "=",
        "a = " + "'" * 90001,
        "a = \\u" * 15000,
        "(" * 40000 + "a=b" + ")" * 40000,
    ],
    ids=lambda text: ascii(text[:8]),
)
def test_long_nonsense_is_refused_in_time(text: str) -> None:
    start = time.process_time()
    with pytest.raises(JqlError) as caught:
        misuses_or_raise(text)
    # A hundred thousand characters at some ten microseconds each.
    assert time.process_time() - start < 5
    assert len(caught.value.texts[0]) < 100_500


def misuses_or_raise(text: str) -> None:
    found = misuses(parse(text))
    raise JqlError(tuple(found))


def test_letters_of_all_scripts_need_no_quotation_marks() -> None:
    for text in ("Müller", "項目", "Ж", "🙂", "naïve-value", "a:b", "v1.2_3"):
        assert print_query(parse(f"a = {text}")) == f"a = {text}"


def test_marks_that_mean_something_need_them() -> None:
    for mark in set(string.punctuation) - set("-._:"):
        assert print_query(n.Query(n.Comparison(n.Field("a"), "=", n.Value(f"x{mark}")))) != (
            f"a = x{mark}"
        )
