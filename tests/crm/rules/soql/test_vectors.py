"""Queries that a widely used parser reads are read, and those that it refuses are refused.

That parser is laxer than the service: what the service itself refuses stands below, with why.
"""

from __future__ import annotations

import re

from clones.crm.rules.soql import SoqlError, parse, print_query
from tests.crm.specs import read_spec

BIND = "Bind variables only allowed in Apex code"
# What such a query has, and what the service says of it.
REFUSED_NEVERTHELESS = [
    (re.compile(r"[ =]:[A-Za-z]"), BIND),
    # An aggregate takes one field.
    (re.compile(r"COUNT\(\w+, \w+\)"), "unexpected token: ','"),
]


def refusal(query: str) -> SoqlError | None:
    try:
        parse(query)
    except SoqlError as error:
        return error
    return None


def test_every_vector_is_judged_as_it_is_marked_but_for_what_the_service_refuses() -> None:
    vectors = read_spec("soql-vectors.json")
    assert len(vectors["valid"]) > 100
    assert len(vectors["invalid"]) > 20
    refused = {query: error for query in vectors["valid"] if (error := refusal(query)) is not None}
    for pattern, text in REFUSED_NEVERTHELESS:
        alike = {query for query in refused if pattern.search(query)}
        assert alike
        assert {refused.pop(query).text for query in alike} == {text}
    assert refused == {}
    assert [query for query in vectors["invalid"] if refusal(query) is None] == []


def test_every_vector_that_is_read_reads_the_same_after_it_is_printed() -> None:
    for query in read_spec("soql-vectors.json")["valid"]:
        if refusal(query) is None:
            assert parse(print_query(parse(query))) == parse(query)
