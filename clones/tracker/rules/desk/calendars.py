"""Calendars of SLAs: when a desk works, as its admins set it, counted in milliseconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from clones.core.calendars import AlwaysOpen, BusinessHours, OpenTime

WEEKDAYS: Final = (
    "MONDAY",
    "TUESDAY",
    "WEDNESDAY",
    "THURSDAY",
    "FRIDAY",
    "SATURDAY",
    "SUNDAY",
)
_MILLISECOND: Final = timedelta(milliseconds=1)


class _Milliseconds(OpenTime):
    """Counts working time in milliseconds, as the vendor's API does."""

    def milliseconds_between(self, since: datetime, until: datetime) -> int:
        """Return the working time between two moments, 0 if the second is not later."""
        return self.open_time(since, until) // _MILLISECOND

    def add(self, since: datetime, milliseconds: int) -> datetime | None:
        """Return when so much working time after `since` is over, None if it never is."""
        return self.open_time_ends(since, milliseconds * _MILLISECOND)

    def subtract(self, until: datetime, milliseconds: int) -> datetime | None:
        """Return the last moment since which so much working time is over, None if none is."""
        return self.open_time_began(until, milliseconds * _MILLISECOND)


class AllTime(AlwaysOpen, _Milliseconds):
    """The calendar of desks that never close."""


class WorkingTime(BusinessHours, _Milliseconds):
    """When a desk works."""

    @classmethod
    def parse(
        cls,
        time_zone: str,
        hours: Mapping[str, Sequence[Sequence[str]]],
        holidays: Sequence[Mapping[str, Any]],
    ) -> WorkingTime:
        """Return the times of a calendar's stored form.

        Raises:
            ValueError: an hour or a date is none, or a span ends before it begins.
        """
        week = tuple(_spans_of_day(hours.get(name, ())) for name in WEEKDAYS)
        once = [date.fromisoformat(day["date"]) for day in holidays if not day.get("recurring")]
        yearly = [date.fromisoformat(day["date"]) for day in holidays if day.get("recurring")]
        return cls(
            ZoneInfo(time_zone),
            week,
            tuple((day, day) for day in once),
            frozenset((day.month, day.day) for day in yearly),
        )


Calendar = WorkingTime | AllTime


def _spans_of_day(texts: Sequence[Sequence[str]]) -> tuple[tuple[int, int], ...]:
    spans = sorted((_minutes(start), _minutes(end)) for start, end in texts)
    if any(start >= end for start, end in spans):
        raise ValueError("a span of working time ends before it begins")
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def _minutes(text: str) -> int:
    hours, _, minutes = text.partition(":")
    found = int(hours) * 60 + int(minutes)
    if not 0 <= found <= 24 * 60:
        raise ValueError(f"{text!r} is no time of a day")
    return found
