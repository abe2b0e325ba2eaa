"""Sandboxes of a worker get their turns, whatever one of them sends."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable

import pytest

from clones.config.fair_queue import (
    BEHIND,
    HALF_LIFE,
    IN_HAND,
    SPARE,
    WAITING,
    FairQueue,
    asked_of,
)


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def queue(clock: Clock) -> FairQueue[int]:
    return FairQueue(clock)


def served(queue: FairQueue[int], clock: Clock, seconds: float) -> str:
    """Answer the next item for so long; return whose it was."""
    whose, _ = queue.take()
    clock.now += seconds
    queue.charge(whose, seconds)
    return whose


def taken(queue: FairQueue[int]) -> tuple[str, int]:
    """Answer the next item in no time; return whose it was, and it."""
    whose, number = queue.take()
    queue.charge(whose, 0.0)
    return whose, number


def test_a_sandboxs_own_requests_keep_their_order(queue: FairQueue[int]) -> None:
    for number in range(5):
        queue.put("a", number)
    assert [taken(queue)[1] for _ in range(5)] == list(range(5))


def test_one_that_sends_many_lets_others_go_first(queue: FairQueue[int], clock: Clock) -> None:
    for number in range(100):
        queue.put("crowd", number)
    assert served(queue, clock, 0.1) == "crowd"
    for name in ("a", "b", "c"):
        queue.put(name, 0)
    assert [served(queue, clock, 0.01) for _ in range(4)] == ["a", "b", "c", "crowd"]


def test_equals_are_served_as_they_came(queue: FairQueue[int], clock: Clock) -> None:
    for turn in range(3):
        for name in "abc":
            queue.put(name, turn)
    assert [taken(queue) for _ in range(9)] == [(name, turn) for turn in range(3) for name in "abc"]


MANY = [f"sb-{number}" for number in range(40)]


@pytest.fixture
def overdrawn(clock: Clock) -> FairQueue[int]:
    """A queue with a second thread to take from it, of which one of many has nothing in hand."""
    queue: FairQueue[int] = FairQueue(clock, overflows=True)
    for name in ("heavy", *MANY):
        queue.put(name, 0)
    for _ in range(len(MANY) + 1):
        whose, _ = queue.take()
        queue.charge(whose, 20.0 if whose == "heavy" else 0.0)
    return queue


def waiting_for(take: Callable[[], tuple[str, int]]) -> tuple[threading.Thread, list[str]]:
    """Take an item on a thread of its own; return that, and whose items it has taken."""
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(take()[0]), daemon=True)
    thread.start()
    return thread, found


def test_what_has_used_its_share_is_answered_elsewhere(
    overdrawn: FairQueue[int], clock: Clock
) -> None:
    thread, found = waiting_for(overdrawn.take)
    overdrawn.put("heavy", 1)
    thread.join(timeout=0.3)
    assert found == []  # nobody else waits: it does all the same
    assert overdrawn.take_overdrawn() == ("heavy", 1)
    overdrawn.put("sb-1", 1)
    thread.join(timeout=5)
    assert found == ["sb-1"]


def test_who_asked_a_long_one_is_answered_elsewhere_for_a_while(clock: Clock) -> None:
    queue: FairQueue[int] = FairQueue(clock, overflows=True)
    for name in ("long", *MANY):
        queue.put(name, 0)
    assert served(queue, clock, IN_HAND / SPARE) == "long"  # it has some in hand still
    for name in MANY:
        assert taken(queue)[0] == name
    queue.put("long", 1)
    queue.put(MANY[0], 1)
    assert taken(queue)[0] == MANY[0]
    assert queue.take_overdrawn() == ("long", 1)
    # What took long there, beside others, may be short here.
    queue.charge("long", 0.1, elsewhere=True)
    for _ in range(int(2 * HALF_LIFE)):
        clock.now += 1.0
        for name in MANY:
            queue.put(name, 2)
            assert taken(queue)[0] == name
    queue.put("long", 2)
    assert taken(queue) == ("long", 2)


def test_of_one_sandbox_no_two_are_answered_at_a_time(
    overdrawn: FairQueue[int], clock: Clock
) -> None:
    overdrawn.put("heavy", 1)
    overdrawn.put("heavy", 2)
    assert overdrawn.take_overdrawn() == ("heavy", 1)
    clock.now += BEHIND * len(MANY)  # it has something in hand again
    for name in MANY:
        overdrawn.put(name, 1)
    first, found = waiting_for(overdrawn.take)
    first.join(timeout=5)
    assert found == [MANY[0]]
    overdrawn.charge(MANY[0], 0.0)
    others = [taken(overdrawn)[0] for _ in MANY[1:]]
    assert others == MANY[1:]
    last, found = waiting_for(overdrawn.take)
    last.join(timeout=0.3)
    assert found == []
    overdrawn.charge("heavy", 0.0)
    last.join(timeout=5)
    assert found == ["heavy"]


def test_what_comes_back_is_answered_here_again(overdrawn: FairQueue[int], clock: Clock) -> None:
    """It is no more behind than so, and its part comes back while all ask."""
    overdrawn.put("heavy", 1)
    for _ in range(int(BEHIND * len(MANY))):
        for name in MANY:
            overdrawn.put(name, 2)
            assert taken(overdrawn)[0] == name
        clock.now += 1.0
        if overdrawn._next() == "heavy":
            break
    assert taken(overdrawn) == ("heavy", 1)
    assert clock.now - 100.0 > BEHIND


def test_where_there_is_no_second_thread_all_is_answered_by_the_one(clock: Clock) -> None:
    queue: FairQueue[int] = FairQueue(clock)
    for name in ("heavy", *MANY):
        queue.put(name, 0)
    for _ in range(len(MANY) + 1):
        whose, _ = queue.take()
        queue.charge(whose, 20.0 if whose == "heavy" else 0.0)
    queue.put("heavy", 1)
    queue.put("sb-1", 1)
    assert [taken(queue), taken(queue)] == [("sb-1", 1), ("heavy", 1)]


def test_one_alone_never_waits(queue: FairQueue[int], clock: Clock) -> None:
    for number in range(50):
        queue.put("a", number)
        assert served(queue, clock, IN_HAND) == "a"


def test_so_many_of_one_wait_and_no_more(queue: FairQueue[int]) -> None:
    assert all(queue.put("a", number) for number in range(WAITING))
    assert not queue.put("a", WAITING)
    assert queue.put("b", 0)


def test_few_are_remembered(queue: FairQueue[int], clock: Clock) -> None:
    for number in range(20_000):
        queue.put(str(number), number)
        whose, _ = queue.take()
        queue.charge(whose, 0.001)
        clock.now += 0.01
    assert len(queue._shares) < 5_000
    assert len(queue._asked) < 2_000


SECRET = "abcdefghij" + "t" + "0" * 8 + "A" * 21
BASIC = "Basic " + base64.b64encode(f"a@b/token:{SECRET}".encode()).decode()


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ({"HTTP_HOST": "helpdesk.sb-abcdefghij.localhost:8800"}, "sb-abcdefghij"),
        ({"HTTP_HOST": "TRACKER.SB-ABCDEFGHIJ.localhost"}, "sb-abcdefghij"),
        ({"HTTP_AUTHORIZATION": f"Bearer {SECRET}"}, "sb-abcdefghij"),
        ({"HTTP_AUTHORIZATION": BASIC}, "sb-abcdefghij"),
        ({"PATH_INFO": f"/attachments/token/{SECRET}/"}, "sb-abcdefghij"),
        ({"HTTP_HOST": "127.0.0.1:9001", "HTTP_AUTHORIZATION": "Basic \xff"}, "127.0.0.1:9001"),
        ({}, ""),
    ],
)  # fmt: skip
def test_a_request_is_of_a_sandbox(scope: dict[str, str], expected: str) -> None:
    assert asked_of(scope) == expected
