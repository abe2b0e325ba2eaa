"""How a value went over time: what a history tells, read backwards from the present."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

V = TypeVar("V")
W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class Course(Generic[V]):
    """A value and what it became: `steps` are in the order of time, each with the value from then.

    Of several steps at one moment the last counts.
    """

    first: V
    steps: tuple[tuple[datetime, V], ...] = ()

    def at(self, moment: datetime) -> V:
        """Return the value at a moment, what changed in that very moment included."""
        return self._after(bisect_right(self.steps, moment, key=_moment))

    def before(self, moment: datetime) -> V:
        """Return the value right before a moment."""
        return self._after(bisect_left(self.steps, moment, key=_moment))

    def _after(self, steps: int) -> V:
        return self.steps[steps - 1][1] if steps else self.first

    @property
    def moments(self) -> Iterable[datetime]:
        """When it may have changed."""
        return (at for at, _ in self.steps)


def _moment(step: tuple[datetime, object]) -> datetime:
    return step[0]


def course_of(present: V, changes: Iterable[tuple[datetime, V, V]]) -> Course[V]:
    """Return the course of a value.

    Args:
        present: what it is now; it was that always if nothing tells of a change.
        changes: when, from what, to what; in the order of time.
    """
    told = list(changes)
    if not told:
        return Course(present)
    return Course(told[0][1], tuple((at, new) for at, _, new in told))
