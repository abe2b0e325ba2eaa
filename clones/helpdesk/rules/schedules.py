"""Business hours: counting time in them and adding time to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

WEEK_MINUTES = 7 * 24 * 60
HORIZON_DAYS = 3660
DAY = timedelta(days=1)


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
        for start, end in self._spans_from(moment):
            return start <= moment < end
        return False

    def seconds_between(self, since: datetime, until: datetime) -> int:
        """Return the seconds of business time between two moments."""
        total = 0.0
        for start, end in self._spans_from(since):
            if start >= until:
                break
            total += (min(end, until) - max(start, since)).total_seconds()
        return int(total)

    def add(self, since: datetime, seconds: int) -> datetime | None:
        """Return when `seconds` of business time after `since` are up, None if never."""
        left = float(seconds)
        for start, end in self._spans_from(since):
            begin = max(start, since)
            room = (end - begin).total_seconds()
            if left <= room:
                return begin + timedelta(seconds=left)
            left -= room
        return None

    def _spans_from(self, moment: datetime) -> Iterator[tuple[datetime, datetime]]:
        """Yield the open spans that end after `moment`, as moments, for at most ten years."""
        local = moment.astimezone(self.zone)
        # A span may reach past midnight, so the walk starts a day early.
        day = local.date() - DAY
        for _ in range(HORIZON_DAYS if self.spans else 0):
            spans = self._days.get(day)
            if spans is None:
                spans = self._days[day] = self._spans_of(day)
            for span in spans:
                if span[1] > moment:
                    yield span
            day += DAY

    @cached_property
    def _days(self) -> dict[date, tuple[tuple[datetime, datetime], ...]]:
        """The open spans of the days that were asked for, each found once."""
        return {}

    def _spans_of(self, day: date) -> tuple[tuple[datetime, datetime], ...]:
        """Return the open spans that begin on a day, as moments."""
        if any(start <= day <= end for start, end in self.holidays):
            return ()
        day_start = (day.isoweekday() % 7) * 24 * 60
        return tuple(
            (self._at(day, start - day_start), self._at(day, end - day_start))
            for start, end in self.spans
            if day_start <= start < day_start + 24 * 60
        )

    def _at(self, day: date, minutes: int) -> datetime:
        midnight = datetime(day.year, day.month, day.day)  # noqa: DTZ001 - the zone follows
        return (midnight + timedelta(minutes=minutes)).replace(tzinfo=self.zone)
