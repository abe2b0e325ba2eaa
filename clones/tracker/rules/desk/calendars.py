"""Calendars of promises: counting time while a desk works, and adding time to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

WEEKDAYS: Final = (
    "MONDAY",
    "TUESDAY",
    "WEDNESDAY",
    "THURSDAY",
    "FRIDAY",
    "SATURDAY",
    "SUNDAY",
)
_HORIZON_DAYS: Final = 3660
_DAY: Final = timedelta(days=1)
_MILLISECOND: Final = timedelta(milliseconds=1)


@dataclass(frozen=True)
class WorkingTime:
    """When a desk works: spans of minutes since midnight by weekday (0: Monday), less holidays.

    `days_off` are dates; `yearly_off` (month, day) that come every year.
    """

    zone: ZoneInfo
    spans: tuple[tuple[tuple[int, int], ...], ...]
    days_off: frozenset[date] = frozenset()
    yearly_off: frozenset[tuple[int, int]] = frozenset()

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
        spans = tuple(_spans_of_day(hours.get(name, ())) for name in WEEKDAYS)
        once = [day for day in holidays if not day.get("recurring")]
        yearly = [date.fromisoformat(day["date"]) for day in holidays if day.get("recurring")]
        return cls(
            ZoneInfo(time_zone),
            spans,
            frozenset(date.fromisoformat(day["date"]) for day in once),
            frozenset((day.month, day.day) for day in yearly),
        )

    def is_open(self, moment: datetime) -> bool:
        """Tell whether work is done at a moment."""
        for start, _ in self._spans_from(moment):
            return start <= moment
        return False

    def milliseconds_between(self, since: datetime, until: datetime) -> int:
        """Return the working time between two moments, 0 if the second is not later."""
        total = timedelta(0)
        for start, end in self._spans_from(since):
            if start >= until:
                break
            total += min(end, until) - max(start, since)
        return total // _MILLISECOND

    def add(self, since: datetime, milliseconds: int) -> datetime | None:
        """Return when so much working time after `since` is over, None if it never is."""
        left = timedelta(milliseconds=milliseconds)
        for start, end in self._spans_from(since):
            begin = max(start, since)
            if left <= end - begin:
                return begin + left
            left -= end - begin
        return None

    def subtract(self, until: datetime, milliseconds: int) -> datetime | None:
        """Return the last moment since which so much working time is over, None if none is."""
        left = timedelta(milliseconds=milliseconds)
        for start, end in self._spans_before(until):
            last = min(end, until)
            if left <= last - start:
                return last - left
            left -= last - start
        return None

    def _spans_from(self, moment: datetime) -> Iterator[tuple[datetime, datetime]]:
        """Yield the spans that end after `moment`, for at most ten years, in UTC.

        UTC, since the difference of two times of one zone leaves out the change of its clocks.
        """
        first = moment.astimezone(self.zone).date() - _DAY
        for span in self._spans(first + _DAY * number for number in range(_HORIZON_DAYS)):
            if span[1] > moment:
                yield span

    def _spans_before(self, moment: datetime) -> Iterator[tuple[datetime, datetime]]:
        """Yield the spans that begin before `moment`, the last first; otherwise as those after."""
        last = moment.astimezone(self.zone).date() + _DAY
        for span in self._spans((last - _DAY * number for number in range(_HORIZON_DAYS)), -1):
            if span[0] < moment:
                yield span

    def _spans(
        self, days: Iterable[date], step: Literal[1, -1] = 1
    ) -> Iterator[tuple[datetime, datetime]]:
        """Yield the spans of days, those of a day from its first or its last."""
        if not any(self.spans):
            return
        for day in days:
            spans = self._days.get(day)
            if spans is None:
                spans = self._days[day] = self._spans_on(day)
            yield from spans[::step]

    @cached_property
    def _days(self) -> dict[date, tuple[tuple[datetime, datetime], ...]]:
        """The spans of the days that were asked for, each found once."""
        return {}

    def _spans_on(self, day: date) -> tuple[tuple[datetime, datetime], ...]:
        if day in self.days_off or (day.month, day.day) in self.yearly_off:
            return ()
        spans = (
            (self._moment(day, start), self._moment(day, end))
            for start, end in self.spans[day.weekday()]
        )
        # An hour that the clocks leave out is no working time.
        return tuple(span for span in spans if span[0] < span[1])

    def _moment(self, day: date, minutes: int) -> datetime:
        local = datetime(day.year, day.month, day.day, tzinfo=self.zone)
        return (local + timedelta(minutes=minutes)).astimezone(UTC)


class AllTime:
    """The calendar of desks that never close."""

    def is_open(self, moment: datetime) -> bool:
        """Tell whether work is done: it always is."""
        return True

    def milliseconds_between(self, since: datetime, until: datetime) -> int:
        """Return the time between two moments, 0 if the second is not later."""
        return max(timedelta(0), until - since) // _MILLISECOND

    def add(self, since: datetime, milliseconds: int) -> datetime | None:
        """Return when so much time after `since` is over."""
        return since + timedelta(milliseconds=milliseconds)

    def subtract(self, until: datetime, milliseconds: int) -> datetime | None:
        """Return since when so much time is over at `until`."""
        return until - timedelta(milliseconds=milliseconds)


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
