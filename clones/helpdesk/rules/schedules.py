"""Schedules: business hours as an account's admins set them, counted in seconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from clones.core.calendars import BusinessHours

DAY_MINUTES = 24 * 60
WEEK_MINUTES = 7 * DAY_MINUTES


class Hours(BusinessHours):
    """A schedule's business hours."""

    @classmethod
    def parse(
        cls,
        time_zone: str,
        intervals: Sequence[Mapping[str, Any]],
        holidays: Sequence[Mapping[str, Any]],
    ) -> Hours:
        """Return the hours of a schedule's stored form: minutes since Sunday 00:00, and days."""
        week: list[list[tuple[int, int]]] = [[] for _ in range(7)]
        for start, end in sorted(
            (int(one["start_time"]), int(one["end_time"])) for one in intervals
        ):
            since_sunday, opens = divmod(start, DAY_MINUTES)
            if 0 <= since_sunday < 7:
                week[(since_sunday - 1) % 7].append((opens, opens + end - start))
        days = [
            (date.fromisoformat(item["start_date"]), date.fromisoformat(item["end_date"]))
            for item in holidays
        ]
        return cls(ZoneInfo(time_zone), tuple(map(tuple, week)), tuple(days))

    def seconds_between(self, since: datetime, until: datetime) -> int:
        """Return the whole seconds of business time between two moments."""
        return self.open_time(since, until) // timedelta(seconds=1)

    def add(self, since: datetime, seconds: int) -> datetime | None:
        """Return when `seconds` of business time after `since` are up, None if never."""
        return self.open_time_ends(since, timedelta(seconds=seconds))
