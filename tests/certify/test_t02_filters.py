"""T02's requests: every variant is reached, read as it was meant, and drawn to its edges."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from episodes.families.t02 import words
from episodes.families.t02.arrange import CATEGORY, condition
from episodes.families.t02.drawing import PRIORITIES, TYPES, Drawer, Land, shape
from episodes.families.t02.params import Params, params_of, structural_variants
from episodes.families.t02.reading import belongs, holds, skill
from episodes.families.t02.request import NotUnderstood, read_request
from episodes.tasks.instances import InstanceId

NOW = datetime(2026, 6, 16, 14, tzinfo=UTC)
LABELS = ("regression", "performance", "docs", "support")
LAND = Land(
    spaces={
        "STU": {"components": ["1", "2"], "planned": ["9"], "types": list(TYPES)},
        "OPS": {"components": ["3", "4"], "planned": [], "types": ["Bug", "Task"]},
        "PAY": {"components": ["5"], "planned": ["8"], "types": list(TYPES)},
    },
    priorities={name: str(at) for at, name in enumerate(PRIORITIES)},
    types={name: str(20 + at) for at, name in enumerate(TYPES)},
    statuses={"To Do": "30", "In Progress": "31", "Done": "32"},
    sprint="77",
    people=("p1", "p2", "p3", "p4"),
    labels=LABELS,
)
SHARES = {
    "everyone": ("loggedin", ""),
    "group": ("group", "jira-users"),
    "space": ("space", "Kestrel Studio"),
}


def wish_of(params: Params, chance: Random) -> dict[str, Any]:
    """Return a wish without a world behind it."""
    days = chance.choice((10, 14, 20, 30))
    state = condition("all", "resolution", "blank", [], [], state="unresolved")
    if params.state != "unresolved":
        test, values = CATEGORY[params.state]
        state = condition("all", "category", test, list(values), [], state=params.state)
    name = "In Progress" if params.state in ("todo", "done") else "Done"
    second = {
        "was": condition("all", "status", "was", [LAND.statuses[name]], [name]),
        "handed": condition("all", "assignee", "was", ["p1"], ["Zoë O'Brien-Łukasz"]),
        "nobody": condition("all", "assignee", "blank", [], []),
        "planned": condition("all", "unreleased", "filled", [], []),
        "repriced": condition("all", "priority", "changed", [], [str(days)], days=days),
        "due": condition("all", "due", "due", [], [str(days)], days=days),
    }[params.second]
    high = ["High", "Highest"]
    either = {
        "marked": [
            condition("any", "labels", "some_of", list(LABELS[:2]), list(LABELS[:2])),
            condition("any", "priority", "one_of", ["3", "4"], high),
        ],
        "fresh": [
            condition("any", "created", "since", [], [str(days)], days=days),
            condition("any", "type", "one_of", [LAND.types["Bug"]], ["Bug"]),
        ],
        "sprint": [
            condition("any", "sprints", "filled", [], []),
            condition("any", "components", "some_of", ["1"], ["Account & licensing"]),
        ],
        "bare": [
            condition("any", "components", "blank", [], []),
            condition("any", "labels", "blank", [], []),
        ],
    }[params.either]
    chance.shuffle(either)
    spaces = condition("all", "space", "one_of", ["STU", "OPS"], ["Kestrel Studio", "Platform"])
    return {
        "name": words.filter_name(chance, "Kestrel Studio"),
        "conditions": [spaces, state, second, *either],
        "share_name": SHARES[params.sharing][1],
    }


@pytest.mark.parametrize("flat", [False, True])
def test_every_variant_is_read_as_it_was_meant(flat: bool) -> None:
    for number, params in enumerate(structural_variants()):
        chance = Random(number)
        wish = wish_of(params, chance)
        text = words.request(wish, params.sharing, chance)
        found = read_request(" ".join(text.split()) if flat else text)
        assert found.name == wish["name"]
        assert found.share == SHARES[params.sharing]
        assert (len(found.every), len(found.some)) == (3, 2)
        assert (" was " in found.jql) is (params.second in ("was", "handed"))
        assert ("priority changed after" in found.jql) is (params.second == "repriced")
        assert ("unreleasedVersions()" in found.jql) is (params.second == "planned")
        assert ("openSprints()" in found.jql) is (params.either == "sprint")


def test_every_variant_is_reached() -> None:
    instances = [InstanceId("T02", 1, "kestrel", "tiny", 1, number) for number in range(360)]
    assert len(structural_variants()) == 360
    assert len({params_of(each) for each in instances}) == 360


def test_what_is_no_request_is_not_understood() -> None:
    with pytest.raises(NotUnderstood):
        read_request("Could you call me back?")


def test_what_is_drawn_lies_on_both_sides_of_each_edge() -> None:
    for number, params in enumerate(structural_variants()[::23]):
        chance = Random(number)
        conditions = wish_of(params, chance)["conditions"]
        plans = Drawer(conditions, LAND, NOW, UTC).around(chance, 40)
        rows = [shape(plan, LAND, NOW, UTC) for plan in plans]
        assert len(rows) == 40
        assert 15 <= sum(belongs(conditions, row, NOW, UTC) for row in rows) <= 25
        verdicts = [[holds(each, row, NOW, UTC) for each in conditions] for row in rows]
        for place in range(3):
            alone = [one for one in verdicts if not one[place] and sum(one[:3]) == 2]
            assert any(any(one[3:]) for one in alone), (params, place)
        assert [True, True, True, True, False] in verdicts
        assert [True, True, True, False, True] in verdicts
        assert [True, True, True, False, False] in verdicts


def test_a_week_later_other_work_items_belong() -> None:
    for number, params in enumerate(structural_variants()[::7]):
        if params.second not in ("repriced", "due") and params.either != "fresh":
            continue
        chance = Random(number)
        conditions = wish_of(params, chance)["conditions"]
        drawer = Drawer(conditions, LAND, NOW, UTC)
        rows = [shape(plan, LAND, NOW, UTC) for _ in range(3) for plan in drawer.around(chance, 40)]
        later = NOW + timedelta(days=7)
        assert any(
            belongs(conditions, row, NOW, UTC) is not belongs(conditions, row, later, UTC)
            for row in rows
        ), params


def test_skill_is_nothing_for_all_and_for_none() -> None:
    assert skill([(True, True), (False, True)]) == 0.0
    assert skill([(True, False), (False, False)]) == 0.0
    assert skill([(True, True), (False, False)]) == 1.0
