"""T10's requests: every variant is reached, and read as it was meant."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from episodes.families.t02.arrange import condition
from episodes.families.t10 import words
from episodes.families.t10.params import Params, params_of, structural_variants
from episodes.families.t10.request import NotUnderstood, read_request
from episodes.tasks.instances import InstanceId

QUICK = [
    {
        "name": "Hot",
        "conditions": [condition("all", "priority", "one_of", ["3"], ["High", "Highest"])],
    },
    {
        "name": "Look here",
        "conditions": [
            condition("all", "assignee", "blank", [], []),
            condition("any", "labels", "some_of", ["ux"], ["ux", "docs"]),
            condition("any", "created", "since", [], ["14"], days=14),
        ],
    },
]


def wish_of(params: Params) -> dict[str, Any]:
    """Return a wish without a world behind it."""
    return {
        "board_name": "Kestrel Studio Flow",
        "columns": [
            {"name": name, "statuses": list(held), "minimum": least, "maximum": most}
            for name, held, least, most in params.columns
        ],
        "quick": QUICK,
        "lanes": params.lanes,
    }


@pytest.mark.parametrize("flat", [False, True])
def test_every_variant_is_read_as_it_was_meant(flat: bool) -> None:
    for number, params in enumerate(structural_variants()):
        text = words.request(wish_of(params), Random(number))
        found = read_request(" ".join(text.split()) if flat else text)
        assert (found.board, found.lanes) == ("Kestrel Studio Flow", params.lanes)
        assert [(one.name, one.statuses) for one in found.columns] == [
            (name, held) for name, held, _, _ in params.columns
        ]
        assert [(one.minimum, one.maximum) for one in found.columns] == [
            ("" if least is None else str(least), "" if most is None else str(most))
            for _, _, least, most in params.columns
        ]
        assert [(one.name, one.jql) for one in found.quick] == [
            ("Hot", "priority in (High, Highest)"),
            (
                "Look here",
                'assignee is EMPTY AND (labels in ("ux", "docs") OR created >= "-14d")',
            ),
        ]


def test_every_variant_is_reached() -> None:
    instances = [InstanceId("T10", 1, "kestrel", "tiny", 1, number) for number in range(220)]
    assert len(structural_variants()) == 220
    assert len({params_of(each) for each in instances}) == 220


def test_what_is_no_request_is_not_understood() -> None:
    with pytest.raises(NotUnderstood):
        read_request("Could you call me back?")
