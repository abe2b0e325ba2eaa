"""Business hours: how much of them lies between two moments, and when so much of them is over.

All arithmetic is in UTC: the difference of two times of one zone leaves out a change of its clocks,
and a day of 24 open hours has 23 or 25 when the clocks change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import Final, Protocol
from zoneinfo import ZoneInfo

_HORIZON_DAYS: Final = 3660
_DAY: Final = timedelta(days=1)
_SECOND: Final = timedelta(seconds=1)
_NOTHING: Final = timedelta(0)


class OpenTime(Protocol):
    """Tells when it is open, and counts the time in which it is."""

    def is_open(self, moment: datetime) -> bool:
        """Tell whether it is open at a moment."""
        ...

    def open_time(self, since: datetime, until: datetime) -> timedelta:
        """Return the open time between two moments, none if the second is not later."""
        ...

    def open_time_ends(self, since: datetime, length: timedelta) -> datetime | None:
        """Return when so much open time after `since` is over, in UTC; None if it never is."""
        ...

    def open_time_began(self, until: datetime, length: timedelta) -> datetime | None:
        """Return the last moment since which so much open time is over, in UTC, None if none is."""
        ...


@dataclass(frozen=True, slots=True)
class OpenSpan:
    """Time in which it is open, in UTC: from `start` to before `end`."""

    start: datetime
    end: datetime
    length: timedelta


@dataclass(frozen=True)
class BusinessHours(OpenTime):
    """A weekly plan in a time zone, less the holidays.

    Args:
        zone: whose wall clocks the plan goes by.
        week: for each weekday (0: Monday) its spans of minutes since midnight, in order; they do
            not overlap, and may reach past midnight.
        holidays: first and last days on which nothing opens.
        yearly: (month, day) of holidays that come every year.
    """

    zone: ZoneInfo
    week: tuple[tuple[tuple[int, int], ...], ...]
    holidays: tuple[tuple[date, date], ...] = ()
    yearly: frozenset[tuple[int, int]] = frozenset()

    def is_open(self, moment: datetime) -> bool:
        """Tell whether a moment lies in business hours."""
        for span in self._spans_after(moment):
            return span.start <= moment
        return False

    def open_time(self, since: datetime, until: datetime) -> timedelta:
        """Return the business time between two moments, none if the second is not later."""
        total = _NOTHING
        if until <= since:
            return total
        for span in self._spans_after(since):
            start, end = span.start, span.end
            if start >= until:
                break
            if since <= start and end <= until:
                total += span.length
            else:
                total += min(end, until) - max(start, since)
        return total

    def open_time_ends(self, since: datetime, length: timedelta) -> datetime | None:
        """Return when so much business time after `since` is over, in UTC; None if it never is."""
        left = length
        for span in self._spans_after(since):
            start = max(span.start, since).astimezone(UTC)
            if left <= span.end - start:
                return start + left
            left -= span.end - start
        return None

    def open_time_began(self, until: datetime, length: timedelta) -> datetime | None:
        """Return the last moment since which so much business time is over at `until`, in UTC.

        None if there is none.
        """
        left = length
        for span in self._spans_before(until):
            end = min(span.end, until).astimezone(UTC)
            if left <= end - span.start:
                return end - left
            left -= end - span.start
        return None

    def _spans_after(self, moment: datetime) -> Iterator[OpenSpan]:
        """Yield the spans that end after `moment`, for at most ten years."""
        # A span may reach past midnight, so the walk starts a day early.
        first = moment.astimezone(self.zone).date() - _DAY
        for day in self._days(first, _DAY):
            for span in day:
                if span.end > moment:
                    yield span

    def _spans_before(self, moment: datetime) -> Iterator[OpenSpan]:
        """Yield the spans that begin before `moment`, the last first, for at most ten years."""
        last = moment.astimezone(self.zone).date() + _DAY
        for day in self._days(last, -_DAY):
            for span in reversed(day):
                if span.start < moment:
                    yield span

    def _days(self, first: date, step: timedelta) -> Iterator[tuple[OpenSpan, ...]]:
        """Yield the spans of days, one day after the other."""
        day = first
        for _ in range(_HORIZON_DAYS if any(self.week) else 0):
            spans = self._found.get(day)
            if spans is None:
                spans = self._found[day] = tuple(self._spans_of(day))
            yield spans
            try:
                day += step
            except OverflowError:  # the calendar of dates ends
                return

    @cached_property
    def _found(self) -> dict[date, tuple[OpenSpan, ...]]:
        """The spans of the days that were asked for, each found once."""
        return {}

    def _spans_of(self, day: date) -> Iterable[OpenSpan]:
        """Yield the spans that begin on a day; what the clocks leave out is no business time."""
        if (day.month, day.day) in self.yearly:
            return
        if any(first <= day <= last for first, last in self.holidays):
            return
        for opens, closes in self.week[day.weekday()]:
            start, end = self._moment(day, opens), self._moment(day, closes)
            if start < end:
                yield OpenSpan(start, end, end - start)

    def _moment(self, day: date, minutes: int) -> datetime:
        """Return when the wall clock shows so many minutes since the midnight of a day, in UTC.

        Of a time that it shows twice, the first; of one that it leaves out, when it does so.
        """
        midnight = datetime(day.year, day.month, day.day, tzinfo=self.zone)
        wall = midnight + timedelta(minutes=minutes)
        found, other = wall.astimezone(UTC), wall.replace(fold=1).astimezone(UTC)
        return _change_of_clocks(other, found, self.zone) if other < found else found


class AlwaysOpen(OpenTime):
    """The business hours of those who never close."""

    def is_open(self, moment: datetime) -> bool:
        """Tell whether a moment lies in business hours: it does."""
        return True

    def open_time(self, since: datetime, until: datetime) -> timedelta:
        """Return the time between two moments, none if the second is not later."""
        return max(_NOTHING, until - since)

    def open_time_ends(self, since: datetime, length: timedelta) -> datetime:
        """Return when so much time after `since` is over."""
        return since.astimezone(UTC) + length

    def open_time_began(self, until: datetime, length: timedelta) -> datetime:
        """Return since when so much time is over at `until`."""
        return until.astimezone(UTC) - length


def _change_of_clocks(before: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    """Return when a zone's clocks change between two moments of UTC, to the second."""
    old = before.astimezone(zone).utcoffset()
    seconds = (after - before) // _SECOND
    low, high = 0, seconds
    while low < high:
        middle = (low + high) // 2
        if (before + middle * _SECOND).astimezone(zone).utcoffset() == old:
            low = middle + 1
        else:
            high = middle
    return before + high * _SECOND
