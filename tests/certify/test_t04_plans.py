"""T04: its variants, the plans that are drawn, and texts as written and as read. No sandbox."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from itertools import combinations, pairwise
from random import Random

import pytest

from episodes.families.t04 import words
from episodes.families.t04.drawing import (
    Absence,
    days_here,
    deal,
    items_of,
    left_of,
    room_of,
    working_day,
)
from episodes.families.t04.params import Params, params_of, structural_variants
from episodes.families.t04.planning import ENOUGH, Item, best_plans, greedy_plan
from episodes.families.t04.reading import absences_of, guide_of, named_in, space_in, told_in
from episodes.families.t04.reading import room_of as room_read
from episodes.tasks.goals import goals_of
from episodes.tasks.instances import InstanceId
from episodes.tasks.tracker_acts import document, text_of

RATES = [("Casey McQuade", 1.0), ("Aniela Król", 0.5), ("Bo Ek", 1.0)]
MONDAY = date(2026, 7, 6)


def numbered(number: int) -> Params:
    return params_of(InstanceId("T04", 1, "kestrel", "tiny", 1, number))


SOME = [numbered(number) for number in range(12)]


def test_the_instances_reach_all_1200_variants_and_neighbours_differ() -> None:
    found = [numbered(number) for number in range(1200)]
    assert len(set(structural_variants())) == 1200
    assert set(found) == set(structural_variants())
    for one, other in pairwise(found):
        assert (one.table, one.away, one.blocked) != (other.table, other.away, other.blocked)


def overfull(items: list[Item[str]], names: frozenset[str], room: dict[str, float]) -> bool:
    """Tell whether a choice of work is more than somebody can take."""
    load: dict[str, float] = {}
    for item in items:
        if item.name in names:
            load[item.who] = load.get(item.who, 0) + item.points
    return any(points > room.get(who, 0) for who, points in load.items())


def torn(items: list[Item[str]], names: frozenset[str]) -> bool:
    """Tell whether a choice of work leaves out something that blocks a part of it."""
    return any(item.needs - names for item in items if item.name in names)


def worths(items: list[Item[str]], room: dict[str, float]) -> list[int]:
    """Return what every plan that may be is worth, the most first, the slow way."""
    found = []
    for size in range(len(items) + 1):
        for chosen in combinations(items, size):
            names = frozenset(item.name for item in chosen)
            if not torn(items, names) and not overfull(items, names, room):
                found.append(sum(item.worth for item in chosen))
    return sorted(found, reverse=True)


@pytest.mark.parametrize("seed", range(8))
def test_the_best_plans_are_those_of_all_plans(seed: int) -> None:
    chance = Random(seed)
    names = "abcdefgh"
    items = [
        Item(
            name,
            chance.choice("XYZ"),
            chance.randrange(1, 9),
            chance.randrange(1, 20),
            frozenset(chance.sample(names, 1)) - {name} if chance.random() < 0.3 else frozenset(),
        )
        for name in names
    ]
    room: dict[str, float] = {"X": 8, "Y": 6.5}
    found = best_plans(items, room, 3)
    assert [plan.worth for plan in found] == worths(items, room)[: len(found)]
    for plan in found:
        assert not torn(items, plan.names)
        assert not overfull(items, plan.names, room)


def test_what_open_work_blocks_that_nobody_plans_is_in_no_plan() -> None:
    items = [Item("a", "X", 1, 9, frozenset("b")), Item("b", "X", 1, 1, frozenset("?"))]
    assert best_plans(items, {"X": 5})[0].names == frozenset()


@pytest.mark.parametrize("params", SOME, ids=str)
def test_every_deal_has_one_good_plan_and_no_shortcut_to_it(params: Params) -> None:
    found = deal(params, Random(7))
    items, room = items_of(params, found), room_of(params, found, found.absences)
    left = left_of(found, room)
    best, second = best_plans(items, left)
    assert second.worth < ENOUGH * best.worth
    assert greedy_plan(items, left, lambda item: -item.worth).worth < ENOUGH * best.worth
    careless = best_plans(items, left_of(found, room_of(params, found, ())), 1)[0]
    heedless = best_plans([replace(item, needs=frozenset()) for item in items], left, 1)[0]
    assert min(careless.worth, heedless.worth) > best.worth
    assert len(found.held) == params.held
    assert (found.shut is not None) == (params.blocked in ("outside", "running"))


def test_a_weekend_is_nobodys_absence() -> None:
    friday_to_monday = (Absence(0, 4, 7),)
    assert days_here(2, friday_to_monday, 0) == 8
    assert days_here(2, friday_to_monday, 1) == 10
    assert days_here(2, (Absence(0, -9, -3),), 0) == 10
    assert [working_day(place) for place in (0, 4, 5, 9, 10)] == [0, 4, 7, 11, 14]


@pytest.mark.parametrize("params", SOME, ids=str)
def test_the_guide_that_is_written_is_the_guide_that_is_read(params: Params) -> None:
    in_text = params.place == "description"
    worth = params.worth() if in_text else params.before()
    texts = [words.guide_text("next-up", worth, RATES, "Cloud Sync")]
    if not in_text:
        texts.append(f"{words.REPLACED}\n\n{words.worth_lines(params.worth())}")
    guide = guide_of([text_of(document(text)) for text in texts])
    assert guide.label == "next-up"
    assert guide.worth == params.worth()
    assert guide.rates == dict(RATES)
    assert params.worth() != params.before()


def test_a_guide_without_rules_is_refused() -> None:
    with pytest.raises(LookupError, match="no rules"):
        guide_of(["Plan well.", "Yes."])


@pytest.mark.parametrize("template", words.AWAY)
def test_absences_count_on_the_days_of_the_sprint_unless_taken_back(template: str) -> None:
    days = {"first": words.day_text(date(2026, 7, 3)), "last": words.day_text(date(2026, 7, 7))}
    gone = template.format(name="Casey McQuade", **days)
    back = words.HERE.format(name="Casey McQuade", **days)
    guide = guide_of([words.guide_text("sized", SOME[0].worth(), RATES, "Cloud Sync")])
    last = date(2026, 7, 17)
    names = [name for name, _ in RATES]
    away = absences_of([words.LISTED, gone], names)
    assert [one.name for one in away] == ["Casey McQuade"]
    assert room_read(guide, away, MONDAY, last) == {
        "Casey McQuade": 8.0,
        "Aniela Król": 5.0,
        "Bo Ek": 10.0,
    }
    assert absences_of([gone, back], names) == []


def test_a_goal_tells_points_and_keys_however_it_is_put() -> None:
    assert told_in(words.goal_text(23, ["CLD-1", "CLD-20", "CLD-3"])) == (
        {23.0},
        {"CLD-1", "CLD-20", "CLD-3"},
    )
    assert told_in("We take 12.5 story points: CLD-1 first.") == ({12.5}, {"CLD-1"})
    assert told_in("12 points or 13 points") == ({12.0, 13.0}, set())
    assert told_in("Make it work") == (set(), set())


def test_every_goal_names_the_sprint_and_the_space() -> None:
    for goal in goals_of(words.__file__):
        text = goal["text"].format(sprint="Beacon 3", space="Cloud Sync")
        assert named_in(text, ["Beacon 2", "Beacon 3", "Becon 3"]) == "Beacon 3"
        assert space_in(text, ["Cloud", "Cloud Sync", "Desktop"]) == "Cloud Sync"


def test_the_goals_have_four_levels() -> None:
    levels = [goal["level"] for goal in goals_of(words.__file__)]
    assert len(levels) >= 6
    assert set(levels) == {"literal", "plain", "indirect", "buried"}
