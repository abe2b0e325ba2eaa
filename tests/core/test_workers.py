"""What other processes make is what would have been made here."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from clones.core import workers
from clones.core.workers import side_by_side, spread


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


class Left:
    """Says in a file which process tidied it away."""

    def __init__(self, said: Path) -> None:
        self.said = said
        self.itself = self

    def __del__(self) -> None:
        with self.said.open("a") as file:
            file.write(f"{os.getpid()}\n")


def test_a_process_tidies_nothing_away_that_was_there_before(tmp_path: Path) -> None:
    """A connection that is garbage would be closed, and what it had written folded in."""
    said = tmp_path / "said"
    said.touch()
    gc.collect()

    def collects() -> Iterator[int]:
        Left(said)
        yield gc.collect()

    gc.disable()
    try:
        Left(said)
        with side_by_side([collects], apart=True) as (items,):
            (found,) = items
    finally:
        gc.enable()
    assert found >= 1
    (process,) = said.read_text().split()
    assert process != str(os.getpid())
    gc.collect()
    assert said.read_text().split() == [process, str(os.getpid())]


def test_items_are_worked_on_by_all_and_what_comes_is_in_their_order() -> None:
    made = spread(slow_square, range(400), helpers=2)
    assert [square for square, _ in made] == [number * number for number in range(400)]
    who_did = {process for _, process in made}
    assert len(who_did) == 3
    assert os.getpid() in who_did
    for process in who_did - {os.getpid()}:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def slow_square(number: int) -> tuple[int, int]:
    for _ in range(10_000):
        pass
    return number * number, os.getpid()


def test_without_items_or_helpers_no_process_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a process began"))
    assert spread(slow_square, iter(()), helpers=3) == []
    assert spread(slow_square, [3], helpers=0) == [(9, os.getpid())]


def test_items_longer_than_a_pipe_holds_come_whole() -> None:
    items = [bytes([number]) * (300_000 if number % 3 else 0) for number in range(60)]
    assert spread(reversed_bytes, items, helpers=1) == items


def reversed_bytes(item: bytes) -> bytes:
    return item[::-1]


def exits(here: int, number: int) -> int:
    if os.getpid() != here and number >= 10:
        os._exit(7)
    return slow_square(number)[0]


def refuses(here: int, number: int) -> int:
    if os.getpid() != here:
        raise MemoryError("too little for two")
    return slow_square(number)[0]


def hangs(here: int, number: int) -> int:
    while os.getpid() != here:
        pass
    return number * number


@pytest.mark.parametrize(
    ("work", "why"),
    [(exits, "it ended early"), (refuses, "MemoryError"), (hangs, "it made nothing")],
)
def test_items_of_a_lost_process_are_done_here(
    work: Callable[[int, int], int],
    why: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    if work is hangs:
        monkeypatch.setattr(workers, "PATIENCE", 50)
    made = spread(partial(work, os.getpid()), range(400), helpers=2)
    assert made == [number * number for number in range(400)]
    assert caplog.text.count(f"is lost ({why}") + caplog.text.count("is lost (it failed") == 2
    assert why in caplog.text


def test_an_item_that_cannot_be_handed_over_is_worked_on_here(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    written = os.pwrite

    def short(file: int, data: bytes, place: int) -> int:
        """Write half of it, as on a full disk."""
        return written(file, data[: len(data) // 2], place)

    monkeypatch.setattr(os, "pwrite", short)
    made = spread(slow_square, range(50), helpers=1)
    assert made == [(number * number, os.getpid()) for number in range(50)]
    assert caplog.text.count("no room") == 1


def test_where_no_process_can_help_the_log_says_so_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse() -> int:
        raise BlockingIOError("too many processes")

    monkeypatch.setattr(os, "fork", refuse)
    files = len(list(Path("/proc/self/fd").iterdir()))
    assert spread(slow_square, range(3), helpers=3) == [slow_square(n) for n in range(3)]
    assert caplog.text.count("too many processes") == 1
    assert len(list(Path("/proc/self/fd").iterdir())) == files


def test_what_fails_for_everybody_fails() -> None:
    with pytest.raises(ZeroDivisionError):
        spread(inverse, [4, 2, 1, 0, 1, 2], helpers=1)


def inverse(number: int) -> float:
    return 1 / number
