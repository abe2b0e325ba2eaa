"""T08: every variant is reached, and what guides and comments say is read as it was meant."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from random import Random

import pytest

from episodes.families.t08 import words
from episodes.families.t08.params import NAMES, Params, params_of, structural_variants
from episodes.families.t08.reading import guide_of, likest, resolution_of, value_of
from episodes.tasks.instances import InstanceId
from episodes.tasks.tracker_obligations import walked

TODAY = date(2026, 6, 16)
NAMED, DEPUTY = "Casey McQuade", "Aniela Król"


def numbered(number: int) -> Params:
    return params_of(InstanceId("T08", 1, "kestrel", "tiny", 1, number))


def test_the_instances_reach_all_96_variants_and_neighbours_differ() -> None:
    found = [numbered(number) for number in range(96)]
    assert len(set(structural_variants())) == 96
    assert set(found) == set(structural_variants())
    for one, other in pairwise(found):
        assert (one.approval, one.asked) != (other.approval, other.asked)


def test_every_guide_is_read_as_it_was_meant() -> None:
    for number, params in enumerate(structural_variants()):
        text = words.guide_text(params, NAMED, Random(number))
        guide = guide_of(text, [], TODAY)
        assert guide.field == NAMES[params.asked]
        assert list(guide.steps)[-len(params.path) :] == params.path
        assert guide.approver == (NAMED if params.approved else None)


@pytest.mark.parametrize(("since", "approver"), [(5, DEPUTY), (60, NAMED), (-3, NAMED)])
def test_somebody_stands_in_for_who_is_away_and_only_then(since: int, approver: str) -> None:
    params = next(one for one in structural_variants() if one.approval == "deputy")
    first = TODAY - timedelta(days=since)
    note = words.away_text(first, first + timedelta(days=18), DEPUTY)
    assert guide_of(words.guide_text(params, NAMED, Random(1)), [note], TODAY).approver == approver


@pytest.mark.parametrize(
    ("asked", "said", "values"),
    [
        ("fixVersions", ("5.2", "5.3.1"), ("5.2", "5.3.1")),
        ("fixVersions", ("R26-05", "2026.4"), ("R26-05", "2026.4")),
        ("customfield_10026", ("3", "13"), (3.0, 13.0)),
        ("duedate", ("3 July 2026", "26 June 2026"), ("2026-07-03", "2026-06-26")),
    ],
)
def test_what_was_agreed_last_counts(
    asked: str, said: tuple[str, str], values: tuple[str | float, str | float]
) -> None:
    for first in words.FIRST[asked]:  # type: ignore[index]
        assert value_of(NAMES[asked], [first.format(value=said[0])]) == values[0]  # type: ignore[index]
        for later in words.LATER[asked]:  # type: ignore[index]
            texts = [first.format(value=said[0]), later.format(value=said[1]), "It is in."]
            assert value_of(NAMES[asked], texts) == values[1]  # type: ignore[index]


def test_what_was_decided_is_told_from_what_is_in() -> None:
    for end, texts in words.READY.items():
        for text in texts:
            assert resolution_of(["It goes into 5.3.", text]) == end


def test_a_goal_means_the_work_and_not_what_is_much_like_it() -> None:
    for topic in words.TOPICS:
        for goal in (f'Close "{topic.summary}".', f"See to {topic.described}, please."):
            assert likest(goal, [topic.twin, topic.summary]) == 1, topic.summary


def test_a_path_is_walked_step_by_step_and_a_leap_is_no_step() -> None:
    path = ["To Do", "In Progress", "In Review", "Done"]
    assert walked(path, path) == 3
    assert walked(path, []) == 0
    assert walked(path, ["To Do", "Done"]) == 0
    assert walked(path, ["To Do", "In Progress", "Done"]) == 1
    assert walked(path, ["To Do", "Done", "To Do", "In Progress", "In Review", "Done"]) == 3
    assert walked(path, ["To Do", "In Progress", "In Review", "In Progress", "In Review"]) == 2
