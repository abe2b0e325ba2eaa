"""Conditions of forms: which fields show, and which must be filled."""

from __future__ import annotations

from typing import Any

import pytest

from clones.helpdesk.rules.form_conditions import meets, required_ids, shown_ids

FIELDS = (1, 2, 3, 4)


def rule(parent: int, value: Any, *children: int, required: bool = False) -> dict[str, Any]:
    fields = [{"id": child, "is_required": required} for child in children]
    return {"parent_field_id": parent, "value": value, "child_fields": fields}


CHAIN = [rule(2, True, 3, required=True), rule(1, "a", 2), rule(1, "b", 2, required=True)]


@pytest.mark.parametrize(
    ("values", "shown", "required"),
    [
        ({}, {1, 4}, set()),
        ({1: "a"}, {1, 2, 4}, set()),
        ({1: "b"}, {1, 2, 4}, {2}),
        ({1: "a", 2: "true"}, {1, 2, 3, 4}, {3}),
        ({1: "a", 2: True}, {1, 2, 3, 4}, {3}),
        ({1: "c", 2: "true"}, {1, 4}, set()),
    ],
)
def test_a_child_shows_while_its_parent_shows_and_holds_the_value(
    values: dict[int, Any], shown: set[int], required: set[int]
) -> None:
    assert shown_ids(FIELDS, CHAIN, values) == shown
    assert required_ids(FIELDS, CHAIN, values) == required


def test_fields_that_need_each_other_stay_hidden() -> None:
    assert shown_ids((1, 2), [rule(1, "a", 2), rule(2, "b", 1)], {1: "a", 2: "b"}) == set()


@pytest.mark.parametrize(
    ("value", "wanted", "met"),
    [
        (["a", "b"], "a", True),
        (["b"], "a", False),
        (None, "", True),
        ("", None, True),
        ("x", None, False),
        ("", False, True),
        ("true", False, False),
        (False, False, True),
        ("7", 7, True),
    ],
)
def test_values_meet_what_a_condition_wants(value: Any, wanted: Any, met: bool) -> None:
    assert meets(value, wanted) is met
