"""H01: every variant is reached, goals are understood, and only right answers are right."""

from __future__ import annotations

from typing import Any

import pytest

from episodes.certify.playing import started
from episodes.control_plane import ControlPlane
from episodes.families.h01.checks import answer_type
from episodes.families.h01.family import FAMILY
from episodes.families.h01.params import params_of, structural_variants
from episodes.families.h01.reading import likest, wanted_of
from episodes.families.h01.words import FORMS, QUESTIONS, TOPICS, WAY_WORDS
from episodes.tasks.goals import goals_of
from episodes.tasks.instances import InstanceId

SLOTS = {
    "requester": "Ana O'Neil-Smith",
    "firm": "Holz & Glas",
    "colleague": "Édith Schneider",
    "order": "KL-204811",
    "day": "2 May 2026",
    "zone": "New York",
    "page_zone": "London",
    "currency": "EUR",
}


def number(value: int) -> InstanceId:
    return InstanceId("H01", 1, "kestrel", "tiny", 1, value)


def test_every_variant_is_reached() -> None:
    reached = {params_of(number(value)) for value in range(32)}
    assert reached == set(structural_variants())
    assert len(structural_variants()) == 32


@pytest.mark.parametrize("fact", sorted(QUESTIONS))
@pytest.mark.parametrize("way", sorted(WAY_WORDS))
def test_the_oracle_understands_every_goal(fact: Any, way: Any) -> None:
    for template in goals_of(FAMILY.arrange.__code__.co_filename):
        for topic in TOPICS:
            slots = {**SLOTS, "topic": topic.described}
            for question in QUESTIONS[fact]:
                for reference in WAY_WORDS[way]:
                    goal = template["text"].format(
                        ticket=reference.format(**slots),
                        question=question,
                        form=FORMS[fact].format(**slots),
                    )
                    wanted = wanted_of(goal)
                    assert wanted.fact == fact, goal
                    assert wanted.topic == (topic.described if way == "topic" else ""), goal
                    if fact == "opened":
                        assert (wanted.zone, wanted.page) == ("America/New_York", "Europe/London")


def test_a_topic_is_told_from_its_twin() -> None:
    for topic in TOPICS:
        subjects = [f"Re: {topic.twin}", topic.twin, topic.subject, "Something else"]
        assert likest(topic.described, subjects) == 2


def test_goal_templates_are_of_four_levels_and_forbid_changes() -> None:
    templates = goals_of(FAMILY.arrange.__code__.co_filename)
    assert {template["level"] for template in templates} == {
        "literal",
        "plain",
        "indirect",
        "buried",
    }
    assert len(templates) >= 6
    for template in templates:
        text = template["text"].lower()
        assert any(word in text for word in ("change", "edits", "leave", "touch"))


def test_a_right_answer_without_a_look_is_lucky(host: ControlPlane) -> None:
    # Pieces: many values, so the answer counts, and is worth no quality.
    instance = next(number(value) for value in range(32) if _asks(value, "pieces"))
    with started(host, FAMILY, instance) as held:
        held.act("finish", answer=held.ground.arranged.facts["answer"])
        view = held.episode.view()
    assert view.success
    assert view.reward == pytest.approx(0.7)
    assert view.components["lucky"] is True


def test_a_right_answer_that_is_easily_guessed_needs_a_look(host: ControlPlane) -> None:
    instance = next(number(value) for value in range(32) if _asks(value, "assignee"))
    with started(host, FAMILY, instance) as held:
        held.act("finish", answer=held.ground.arranged.facts["answer"])
        view = held.episode.view()
    assert (view.success, view.reward) == (False, 0.0)


def _asks(value: int, fact: str) -> bool:
    return params_of(number(value)).fact == fact


def test_the_type_of_each_answer_is_declared() -> None:
    kinds = {
        fact: answer_type({"fact": fact, "zone": "UTC", "currency": "eur"}).kind
        for fact in QUESTIONS
    }
    assert kinds == {
        "opened": "datetime",
        "first_reply": "duration",
        "visit": "date",
        "quoted": "money",
        "serial": "ref",
        "assignee": "ref",
        "pieces": "int",
        "copied": "set",
    }
