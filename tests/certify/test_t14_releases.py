"""T14: every variant is reached, each plan tells right from wrong, and each goal is understood."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from itertools import pairwise
from random import Random

import pytest

from episodes.checks import grade
from episodes.families.t14 import words
from episodes.families.t14.checks import ANSWER
from episodes.families.t14.graph import (
    Node,
    blockers,
    draw,
    due_first,
    levels,
    listed,
    wrong_lists,
)
from episodes.families.t14.params import Params, params_of, structural_variants
from episodes.families.t14.reading import (
    Item,
    Listed,
    answer_of,
    fits,
    item_of,
    version_of,
    wanted_of,
)
from episodes.tasks.goals import goals_of
from episodes.tasks.instances import InstanceId
from episodes.tasks.looking_up import SHORT

VARIANTS = structural_variants()
DAY = date(2026, 7, 2)
SLOTS = {"space": "Billing & payments", "version": "R26-05.1", "codename": "Blue Heron"}


def numbered(number: int) -> Params:
    return params_of(InstanceId("T14", 1, "kestrel", "tiny", 1, number))


def goal_of(template: str, params: Params) -> str:
    release = words.RELEASE_WORDS[params.way].format(day=words.day_words(DAY), **SLOTS)
    return template.format(
        release=release,
        closed=words.CLOSED_WORDS[params.closed],
        scope=words.SCOPE_WORDS[params.scope],
        form=words.FORM,
    )


def test_the_instances_reach_all_200_variants_and_neighbours_differ() -> None:
    found = [numbered(number) for number in range(200)]
    assert len(set(VARIANTS)) == 200
    assert set(found) == set(VARIANTS)
    for one, other in pairwise(found):
        assert one.scope != other.scope
        assert one.way != other.way
        assert one.closed != other.closed


@pytest.mark.parametrize("params", VARIANTS, ids=str)
def test_a_plan_is_as_deep_as_it_says_and_short_enough_to_be_looked_at(params: Params) -> None:
    for seed in range(8):
        plan = draw(params, Random(seed))
        away = levels(plan, passes=params.passes)
        right = listed(plan, params)
        assert max(away.values()) == params.depth
        assert len(blockers(plan, passes=params.passes)) <= SHORT
        assert len(right) >= 3
        assert any(plan[place].done for place in away)
        first = due_first(plan, right)
        assert first is not None
        assert away[first] > 1
        assert sum(plan[place].due == plan[first].due for place in right) == 1


@pytest.mark.parametrize("params", VARIANTS, ids=str)
def test_every_wrong_reading_lists_something_else(params: Params) -> None:
    for seed in range(8):
        plan = draw(params, Random(seed))
        right = listed(plan, params)
        wrong = wrong_lists(plan, params)
        always = {
            "closed ones too",
            "chains the other way at closed ones",
            "what only relates",
            "what is blocked",
            "what is blocked as well",
            "the release after it",
            "its own work too",
            "those that are due",
        }
        assert always <= set(wrong)
        assert ("those of any kind" in wrong) is (params.scope != "all")
        assert params.depth > 2 or "two links at most" not in wrong
        assert all(sorted(places) != right for places in wrong.values())


def test_every_plan_has_a_loop_and_what_leads_only_through_a_closed_one() -> None:
    for params in VARIANTS:
        plan = draw(params, Random(params.depth))
        assert _loops(plan)
        only = set(blockers(plan, passes=True)) - set(blockers(plan, passes=False))
        assert only
        assert all(plan[place].role == "behind" for place in only)


def _loops(plan: list[Node]) -> bool:
    for start in range(len(plan)):
        reached, seen = list(plan[start].blocks), set[int]()
        while reached:
            place = reached.pop()
            if place not in seen:
                seen.add(place)
                reached += plan[place].blocks
        if start in seen:
            return True
    return False


def test_what_is_written_next_door_changes_something_there() -> None:
    for params in VARIANTS:
        plan = draw(params, Random(params.depth))
        near = [node for node in plan if node.role == "near"]
        assert not near[0].nobody
        # Another one that only relates is still like those that are listed.
        assert params.scope != "nobody" or near[1].nobody


def test_no_two_work_items_are_called_alike() -> None:
    found = words.titles(Random(4), [place % 2 == 0 for place in range(26)])
    assert len({text.lower() for text in found}) == 26


@pytest.mark.parametrize("params", VARIANTS, ids=str)
def test_every_goal_is_understood(params: Params) -> None:
    templates = [goal["text"] for goal in goals_of(words.__file__)]
    assert len(templates) >= 6
    for template in templates:
        wanted = wanted_of(goal_of(template, params))
        assert wanted.space == SLOTS["space"]
        assert wanted.scope == params.scope
        assert wanted.passes is params.passes
        assert wanted.name == (SLOTS["version"] if params.way == "name" else "")
        assert wanted.planned == (DAY if params.way == "day" else None)
        assert wanted.started == (DAY if params.way == "start" else None)
        assert wanted.called == (SLOTS["codename"] if params.way == "codename" else "")


def test_templates_have_four_levels_and_say_that_nothing_may_change() -> None:
    goals = goals_of(words.__file__)
    assert {goal["level"] for goal in goals} == {"literal", "plain", "indirect", "buried"}
    for goal in goals:
        assert all(slot in goal["text"] for slot in ("{release}", "{closed}", "{scope}", "{form}"))


def test_a_goal_without_a_release_is_refused() -> None:
    with pytest.raises(LookupError, match="no release"):
        wanted_of("Tell me what blocks the release.")


def test_the_release_is_told_from_others_by_each_of_the_ways() -> None:
    own = Listed("5.3.1", DAY, date(2026, 9, 1), "Blue Heron: repairs", False, False)
    later = Listed("5.3.2", date(2026, 7, 9), date(2026, 9, 5), "Grey Heron: more", False, False)
    late = Listed("5.1", date(2025, 7, 9), date(2025, 9, 5), "", False, True)
    shipped = replace(own, name="5.3", released=True)
    every = [late, shipped, later, own]
    template = goals_of(words.__file__)[0]["text"]
    for way in ("start", "next", "codename"):
        wanted = wanted_of(goal_of(template, Params(2, "all", way, "ends")))
        assert version_of(wanted, every) == "5.3.1"
    planned = replace(wanted_of(goal_of(template, VARIANTS[0])), name="", planned=own.release)
    assert version_of(planned, every) == "5.3.1"
    with pytest.raises(LookupError, match="0 versions"):
        version_of(planned, [later])


def test_a_work_item_is_read_off_the_search_and_told_by_each_scope() -> None:
    def linked(key: str, category: str) -> dict[str, object]:
        return {"key": key, "fields": {"status": {"statusCategory": {"key": category}}}}

    blocks = {"inward": "is blocked by", "outward": "blocks"}
    relates = {"inward": "relates to", "outward": "relates to"}
    found = item_of(
        {
            "key": "STU-9",
            "fields": {
                "project": {"name": "Kestrel Studio"},
                "issuetype": {"name": "Bug"},
                "assignee": None,
                "status": {"statusCategory": {"key": "new"}},
                "duedate": None,
                "issuelinks": [
                    {"type": blocks, "inwardIssue": linked("STU-1", "done")},
                    {"type": blocks, "outwardIssue": linked("STU-2", "new")},
                    {"type": relates, "inwardIssue": linked("STU-3", "new")},
                    {"type": blocks, "inwardIssue": linked("CLD-4", "new")},
                ],
            },
        }
    )
    assert found.blockers == (("STU-1", True), ("CLD-4", False))
    wanted = wanted_of(goal_of(goals_of(words.__file__)[0]["text"], VARIANTS[0]))
    for scope in ("all", "elsewhere", "nobody", "bugs", "untouched"):
        assert fits(replace(wanted, scope=scope), found)
    other = replace(found, space=wanted.space, bug=False, nobody=False, category="indeterminate")
    for scope in ("elsewhere", "nobody", "bugs", "untouched"):
        assert not fits(replace(wanted, scope=scope), other)


def test_the_answer_is_a_set_and_the_one_that_is_due_first() -> None:
    def item(key: str, due: str) -> Item:
        return Item(key, "Kestrel Studio", False, False, "new", due, ())

    right = answer_of([item("STU-2", "2026-09-03"), item("CLD-7", ""), item("STU-1", "2026-09-01")])
    assert right == {"blockers": ["CLD-7", "STU-1", "STU-2"], "first": "STU-1"}
    assert grade(ANSWER, right, {"blockers": ["stu-2", "CLD-7", "STU-1"], "first": "STU-1"}) == 1.0
    assert grade(ANSWER, right, {"blockers": ["STU-1"], "first": "STU-1"}) == 0.5
    assert grade(ANSWER, right, {**right, "first": ["STU-1", "STU-2"]}) == 0.5
    assert grade(ANSWER, right, [right]) == 0.0
    assert answer_of([])["first"] == ""
