"""Queries as the API shows them: parsed, with other values, and offered while typing."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.rules.jql import (
    JqlSyntaxError,
    parse,
    parsed,
    sanitised,
    structure,
    suggestions,
    with_account_ids,
)
from tests.tracker.rules.jql.memory import MemorySite

SITE = MemorySite()
BROKEN = (
    "Error in the JQL Query: Expecting operator but got 'query'. The valid operators "
    "are '=', '!=', "
    "'<', '>', '<=', '>=', '~', '!~', 'IN', 'NOT IN', 'IS' and 'IS NOT'. (line 1, character 9)"
)


def field(name: str, encoded: str | None = None) -> dict[str, Any]:
    return {"name": name, "encodedName": encoded or name}


def value(text: str, encoded: str | None = None) -> dict[str, Any]:
    return {"value": text, "encodedValue": encoded or text}


def test_the_structure_of_the_vendors_example() -> None:
    query = (
        "summary ~ test AND (labels in (urgent, blocker) OR creator = currentUser()) AND status "
        "CHANGED AFTER startOfMonth(-1M) ORDER BY updated DESC"
    )
    assert structure(parse(query)) == {
        "where": {
            "operator": "and",
            "clauses": [
                {"field": field("summary"), "operator": "~", "operand": value("test")},
                {
                    "operator": "or",
                    "clauses": [
                        {
                            "field": field("labels"),
                            "operator": "in",
                            "operand": {
                                "values": [value("urgent"), value("blocker")],
                                "encodedOperand": "(urgent, blocker)",
                            },
                        },
                        {
                            "field": field("creator"),
                            "operator": "=",
                            "operand": {
                                "function": "currentUser",
                                "arguments": [],
                                "encodedOperand": "currentUser()",
                            },
                        },
                    ],
                },
                {
                    "field": field("status"),
                    "operator": "changed",
                    "predicates": [
                        {
                            "operator": "after",
                            "operand": {
                                "function": "startOfMonth",
                                "arguments": ["-1M"],
                                "encodedOperand": "startOfMonth(-1M)",
                            },
                        }
                    ],
                },
            ],
        },
        "orderBy": {"fields": [{"field": field("updated"), "direction": "desc"}]},
    }


def test_the_structure_of_a_property() -> None:
    query = 'issue.property["spaces here"].value in ("Service requests", Incidents)'
    assert structure(parse(query)) == {
        "where": {
            "field": {
                **field("issue.property[spaces here].value", 'issue.property["spaces here"].value'),
                "property": [{"entity": "issue", "key": "spaces here", "path": "value"}],
            },
            "operator": "in",
            "operand": {
                "values": [value("Service requests", '"Service requests"'), value("Incidents")],
                "encodedOperand": '("Service requests", Incidents)',
            },
        }
    }


def test_the_structure_of_the_rest() -> None:
    assert structure(parse("not 'a b' was not null by x order by c")) == {
        "where": {
            "operator": "not",
            "clauses": [
                {
                    "field": field("a b", '"a b"'),
                    "operator": "was not",
                    "operand": {"keyword": "empty"},
                    "predicates": [{"operator": "by", "operand": value("x")}],
                }
            ],
        },
        "orderBy": {"fields": [{"field": field("c")}]},
    }
    assert structure(parse("")) == {}


@pytest.mark.parametrize("validation", ["strict", "warn", "none"])
def test_what_is_no_query_has_errors_only(validation: Any) -> None:
    assert parsed("invalid query", SITE, validation) == {
        "query": "invalid query",
        "errors": [BROKEN],
    }


@pytest.mark.parametrize(
    ("query", "kind", "text"),
    [
        ("summary = test", "errors", "The operator '=' is not supported by the 'summary' field."),
        (
            "summary in test",
            "errors",
            "Operator 'in' does not support the non-list value '\"test\"' for field 'summary'.",
        ),
        (
            "project = INVALID",
            "warnings",
            "The value 'INVALID' does not exist for the field 'project'.",
        ),
        (
            "universe = 42",
            "errors",
            "Field 'universe' does not exist or you do not have permission to view it.",
        ),
    ],
)
def test_validation_says_what_becomes_of_what_is_wrong(query: str, kind: str, text: str) -> None:
    shape = structure(parse(query))
    assert parsed(query, SITE, "strict") == {"query": query, "errors": [text]}
    assert parsed(query, SITE, "warn") == {"query": query, "structure": shape, kind: [text]}
    assert parsed(query, SITE, "none") == {"query": query, "structure": shape}


def test_unverified_somebody_unknown_is_a_warning_even_if_strict() -> None:
    query = "assignee = nobody"
    assert parsed(query, SITE, "strict") == {
        "query": query,
        "structure": structure(parse(query)),
        "warnings": ["The value 'nobody' does not exist for the field 'assignee'."],
    }


HIDDEN = MemorySite(
    hidden={
        "project": frozenset({"10001"}),
        "issue": frozenset({"2001"}),
        "filter": frozenset({"300"}),
    }
)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("project = 'Winter'", "project = 10001"),
        ("project = 'Autumn'", "project = 'Autumn'"),
        ("project  IN (AUT, win) or  type=Bug", "project  IN (AUT, 10001) or  type=Bug"),
        ("parent = WIN-1 order  by key", "parent = 2001 order  by key"),
        ("filter = 'My bugs' and filter = 300", "filter = 300 and filter = 300"),
        ("key in linkedIssues('WIN-1', blocks)", "key in linkedIssues(2001, blocks)"),
        ("key in linkedIssues(AUT-1)", "key in linkedIssues(AUT-1)"),
        ("project = nowhere and universe = WIN", "project = nowhere and universe = WIN"),
        ("status = Winter", "status = Winter"),
    ],
)
def test_what_a_reader_may_not_see_has_its_id_for_a_name(query: str, expected: str) -> None:
    site = MemorySite()
    reader = MemorySite(hidden=HIDDEN.hidden)
    assert sanitised(query, site, reader) == expected
    assert sanitised(query, site, site) == query


def test_what_is_no_query_is_not_sanitised() -> None:
    with pytest.raises(JqlSyntaxError):
        sanitised("invalid query", SITE, HIDDEN)


@pytest.mark.parametrize(
    ("query", "expected", "known"),
    [
        ("assignee = mia", "assignee = 5f:mia", True),
        ("type=Bug AND reporter in (Mia, bob-2)", "type=Bug AND reporter in (5f:mia, bob-2)", True),
        ("status was Done by mia", "status was Done by 5f:mia", True),
        ("assignee = sam order by created", "assignee = unknown order by created", False),
        ("assignee = currentUser()", "assignee = currentUser()", True),
        ("status = mia", "status = mia", True),
    ],
)
def test_people_get_their_account_ids(query: str, expected: str, known: bool) -> None:
    site = MemorySite()
    assert with_account_ids(query, site, {"mia": "5f:mia"}) == (expected, known)


def test_values_are_offered_with_what_was_typed_in_bold() -> None:
    found = [
        ("ActiveObjects", "ActiveObjects (AO)"),
        ("Atlassian Connect", "Atlassian Connect (AC)"),
        ("Nothing", "Nothing"),
        ("back", "Back to <b>ace"),
    ]
    assert suggestions(found, "ac") == {
        "results": [
            {"value": "ActiveObjects", "displayName": "<b>Ac</b>tiveObjects (AO)"},
            {"value": "Atlassian Connect", "displayName": "Atlassian Connect (<b>AC</b>)"},
            {"value": "back", "displayName": "Back to &lt;b&gt;<b>ac</b>e"},
        ]
    }
    assert suggestions([("a", "a<b")], "") == {"results": [{"value": "a", "displayName": "a&lt;b"}]}


def test_unverified_fifteen_values_are_offered() -> None:
    assert len(suggestions([(str(number), "x") for number in range(40)], "x")["results"]) == 15


def test_unverified_the_rest_of_a_sanitised_query_stays_as_it_was_typed() -> None:
    site = MemorySite()
    reader = MemorySite(hidden=HIDDEN.hidden)
    query = "PROJECT =  win\n&& type = 'Bug'"
    assert sanitised(query, site, reader) == "PROJECT =  10001\n&& type = 'Bug'"
