"""Business hours: counting time in them and adding time to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

WEEK_MINUTES = 7 * 24 * 60
HORIZON_DAYS = 3660
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Span:
    """Time in which it is open; `begins` and `ends` are `start` and `end` in UTC.

    Moments in one zone are compared and subtracted much faster than moments in two.
    """

    start: datetime
    end: datetime
    begins: datetime
    ends: datetime
    seconds: float

    @classmethod
    def of(cls, start: datetime, end: datetime) -> Span:
        """Return the span between two moments of the plan's zone."""
        seconds = (end - start).total_seconds()
        return cls(start, end, start.astimezone(UTC), end.astimezone(UTC), seconds)


@dataclass(frozen=True)
class Hours:
    """A weekly plan in a time zone: spans of minutes since Sunday 00:00, less the holidays."""

    zone: ZoneInfo
    spans: tuple[tuple[int, int], ...]
    holidays: tuple[tuple[date, date], ...]

    @classmethod
    def parse(
        cls,
        time_zone: str,
        intervals: Sequence[Mapping[str, Any]],
        holidays: Sequence[Mapping[str, Any]],
    ) -> Hours:
        """Return the plan of a schedule's stored form."""
        spans = sorted((int(item["start_time"]), int(item["end_time"])) for item in intervals)
        days = [
            (date.fromisoformat(item["start_date"]), date.fromisoformat(item["end_date"]))
            for item in holidays
        ]
        return cls(ZoneInfo(time_zone), tuple(spans), tuple(days))

    def is_open(self, moment: datetime) -> bool:
        """Tell whether a moment lies in business hours."""
        for span in self._spans_from(moment):
            return span.begins <= moment < span.ends
        return False

    def seconds_between(self, since: datetime, until: datetime) -> int:
        """Return the seconds of business time between two moments."""
        total = 0.0
        for span in self._spans_from(since):
            begins, ends = span.begins, span.ends
            if begins >= until:
                break
            if since <= begins and ends <= until:
                total += span.seconds
            else:
                total += (min(ends, until) - max(begins, since)).total_seconds()
        return int(total)

    def add(self, since: datetime, seconds: int) -> datetime | None:
        """Return when `seconds` of business time after `since` are up, None if never."""
        left = float(seconds)
        for span in self._spans_from(since):
            begin = max(span.start, since)
            room = (span.end - begin).total_seconds()
            if left <= room:
                return begin + timedelta(seconds=left)
            left -= room
        return None

    def _spans_from(self, moment: datetime) -> Iterator[Span]:
        """Yield the open spans that end after `moment`, for at most ten years."""
        local = moment.astimezone(self.zone)
        # A span may reach past midnight, so the walk starts a day early.
        day = local.date() - DAY
        for _ in range(HORIZON_DAYS if self.spans else 0):
            spans = self._days.get(day)
            if spans is None:
                spans = self._days[day] = self._spans_of(day)
            for span in spans:
                if span.ends > moment:
                    yield span
            day += DAY

    @cached_property
    def _days(self) -> dict[date, tuple[Span, ...]]:
        """The open spans of the days that were asked for, each found once."""
        return {}

    def _spans_of(self, day: date) -> tuple[Span, ...]:
        """Return the open spans that begin on a day."""
        if any(start <= day <= end for start, end in self.holidays):
            return ()
        day_start = (day.isoweekday() % 7) * 24 * 60
        return tuple(
            Span.of(self._at(day, start - day_start), self._at(day, end - day_start))
            for start, end in self.spans
            if day_start <= start < day_start + 24 * 60
        )

    def _at(self, day: date, minutes: int) -> datetime:
        midnight = datetime(day.year, day.month, day.day)  # noqa: DTZ001 - the zone follows
        return (midnight + timedelta(minutes=minutes)).replace(tzinfo=self.zone)
