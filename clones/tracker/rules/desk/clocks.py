"""The clock of one SLA for one request: it runs, rests, stops, and is missed.

Times are aware, lengths are milliseconds. What was counted stays counted: pauses, other goals and
other calendars only change what comes after.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from clones.tracker.rules.desk.calendars import AllTime, Calendar


@dataclass(frozen=True, slots=True)
class Clock:
    """A run of an SLA: `elapsed` is what counted until `counted_at`."""

    started_at: datetime
    counted_at: datetime
    goal: int | None
    calendar: Calendar
    elapsed: int = 0
    paused_at: datetime | None = None
    stopped_at: datetime | None = None

    @property
    def runs(self) -> bool:
        """Whether time counts."""
        return self.paused_at is None and self.stopped_at is None

    def elapsed_at(self, moment: datetime) -> int:
        """Return what has counted until a moment."""
        if not self.runs:
            return self.elapsed
        return self.elapsed + self.calendar.milliseconds_between(self.counted_at, moment)

    def remaining_at(self, moment: datetime) -> int | None:
        """Return what is left at a moment, negative once the goal is missed; None without one."""
        return None if self.goal is None else self.goal - self.elapsed_at(moment)

    def is_breached_at(self, moment: datetime) -> bool:
        """Tell whether the goal is used up."""
        return self.goal is not None and self.elapsed_at(moment) >= self.goal

    def breaks_at(self) -> datetime | None:
        """Return when the goal is (or was) used up; None if it never is, or while it rests."""
        if self.goal is None or self.paused_at is not None:
            return None
        return self.calendar.add(self.counted_at, max(0, self.goal - self.elapsed))

    def counted(self, moment: datetime) -> Clock:
        """Return the clock with all time until a moment counted."""
        if self.stopped_at is not None:
            return self
        return replace(self, elapsed=self.elapsed_at(moment), counted_at=moment)

    def paused(self, moment: datetime) -> Clock:
        """Return the clock at rest from a moment on; one that does not run stays as it is."""
        return replace(self.counted(moment), paused_at=moment) if self.runs else self

    def resumed(self, moment: datetime) -> Clock:
        """Return the clock running again from a moment on."""
        if self.paused_at is None or self.stopped_at is not None:
            return self
        return replace(self, paused_at=None, counted_at=moment)

    def stopped(self, moment: datetime) -> Clock:
        """Return the clock ended at a moment."""
        if self.stopped_at is not None:
            return self
        return replace(self.counted(moment), stopped_at=moment, paused_at=None)

    def aimed(self, moment: datetime, goal: int | None, calendar: Calendar) -> Clock:
        """Return the clock with another goal and calendar from a moment on."""
        return replace(self.counted(moment), goal=goal, calendar=calendar)


Act = Literal["start", "stop", "pause", "resume"]


@dataclass(frozen=True, slots=True)
class Terms:
    """When an SLA's clock starts, rests and stops: words of `conditions`."""

    start: Collection[str]
    pause: Collection[str]
    stop: Collection[str]


def acts(
    terms: Terms, ongoing: Clock | None, *, happened: frozenset[str], state: frozenset[str]
) -> list[Act]:
    """Return what is to be done with an SLA's clock, in order.

    A moment that both stops and starts only stops: the vendor's own clocks never do both.

    Args:
        terms: of the SLA.
        ongoing: its clock that has not stopped, if there is one.
        happened: what happened at this moment.
        state: what the request is in after it.
    """
    found: list[Act] = []
    begins = ongoing is None and bool(happened.intersection(terms.start))
    if happened.intersection(terms.stop):
        return ["stop"] if ongoing is not None else []
    if begins:
        found.append("start")
    elif ongoing is None:
        return []
    rests = bool(state.intersection(terms.pause))
    was_paused = ongoing is not None and ongoing.paused_at is not None
    if rests and not was_paused:
        found.append("pause")
    elif was_paused and not rests:
        found.append("resume")
    return found


def fresh(moment: datetime, goal: int | None, calendar: Calendar | None) -> Clock:
    """Return a clock that starts at a moment; without a calendar all time counts."""
    return Clock(moment, moment, goal, calendar or AllTime())
