"""Whatever a query says, a site has an answer: a plan, or what is wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from hypothesis import example, given, settings
from hypothesis import strategies as st

from clones.tracker.rules.jql import MessageKind, parse, parsed, plan_query, print_query, sanitised
from clones.tracker.rules.jql import nodes as n
from clones.tracker.rules.jql.catalogue import FieldType, custom_types, functions, system_fields
from tests.tracker.rules.jql.memory import CUSTOM, TABLES, VIEWER, MemorySite

PRODUCTS = frozenset(
    {field.type.product for field in system_fields().values()}
    | {function.product for function in functions().values()}
)
ALL = MemorySite(viewer=replace(VIEWER, products=PRODUCTS))
ANONYMOUS = MemorySite(viewer=replace(VIEWER, account_id=None))
NAMES = [
    *(field.name for field in system_fields().values()),
    *(custom.name for custom in CUSTOM),
    "nothing",
]
WORDS = sorted({name for table in TABLES.values() for names in table.values() for name in names})
TEXTS = st.one_of(
    st.sampled_from(
        [
            *WORDS,
            "-1d",
            "2026-06-01",
            "9999-12-31",
            "1h 30m",
            "nobody",
            "",
            "a*",
            "unresolved",
            "999999y",
            "-999999w",
            "1e400",
            "NaN",
            "-0",
            "0x1",
            "1_0",
            "AUT-999999999999999999",
        ]
    ),
    st.text(max_size=8),
)
NUMBERS = st.one_of(st.integers(-(2**63), 2**63 - 1), st.integers(0, 10_100)).map(str)
FUNCTIONS = st.builds(
    n.Function,
    st.sampled_from([*(function.name for function in functions().values()), "bogus"]),
    st.lists(st.one_of(TEXTS, NUMBERS), max_size=3).map(tuple),
)
SINGLES = st.one_of(
    TEXTS.map(n.Value),
    NUMBERS.map(lambda digits: n.Value(digits, number=True)),
    FUNCTIONS,
    st.just(n.Empty()),
)
OPERANDS = st.one_of(
    SINGLES, st.lists(SINGLES, min_size=1, max_size=3).map(lambda parts: n.List(tuple(parts)))
)
FIELDS = st.builds(
    n.Field,
    st.sampled_from(NAMES),
    st.none(),
    st.one_of(st.just(()), st.just((n.Property("commits", "all"),))),
)
PREDICATES = st.lists(
    st.builds(n.Predicate, st.sampled_from(get_args(n.Temporal)), OPERANDS), max_size=2
).map(tuple)
COMPARISONS = st.builds(
    n.Comparison,
    FIELDS,
    st.sampled_from([name for name in get_args(n.Operator) if name != "changed"]),
    OPERANDS,
    st.one_of(st.just(()), PREDICATES),
)
CHANGES = st.builds(
    n.Comparison,
    st.sampled_from(["status", "assignee", "fixVersion", "resolution"]).map(n.Field),
    st.just("changed"),
    st.none(),
    PREDICATES,
)
SORTS = st.lists(st.builds(n.Sort, FIELDS, st.sampled_from([None, "desc"])), max_size=2).map(tuple)
QUERIES = st.builds(n.Query, st.one_of(COMPARISONS, CHANGES, COMPARISONS.map(n.Not)), SORTS)


@given(QUERIES, st.sampled_from([ALL, ANONYMOUS, MemorySite()]))
@settings(max_examples=300, deadline=None)
def test_any_query_has_a_plan_or_something_wrong(query: n.Query, site: MemorySite) -> None:
    text = print_query(query)
    found = plan_query(parse(text), site)
    assert (found.plan is None) == bool(found.errors)
    assert all(message.text.strip() for message in found.messages)
    assert all(message.kind is MessageKind.USER for message in found.warnings)


@given(QUERIES)
@example(
    n.Query(
        n.Comparison(n.Field("issue"), "in", n.Function("portfolioChildIssuesOf", ("1.0",))), ()
    )
)
@settings(max_examples=80, deadline=None)
def test_any_query_can_be_shown_and_sanitised(query: n.Query) -> None:
    text = print_query(query)
    assert parsed(text, ALL, "warn")["structure"]
    reader = MemorySite(hidden={"project": frozenset(TABLES["project"])})
    hidden = sanitised(text, MemorySite(), reader)
    assert sanitised(hidden, MemorySite(), reader) == hidden


OPERANDS_OF_ALL: list[n.Operand] = [
    n.Empty(), n.Function("breached"), n.Function("openSprints"),
    *(n.Value(text) for text in ("-1d", "1h", "AUT-1", "bob", "Red", "Base", "Blocks", "Platform")),
    *(n.Value(text) for text in ("AUT", "1", "3", "software", "Secret")),
    *(n.Value(id, number=True) for table in TABLES.values() for id in table if id.isdigit()),
]  # fmt: skip


def test_every_field_can_be_asked_by_each_of_its_operators() -> None:
    unasked = []
    for name, type_ in _fields():
        for operator in type_.operators:
            fields = [n.Field(name), n.Field(name, None, (n.Property("commits", "all"),))]
            asked = any(
                plan_query(n.Query(n.Comparison(field, operator, operand)), ALL).plan
                for field in fields
                for operand in _operands(operator)
            )
            unasked += [] if asked else [f"{name} {operator}"]
    assert unasked == []


def _fields() -> list[tuple[str, FieldType]]:
    found = [(field.name, field.type) for field in system_fields().values()]
    return found + [(custom.name, custom_types()[custom.type].type) for custom in CUSTOM]


def _operands(operator: n.Operator) -> list[n.Operand] | list[None]:
    if operator == "changed":
        return [None]
    lists: list[n.Operand] = [n.List((operand,)) for operand in OPERANDS_OF_ALL]
    return lists if operator.endswith("in") else OPERANDS_OF_ALL
