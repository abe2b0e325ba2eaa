"""The catalogue of fields: it agrees with what queries and values know of the same fields."""

from __future__ import annotations

from clones.tracker.rules.field_catalogue import (
    clause_names,
    custom_number,
    custom_type,
    custom_types,
    system_fields,
)
from clones.tracker.rules.field_kinds.system import SYSTEM
from clones.tracker.rules.jql.catalogue import custom_types as searched_types
from clones.tracker.rules.jql.catalogue import system_fields as searched_fields


def test_queries_know_the_names_of_fields() -> None:
    known = searched_fields()
    for field in system_fields().values():
        if field.is_searched:
            assert all(name.lower() in known for name in field.clauses), field.id
    made = {key for key, kind in custom_types().items() if kind.is_made}
    assert made <= set(searched_types())
    assert len(made) == 21


def test_values_are_of_fields_that_are_there() -> None:
    assert set(SYSTEM) <= set(system_fields())


def test_custom_fields_are_named_by_their_numbers() -> None:
    assert custom_number("customfield_10016") == 10016
    for text in ("customfield_", "customfield_x", "customfield_٣", "summary", "10016"):
        assert custom_number(text) is None
    select = "com.atlassian.jira.plugin.system.customfieldtypes:select"
    assert clause_names(10001, "Team", select) == ["cf[10001]", "Team", "Team[Dropdown]"]
    assert custom_type("an.app:field").schema(7) == {
        "type": "any",
        "custom": "an.app:field",
        "customId": 7,
    }
