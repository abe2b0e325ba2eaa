"""T01: every variant is reached, and every goal is understood as it was meant."""

from __future__ import annotations

import re
from datetime import date
from itertools import pairwise

from episodes.families.t01 import words
from episodes.families.t01.params import FACTS, WAYS, Params, params_of, structural_variants
from episodes.families.t01.reading import build_in, likest, minutes_of, wanted_of
from episodes.tasks.goals import goals_of
from episodes.tasks.instances import InstanceId

SLOTS = {
    "space": "Kestrel Cloud",
    "code": "KX4711A",
    "reporter": "Aniela Król",
    "day": "3 April 2026",
    "component": "Account & licensing",
    "former": "STU-17",
    "zone": "New York",
    "page_zone": "London",
}


def numbered(number: int) -> Params:
    return params_of(InstanceId("T01", 1, "kestrel", "tiny", 1, number))


def test_the_instances_reach_all_40_variants_and_neighbours_differ() -> None:
    found = [numbered(number) for number in range(40)]
    assert len(set(structural_variants())) == 40
    assert set(found) == set(structural_variants())
    for one, other in pairwise(found):
        assert one.fact != other.fact
        assert one.way != other.way


def test_every_goal_is_understood() -> None:
    templates = [goal["text"] for goal in goals_of(words.__file__)]
    assert len(templates) >= 6
    topic = words.TOPICS[0]
    for template in templates:
        for way in WAYS:
            for fact in FACTS:
                for question in words.QUESTIONS[fact]:
                    issue = words.WAY_WORDS[way].format(topic=topic.described, **SLOTS)
                    form = words.FORMS[fact].format(**SLOTS)
                    goal = template.format(issue=issue, question=question, form=form)
                    wanted = wanted_of(goal)
                    assert wanted.fact == fact, goal
                    assert (wanted.who == SLOTS["reporter"]) is (way in {"day", "component"})
                    assert (wanted.topic == topic.described) is (way == "symptom")
                    if fact in {"taken", "done"}:
                        assert wanted.zone == "America/New_York"
                        assert wanted.page == "Europe/London"


def test_queries_name_what_the_goal_names() -> None:
    queries = {}
    for way in WAYS:
        issue = words.WAY_WORDS[way].format(topic=words.TOPICS[0].described, **SLOTS)
        queries[way] = wanted_of(f"Tell me how much time was logged on it: {issue}.").jql
    assert queries["code"] == 'text ~ "KX4711A"'
    assert queries["former"] == "key = STU-17"
    assert 'component = "Account & licensing"' in queries["component"]
    assert 'created >= "2026-04-02" AND created < "2026-04-05"' in queries["day"]
    assert 'summary ~ "thumbnails"' in queries["symptom"]


def test_the_described_one_is_told_from_its_twin_and_from_what_repeats_it() -> None:
    for topic in words.TOPICS:
        summaries = [topic.twin, topic.again, topic.summary]
        assert likest(topic.described, summaries) == 2
        found = re.findall(r"[a-z]+", topic.described)
        assert any(len(word) > 4 and word in topic.summary.lower() for word in found)


def test_builds_and_times_are_read_as_they_are_written() -> None:
    said = [words.SEEN.format(build="5.0.10003"), words.CORRECTED.format(build="5.0.10008")]
    assert build_in(said) == "5.0.10008"
    assert minutes_of("1d 2h 5m") == 605
    assert minutes_of("1w") == 2400
    assert words.day_words(date(2026, 4, 3)) == "3 April 2026"
