"""Long jobs: work that goes on after its request was answered, done by a timer that is due at once.

A clone keeps a row for each in a table of its own, where its vendor's clients read how it goes: the
words for that, progress, messages and results are the vendor's. Who does which kind of work, the
timer of a row, and that one refusal stops no other part of the work are the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from typing import Any, Generic, TypeVar

from django.db import transaction

from clones.core import clock, jobs

Worker = TypeVar("Worker")
Key = TypeVar("Key", int, str)
Part = TypeVar("Part")
Made = TypeVar("Made")
Refusal = TypeVar("Refusal", bound=Exception)


class LongJobs(Generic[Worker, Key]):
    """A clone's long jobs: who does the work of each kind, and the timers of the rows.

    Args:
        timer: the kind of their timers, which begins their keys too.
        name: under which name a timer's payload has its row's id.
        longest: how long the name of a kind may be: as its column is.
    """

    def __init__(self, timer: str, *, name: str, longest: int) -> None:
        self._timer = timer
        self._name = name
        self._longest = longest
        self._workers: dict[str, Worker] = {}

    def does(self, kind: str) -> Callable[[Worker], Worker]:
        """Register who does the work of a kind.

        Raises:
            ValueError: the kind is taken, or too long for its column.
        """

        def register(worker: Worker) -> Worker:
            if kind in self._workers:
                raise ValueError(f"long jobs of kind {kind} are registered twice")
            if len(kind) > self._longest:
                raise ValueError(f"long jobs of kind {kind}: at most {self._longest} characters")
            self._workers[kind] = worker
            return worker

        return register

    def worker(self, kind: str) -> Worker:
        """Return who does the work of a kind.

        Raises:
            KeyError: nobody does.
        """
        return self._workers[kind]

    def runs(self, run: Callable[[Key], None]) -> Callable[[Key], None]:
        """Register what is called with a row's id when its time has come."""

        def handle(payload: dict[str, Any]) -> None:
            run(payload[self._name])

        jobs.handles(self._timer)(handle)
        return run

    def set_off(self, key: Key, *, after: timedelta = timedelta()) -> None:
        """Have a row's work done as soon as the clock runs what is due, or some time `after`."""
        due = clock.now() + after
        jobs.enqueue(self._timer, due=due, payload={self._name: key}, key=self._key_of(key))

    def call_off(self, key: Key) -> bool:
        """Let a row's work not be done; tell whether it had not begun."""
        return jobs.cancel(self._key_of(key)) > 0

    def _key_of(self, key: Key) -> str:
        return f"{self._timer}:{key}"


def one_by_one(
    parts: Iterable[Part], do: Callable[[Part], Made], refusal: type[Refusal]
) -> Iterator[tuple[Part, Made | Refusal]]:
    """Do each part of a work in a savepoint of its own; yield it with what was made of it.

    A part that is refused is undone and comes with its refusal; the others are done all the same.
    """
    for part in parts:
        made: Made | Refusal
        try:
            with transaction.atomic():
                made = do(part)
        except refusal as error:
            made = error
        yield part, made
