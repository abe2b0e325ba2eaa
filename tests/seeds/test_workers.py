"""Parts of a build made by other processes are what they would have been here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial

import pytest

from clones.core.journal import content_digest, store_digest
from seeds import workers
from seeds.draw import Draws
from seeds.kestrel import build
from seeds.temporary import temporary_world
from seeds.workers import side_by_side


def squares(first: int, count: int) -> Iterator[int]:
    for number in range(first, first + count):
        yield number * number


def who(count: int) -> Iterator[int]:
    for _ in range(count):
        yield os.getpid()


def ends(here: int, at: int) -> Iterator[int]:
    """Yield some numbers; a process other than `here` ends in their midst."""
    for number in range(6):
        if number == at and os.getpid() != here:
            os._exit(7)
        yield number


def fails(here: int) -> Iterator[int]:
    yield 0
    if os.getpid() != here:
        raise MemoryError("too little for two")
    yield 1


@pytest.mark.parametrize("apart", [False, True])
def test_each_part_gives_what_it_makes_in_its_order(apart: bool) -> None:
    parts = [partial(squares, first, 500) for first in (0, 10_000, 20_000)]
    with side_by_side(parts, apart=apart) as found:
        made = [list(items) for items in found]
    assert made == [list(part()) for part in parts]


def test_parts_are_made_by_processes_that_are_gone_at_the_end() -> None:
    with side_by_side([partial(who, 3), partial(who, 10**9)], apart=True) as found:
        first, second = set(found[0]), {next(found[1])}
    assert len(first) == 1
    assert not (first | second) & {os.getpid()}
    for process in first | second:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


@pytest.mark.parametrize("at", [0, 3])
def test_what_a_lost_process_left_undone_is_done_here(
    at: int, caplog: pytest.LogCaptureFixture
) -> None:
    with side_by_side([partial(ends, os.getpid(), at)], apart=True) as (items,):
        assert list(items) == list(range(6))
    assert "is lost (it ended early)" in caplog.text


def test_a_process_says_why_it_failed(caplog: pytest.LogCaptureFixture) -> None:
    with side_by_side([partial(fails, os.getpid())], apart=True) as (items,):
        assert list(items) == [0, 1]
    assert "MemoryError: too little for two" in caplog.text


def test_a_process_that_makes_nothing_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    here = os.getpid()

    def stuck() -> Iterator[int]:
        while os.getpid() != here:
            pass
        yield 1

    monkeypatch.setattr(workers, "PATIENCE", 50)
    with side_by_side([stuck], apart=True) as (items,):
        assert list(items) == [1]
    assert "it made nothing" in caplog.text


def test_where_no_process_can_be_made_the_log_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse() -> int:
        raise BlockingIOError("too many processes")

    monkeypatch.setattr(os, "fork", refuse)
    with side_by_side([partial(who, 1), partial(squares, 3, 2)], apart=True) as found:
        assert [list(items) for items in found] == [[os.getpid()], [9, 16]]
    assert caplog.text.count("too many processes") == 2


def test_a_world_is_the_same_however_many_write_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made = []
    for cores in (1, 3):
        monkeypatch.setattr(build, "SHARED_FROM", 1)
        monkeypatch.setattr(build, "cores", lambda cores=cores: cores)
        with temporary_world("kestrel", "tiny", 11) as report:
            made.append((content_digest(), store_digest(), report))
    first, second = made
    assert first == second
    assert caplog.text.count("there is one core") == 1
    assert "lost" not in caplog.text


def test_shares_hold_whole_people_and_weigh_about_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "SHARED_FROM", 1)
    monkeypatch.setattr(build, "cores", lambda: 2)
    tickets = build.tell(Draws("kestrel|1|tiny"), "train", "tiny").tickets
    share = build.shares(tickets)
    assert sorted(t.number for mine in share for t in mine) == [t.number for t in tickets]
    one, other = ({ticket.person for ticket in mine} for mine in share)
    assert not one & other
    weights = [sum(len(ticket.steps) for ticket in mine) for mine in share]
    assert max(weights) < 1.2 * min(weights)
