"""Each operator with each field: those that the recorded site has are taken, all others refused."""

from __future__ import annotations

from typing import Any, Final

import pytest

from clones.tracker.rules.jql import MessageKind, parse, plan_query
from clones.tracker.rules.jql.words import quoted
from tests.tracker.rules.jql.memory import MemorySite
from tests.tracker.rules.jql.test_catalogue import SITE
from tests.tracker.rules.jql.test_vectors import FACTS

PLAIN: Final = MemorySite()
OPERATORS: Final = {
    "=": "= x", "!=": "!= x", "~": "~ x", "!~": "!~ x", "<": "< x", "<=": "<= x", ">": "> x",
    ">=": ">= x", "in": "in (x)", "not in": "not in (x)", "is": "is empty",
    "is not": "is not empty", "was": "was x", "was not": "was not x", "was in": "was in (x)",
    "was not in": "was not in (x)", "changed": "changed",
}  # fmt: skip


def sentences(query: str, site: MemorySite, kind: MessageKind) -> list[str]:
    """Return the sentences of a kind on a query that can be read."""
    return [one.text for one in plan_query(parse(query), site).messages if one.kind is kind]


def test_all_operators_of_the_record_are_tried() -> None:
    found = {name for fact in FACTS["fields"].values() for name in fact["operators"]}
    assert found == set(OPERATORS)


@pytest.mark.parametrize("operator", OPERATORS)
def test_a_field_takes_the_operators_that_it_has(operator: str) -> None:
    """What the record does not give to a field is refused in the service's sentence."""
    taken = 0
    for name, fact in FACTS["fields"].items():
        if name.endswith(".property"):
            continue  # asked by the path of a value, below
        field = name if name.startswith("cf[") else quoted(name)
        told = sentences(f"{field} {OPERATORS[operator]}", SITE, MessageKind.OPERATOR)
        if operator in fact["operators"]:
            assert told == [], (name, told)
            taken += 1
        else:
            (sentence,) = told
            text = f"The operator '{operator}' is not supported by the '"
            assert sentence.startswith(text), (name, sentence)
            assert sentence.endswith("' field."), (name, sentence)
    assert taken > 0


@pytest.mark.parametrize("operator", OPERATORS)
def test_a_field_that_is_not_there_is_refused_with_every_operator(operator: str) -> None:
    """Also where the query is letters alone, which only what is no query may be."""
    for name in ("nosuch", "cf[99999]", "issue.property[a].b"):
        messages: Any = plan_query(parse(f"{name} {OPERATORS[operator]}"), PLAIN).messages
        if name.startswith("issue.property"):
            supported = operator in FACTS["fields"]["issue.property"]["operators"]
            kinds = {one.kind for one in messages}
            assert (MessageKind.OPERATOR in kinds) == (not supported), operator
        else:
            assert messages[0].kind is MessageKind.FIELD, (name, operator)
