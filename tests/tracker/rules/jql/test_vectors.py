"""Every query that the vendor's own parser must read is read, and every other is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clones.tracker.rules.jql import JqlError, misuses, parse, print_query

FACTS = json.loads(
    (Path(__file__).parents[3] / "facts" / "tracker" / "jql.json").read_text(encoding="utf-8")
)
BEGINNINGS = ("Error in the JQL Query: ", "Error in JQL Query: ", "The ", "Operator '")
# The vendor's server refuses an empty name, where its editor lets it stand.
NAMELESS = "\\ = value"


def vectors(side: str) -> list[tuple[str, str]]:
    topics = FACTS["vectors"].items()
    return [(topic, query) for topic, sides in topics for query in sides[side]]


def refusals(query: str) -> list[str]:
    try:
        return [message.text for message in misuses(parse(query))]
    except JqlError as error:
        return error.texts


def test_there_are_322_of_them() -> None:
    assert len(vectors("valid") + vectors("invalid")) == 322


@pytest.mark.parametrize(("topic", "query"), vectors("valid"))
def test_a_query_that_is_valid_is_read(topic: str, query: str) -> None:
    found = parse(query)
    assert found.where is not None or found.order_by
    if query != NAMELESS:
        assert misuses(found) == []
    assert parse(print_query(found)) == found


@pytest.mark.parametrize(("topic", "query"), vectors("invalid"))
def test_a_query_that_is_not_is_refused(topic: str, query: str) -> None:
    texts = refusals(query)
    assert texts
    assert all(text.startswith(BEGINNINGS) for text in texts)


def test_an_empty_name_is_refused_with_its_place() -> None:
    assert [message.text for message in misuses(parse(NAMELESS))] == [
        "Error in the JQL Query: A field name cannot be empty. (line 1, character 1)"
    ]


def test_what_the_grammar_leaves_to_later_is_about_operands_alone() -> None:
    """The grammar is the server's: it reads what the editor's refuses only in these topics."""
    read = set()
    for topic, query in vectors("invalid"):
        try:
            parse(query)
        except JqlError:
            continue
        read.add(topic)
    assert read == {
        "changed-clause",
        "comparison-clause",
        "equals-clause",
        "in-clause",
        "is-clause",
        "like-clause",
        "was-clause",
        "was-in-clause",
    }
