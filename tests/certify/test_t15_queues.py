"""T15: every variant is reached, and guides, notes and questions are read as they were meant."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from random import Random

import pytest

from episodes.families.t15 import words
from episodes.families.t15.kinds import NEEDS, SLAS
from episodes.families.t15.params import Params, params_of, structural_variants
from episodes.families.t15.reading import (
    GUIDE,
    again_from,
    asked_in,
    deputy_of,
    guide_of,
    message_of,
    need_of,
    working_days_in,
)
from episodes.families.t15.solve import approved, declined
from episodes.families.t15.timing import APART, LEAST, NEWEST, is_told_apart, lefts
from episodes.tasks.instances import InstanceId
from episodes.tasks.telling import names_code

TODAY = date(2026, 6, 16)
BUYER, DEPUTY = "Casey McQuade", "Aniela Król"


def numbered(number: int) -> Params:
    return params_of(InstanceId("T15", 1, "kestrel", "tiny", 1, number))


def test_the_instances_reach_all_160_variants_and_neighbours_differ() -> None:
    found = [numbered(number) for number in range(160)]
    assert len(set(structural_variants())) == 160
    assert set(found) == set(structural_variants())
    for one, other in pairwise(found):
        assert (one.need, one.approver, one.decision) != (
            other.need,
            other.approver,
            other.decision,
        )


def test_every_guide_is_read_as_it_was_meant() -> None:
    for number, promise in enumerate(SLAS * 4):
        text = words.guide_text(promise, words.DAYS[number % 6], BUYER, Random(number))
        guide = guide_of(text)
        assert guide.promise == promise
        assert (guide.days, guide.buyer) == (words.DAYS[number % 6], BUYER)
    for title in words.GUIDES:
        assert GUIDE.match(title.format(space="IT service desk"))


def test_a_guide_of_former_days_is_none() -> None:
    with pytest.raises(LookupError):
        guide_of(words.old_guide_text(9, BUYER))


@pytest.mark.parametrize(("since", "deputy"), [(5, DEPUTY), (60, None), (-3, None)])
def test_somebody_stands_in_for_who_is_away_and_only_then(since: int, deputy: str | None) -> None:
    first = TODAY - timedelta(days=since)
    note = words.away_text(first, first + timedelta(days=18), DEPUTY)
    assert deputy_of([note], TODAY) == deputy
    assert deputy_of([], TODAY) is None


def test_every_note_says_what_its_customer_is_told_and_not_more() -> None:
    chance = Random(5)
    for topic in words.READY:
        for tell in topic.tells:
            note = words.note_text(topic, tell, "PO-41207", chance)
            message = message_of(["Hello.", note])
            assert message == topic.message.format(tell=tell)
            assert names_code(message, tell)
            assert "PO-" not in message
            assert asked_in([message]) == frozenset()
    assert message_of(["We are on it."]) is None


def test_messages_of_two_topics_are_told_apart() -> None:
    for topic in words.READY:
        for tell in topic.tells:
            others = {each for one in words.READY for each in one.tells if each != tell}
            assert not any(names_code(topic.message.format(tell=tell), other) for other in others)


def test_every_request_lacks_what_its_area_needs_and_its_question_asks_for_just_that() -> None:
    assert set(words.LACKING) == set(words.QUESTIONS) == set(words.AREAS) == set(NEEDS)
    for need, topics in words.LACKING.items():
        for topic in topics:
            assert need_of(topic.text) == need
            assert message_of([topic.text]) is None
        assert asked_in([words.QUESTIONS[need]]) == {need}
    assert asked_in(words.QUESTIONS.values()) == set(NEEDS)


@pytest.mark.parametrize(
    ("text", "need"),
    [
        ("Could you give us the asset number, please?", "asset tag"),
        ("What is its inventory tag?", "asset tag"),
        ("Which floors are affected?", "floor"),
        ("Please tell us the client version.", "version"),
        ("Whose folder is it, who owns it?", "owner"),
        ("Please name the cost center.", "cost centre"),
    ],
)
def test_a_question_is_heard_in_other_words(text: str, need: str) -> None:
    assert asked_in([text]) == {need}


def test_what_was_decided_is_told_by_days_or_by_a_day() -> None:
    assert working_days_in(approved(9)) == {9}
    assert working_days_in("It takes 4-6 days.") == frozenset()
    assert working_days_in("In 11 business days, not in 4 working days.") == {11, 4}
    day = date(2026, 9, 3)
    for number in range(8):
        text = words.decision_text("declined", day, Random(number))
        assert again_from(["We have it here.", text]) == "3 September 2026"
        assert not working_days_in(text)
    assert again_from([declined("3 September 2026")]) == "3 September 2026"
    with pytest.raises(LookupError):
        again_from([words.decision_text("approved", day, Random(1))])


def test_what_is_left_grows_by_more_than_a_step_takes() -> None:
    for number in range(50):
        found = lefts(4, late=number % 2 == 1, chance=Random(number))
        assert (found[0] < 0) is (number % 2 == 1)
        assert min(left for left in found if left > 0) >= LEAST > 2 * NEWEST
        assert all(other - one > APART / 2 for one, other in pairwise(found))


def test_an_order_is_told_apart_from_those_of_coming_and_of_priority() -> None:
    day = datetime(2026, 6, 15, 9, 0, tzinfo=UTC)
    hours = [day, day + timedelta(hours=3), day + timedelta(hours=1)]
    assert is_told_apart(hours, ["High", "Highest", "Medium"])
    assert not is_told_apart(sorted(hours), ["High", "Highest", "Medium"])
    assert not is_told_apart(hours, ["High", "High", "Medium"])
