"""Gaps in sequences: planted numbers fit their time, and are others from one draw to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random

import pytest

from clones.core import clock, counters, gaps, ids
from clones.core.models import IdSequence, Message
from clones.core.randomness import seeded
from clones.core.tenancy import SandboxRow, unit_of_work
from tests.conftest import PRESENT, bind

SEQUENCE = "core.message.serial"


@pytest.fixture(autouse=True)
def bound(empty_sandbox: SandboxRow) -> Iterator[None]:
    """Bind an empty sandbox for writing."""
    with bind(empty_sandbox), unit_of_work("write"):
        yield


def chance_of(name: str) -> Callable[[str], Random]:
    """Return the generators of a planting."""
    return lambda purpose: seeded(f"{name}|{purpose}")


def message(number: int, at: datetime) -> Message:
    """Write a row of a number and a time."""
    return Message.objects.create(
        id=number, direction="out", clone="helpdesk", sent_at=at, sender="a", recipients=[]
    )


def numbers_in_turn(numbers: list[int]) -> None:
    """Write rows of these numbers, an hour apart, the last an hour before the present."""
    IdSequence.objects.create(name=SEQUENCE, last=max(numbers))
    for place, number in enumerate(numbers):
        message(number, PRESENT - timedelta(hours=len(numbers) - place))


def planted(name: str, at: datetime) -> int:
    """Return the number that a planting gives a row of a time."""
    with gaps.left_between(chance_of(name)), clock.at(at):
        return ids.next_serial(Message, dated_by="sent_at")


def test_a_number_is_drawn_among_those_between_its_neighbours_in_time() -> None:
    numbers_in_turn([1, 2, 3, 20, 21])
    between = PRESENT - timedelta(hours=2, minutes=30)
    found = {planted(f"instance {count}", between) for count in range(40)}
    assert found <= set(range(4, 20))
    assert len(found) > 8


def test_where_few_are_free_between_it_is_one_of_the_nearest() -> None:
    numbers_in_turn([1, 8, 9, 10, 20, 21])
    between = PRESENT - timedelta(hours=3, minutes=30)  # 9 and 10 are its neighbours
    found = {planted(f"instance {count}", between) for count in range(60)}
    assert found <= {*range(2, 8), *range(11, 20)}
    assert len(found) > gaps.FEW


def test_the_newest_comes_after_all_and_gaps_are_left_between() -> None:
    numbers_in_turn([1, 2, 3])
    given = []
    with gaps.left_between(chance_of("instance")):
        for minutes in range(50, 10, -1):
            with clock.at(PRESENT - timedelta(minutes=minutes)):
                given.append(ids.next_serial(Message, dated_by="sent_at"))
                message(given[-1], clock.now())
    assert given == sorted(set(given))
    assert given[0] > 3
    steps = {after - before for before, after in pairwise(given)}
    assert 1 in steps
    assert max(steps) > 1
    assert max(steps) <= gaps.LONGEST + 1
    assert counters.take(SEQUENCE) == given[-1] + 1


def test_nothing_is_below_the_number_with_which_the_vendor_begins() -> None:
    IdSequence.objects.create(name=SEQUENCE, last=10_020)
    message(10_020, PRESENT - timedelta(days=1))
    early = PRESENT - timedelta(days=400)
    for count in range(20):
        with gaps.left_between(chance_of(str(count))), clock.at(early):
            number = ids.next_serial(Message, dated_by="sent_at", first=10_000)
        assert 10_000 <= number < 10_020
    with clock.at(early):
        assert ids.next_serial(Message, dated_by="sent_at", first=10_000) == 10_000


def test_no_free_number_is_said_so() -> None:
    numbers_in_turn(list(range(1, 6)))
    with pytest.raises(ids.NoFreeId):
        planted("instance", PRESENT - timedelta(hours=2, minutes=30))


def test_a_planting_draws_the_same_each_time_and_nothing_outside_of_it() -> None:
    numbers_in_turn([1, 2, 3, 20, 21])
    between = PRESENT - timedelta(hours=2, minutes=30)
    assert planted("one", between) == planted("one", between)
    with clock.at(between):
        assert ids.next_serial(Message, dated_by="sent_at") == 4
    assert gaps.drawn_for(SEQUENCE) is None


def test_sequences_are_passed_over_whether_they_have_begun_or_not() -> None:
    IdSequence.objects.create(name=SEQUENCE, last=7)
    gaps.pass_over_serials({SEQUENCE: 50, "core.other.serial": 50}, chance_of("instance"))
    assert 7 <= (counters.last(SEQUENCE) or 0) <= 57
    assert 0 <= (counters.last("core.other.serial") or 0) <= 50
    gaps.pass_over_serials({"core.third.serial": 50}, chance_of("instance"), only_begun=True)
    assert counters.last("core.third.serial") is None
    found = set()
    for count in range(20):
        IdSequence.objects.filter(name=SEQUENCE).update(last=7)
        gaps.pass_over_serials({SEQUENCE: 50}, chance_of(str(count)))
        found.add(counters.last(SEQUENCE))
    assert len(found) > 8


def test_codes_ulids_and_uuids_are_others_after_they_were_passed_over() -> None:
    def given() -> list[str]:
        return [
            ids.next_code("m_", Message),
            ids.next_ulid(Message)[10:],
            ids.next_uuid(Message),
        ]

    first = given()
    again = []
    for name in ("one", "other"):
        IdSequence.objects.update(last=0)
        gaps.pass_over_codes(chance_of(name))
        again.append(given())
    assert len({*first, *again[0], *again[1]}) == 9
