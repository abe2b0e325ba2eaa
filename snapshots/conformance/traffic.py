"""Beside readers and writers."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from clones.core.journal import journal
from clones.core.models import Blob, Message
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from snapshots.conformance.fixtures import House


class Traffic:
    """Operations on a sandbox that others use."""

    def test_copies_of_a_busy_sandbox_are_of_one_moment(self, house: House) -> None:
        """Forks, captures and verifications beside writers: all or nothing of each transaction."""
        with house.sandbox() as row, writers(row):
            for number in range(6):
                fork = house.sandboxes.fork(row.id)
                assert_of_one_moment(fork)
                assert house.sandboxes.verify(fork.id).intact
                house.sandboxes.delete(fork.id)
                house.sandboxes.capture(row.id, f"busy{number}")
                kept = house.sandboxes.create(house.library.get(f"busy{number}"))
                assert_of_one_moment(kept)
                house.sandboxes.delete(kept.id)
                house.sandboxes.delete_snapshot(f"busy{number}")
                assert house.sandboxes.verify(row.id).intact
                house.sandboxes.rewind(row.id, "base")

    def test_a_request_is_wholly_before_or_after_a_reset(self, house: House) -> None:
        """As the data plane does it: the generation on arrival, inside, and before answering."""
        with house.sandbox() as row, readers(row) as seen, writers(row):
            for _ in range(100):
                house.sandboxes.reset(row.id)
                time.sleep(0.002)  # for others to get the lock, and something to be undone
        assert not seen.torn, seen.torn[:3]
        assert seen.answered > 50


PAIR = (1, 2)


def assert_of_one_moment(row: SandboxRow) -> None:
    """Check that both rows of the writers' pair say the same."""
    with server().stores.bind(row.store, row.id), unit_of_work("read"):
        first, second = (Message.objects.get(id=number).subject for number in PAIR)
    assert first == second


@contextmanager
def _running(*loops: Callable[[], None]) -> Iterator[None]:
    """Run loops in threads until the block ends; their errors are the block's."""
    stop, failures = threading.Event(), []

    def run(loop: Callable[[], None]) -> None:
        try:
            while not stop.is_set():
                loop()
        except BaseException as error:  # noqa: BLE001 - raised again below
            failures.append(error)
        finally:
            server().registry.close()

    threads = [threading.Thread(target=run, args=(loop,)) for loop in loops]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    if failures:
        raise failures[0]


def _steady(row: SandboxRow) -> SandboxRow | None:
    found = server().registry.get(row.id)
    return None if found.resetting else found


def _is_still(row: SandboxRow) -> bool:
    return server().registry.generation(row.id) == (row.generation, False)


@contextmanager
def writers(row: SandboxRow) -> Iterator[None]:
    """Write the pair again and again, with rows that others do not have."""

    def write() -> None:
        found = _steady(row)
        if found is None:
            return
        with server().stores.bind(found.store, found.id), unit_of_work("write"):
            if not _is_still(found):
                return
            subject = f"generation {found.generation} at {journal().position()}"
            for number in PAIR:
                Message.objects.filter(id=number).update(subject=subject)
            Blob.objects.create(sha256=subject, data=b"x" * 3000)

    with _running(write):
        yield


@dataclass(slots=True)
class Seen:
    """What readers saw: answers given, and those that were wrong."""

    answered: int
    torn: list[str]


@contextmanager
def readers(row: SandboxRow) -> Iterator[Seen]:
    """Read the pair again and again, answering only when the generation held."""
    seen = Seen(0, [])

    def read() -> None:
        found = _steady(row)
        if found is None:
            return
        with server().stores.bind(found.store, found.id), unit_of_work("read"):
            first, second = (Message.objects.get(id=number).subject for number in PAIR)
            if not _is_still(found):
                return
        if not _is_still(found):
            return
        seen.answered += 1
        own = f"generation {found.generation} "
        if first != second or not (first + " ").startswith(("generation", " ")):
            seen.torn.append(f"{first!r} and {second!r}")
        if first and not first.startswith(own):
            seen.torn.append(f"{first!r} in generation {found.generation}")

    with _running(read, read):
        yield seen
