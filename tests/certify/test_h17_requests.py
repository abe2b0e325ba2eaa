"""H17's requests: every variant is reached, and read as it was meant, whatever the words."""

from __future__ import annotations

from random import Random

import pytest

from clones.helpdesk.api.operations import OPERATIONS
from episodes.families.h17 import words
from episodes.families.h17.arrange import TAGS, _condition
from episodes.families.h17.params import Params, params_of, structural_variants
from episodes.families.h17.reading import NotUnderstood, read_request
from episodes.families.h17.wishes import UNDERSTOOD, Drawer, belongs, skill
from episodes.tasks.instances import InstanceId

GROUPS = ("Support", "Studio & Cloud", "Hardware & Repairs")


def wish_of(params: Params, chance: Random) -> dict[str, object]:
    """Return a wish without a world behind it."""
    group, (first, second) = chance.choice(GROUPS), chance.sample(TAGS, 2)
    seconds = {
        "in_group": ("group", "one_of", ["1"], [group]),
        "other_group": ("group", "none_of", ["1"], [group]),
        "type": ("type", "one_of", ["incident"], ["Incident"]),
        "nobody": ("assignee", "one_of", [""], []),
        "untagged": ("tags", "untagged", [first], [first]),
    }
    pressing = [("VIP", ["true"], []), ("tags", [second], [second])]
    about = [("Category", ["a"], ["Billing::Refund"]), ("Machine", ["b"], ["Merlin 45"])]
    conditions = [
        _condition("all", "status", "one_of", list(UNDERSTOOD[params.state]), [params.state]),
        _condition("all", *seconds[params.second]),
        _condition("any", "priority", "one_of", ["high"], ["High"]),
    ]
    for name, values, said in pressing if params.either == "pressing" else about:
        test = "tagged" if name == "tags" else "one_of"
        conditions.append(_condition("any", name, test, values, said))
    grouped = params.order == "grouped"
    shared = {"everyone": 0, "group": 1, "groups": 2}[params.sharing]
    return {
        "name": words.view_name(chance, group),
        "conditions": conditions,
        "columns": list(params.columns),
        "sort_by": "updated" if grouped else "created",
        "sort_order": "desc" if grouped else "asc",
        "group_by": "priority" if grouped else None,
        "group_order": "asc" if grouped else None,
        "group_names": sorted(GROUPS)[:shared],
    }


def test_every_variant_is_read_as_it_was_meant() -> None:
    titles = {"group": "Group", "type": "Type", "assignee": "Assignee", "tags": "Tags"}
    titles |= {"status": "Status", "priority": "Priority"}
    for number, params in enumerate(structural_variants()):
        chance = Random(number)
        wish = wish_of(params, chance)
        found = read_request(words.request(wish, params.sharing, chance))
        meant = sorted(
            (each["side"], titles.get(each["about"], each["about"]))
            for each in wish["conditions"]  # type: ignore[attr-defined]
        )
        assert sorted((each.side, each.field) for each in found.conditions) == meant
        assert found.name == wish["name"]
        assert sorted(found.groups) == wish["group_names"]
        assert len(found.columns) == len(params.columns)
        assert (found.group_by is not None) is (params.order == "grouped")
        negative = {"other_group": "is_not", "untagged": "not_includes"}.get(params.second, "is")
        second = [each for each in found.conditions if each.side == "all"][1]
        assert second.operator == negative


def test_every_variant_is_reached() -> None:
    instances = [InstanceId("H17", 1, "kestrel", "tiny", 1, number) for number in range(1500)]
    assert len(structural_variants()) == 1500
    assert len({params_of(each) for each in instances}) == 1500


def test_what_is_no_request_is_not_understood() -> None:
    with pytest.raises(NotUnderstood):
        read_request("Could you call me back?")


def test_what_is_drawn_lies_on_both_sides_of_each_edge() -> None:
    for number, params in enumerate(structural_variants()[::37]):
        chance = Random(number)
        conditions = wish_of(params, chance)["conditions"]
        drawer = Drawer(
            conditions,  # type: ignore[arg-type]
            groups=["1", "2"],
            assignees=["7", "8"],
            options={"VIP": ["true", ""], "Category": ["a", "c", ""], "Machine": ["b", ""]},
            tags=list(TAGS),
        )
        rows = drawer.around(chance, 30)
        inside = sum(belongs(conditions, row) for row in rows)  # type: ignore[arg-type]
        assert len(rows) == 30
        assert 12 <= inside <= 18


def test_skill_is_nothing_for_all_and_for_none() -> None:
    assert skill([(True, True), (False, True)]) == 0.0
    assert skill([(True, False), (False, False)]) == 0.0
    assert skill([(True, True), (False, False)]) == 1.0


def test_the_search_for_views_takes_what_to_look_for() -> None:
    search = OPERATIONS.all["SearchViews"]
    assert search.query is not None
    assert "query" in search.query.model_fields
