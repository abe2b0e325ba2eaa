"""Schedules: cron expressions of six or seven fields, as the vendor takes them, and fixed rates.

Seconds, minutes, hours, days of the month, months, days of the week (1 or SUN is Sunday) and, if
there is a seventh field, years. `?`, `L`, `W`, `LW` and `#` count.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from clones.core.digits import is_digits

YEARS: Final = 6  # how far ahead a moment is looked for
_MONTHS: Final = tuple(name.upper() for name in calendar.month_abbr)
_DAYS: Final = ("", "SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_NTH: Final = re.compile(r"(\w+)#([1-5])")
_NEAREST: Final = re.compile(r"(\d{1,2})W")
_LAST_OF: Final = re.compile(r"(\w+)L")
_BEFORE_LAST: Final = re.compile(r"L-(\d{1,2})")


class BadCron(ValueError):
    """Raised when a text is no cron expression."""


@dataclass(frozen=True, slots=True)
class Cron:
    """A cron expression that was read. `days` and `weekdays` keep what depends on the month."""

    seconds: tuple[int, ...]
    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: str
    months: frozenset[int]
    weekdays: str
    years: frozenset[int] | None

    def next_after(self, moment: datetime, zone: ZoneInfo) -> datetime | None:
        """Return the first moment after another at which it is due, None within some years."""
        local = moment.astimezone(zone)
        first = local.date()
        for ahead in range(YEARS * 366):
            day = first + timedelta(days=ahead)
            if not self._has_day(day):
                continue
            for hour in self.hours:
                for minute in self.minutes:
                    for second in self.seconds:
                        found = datetime.combine(day, time(hour, minute, second), zone)
                        if found > local:
                            # What a clock skips in spring is due when it would have been.
                            return found.astimezone(ZoneInfo("UTC"))
        return None

    def _has_day(self, day: date) -> bool:
        if day.month not in self.months or (self.years is not None and day.year not in self.years):
            return False
        return _is_day(self.days, day) and _is_weekday(self.weekdays, day)


@lru_cache(maxsize=256)
def read_cron(text: str) -> Cron:
    """Return the cron expression of a text.

    Raises:
        BadCron: it is none.
    """
    parts = text.upper().split()
    if len(parts) not in (6, 7):
        raise BadCron("The cron expression must have 6 or 7 fields.")
    seconds, minutes, hours, days, months, weekdays = parts[:6]
    if (days == "?") == (weekdays == "?"):
        if "?" in (days, weekdays):
            raise BadCron("Only one of day of month and day of week can be '?'.")
        if "*" not in (days, weekdays):
            raise BadCron("Either day of month or day of week must be '?'.")
    found = Cron(
        tuple(sorted(_numbers(seconds, 0, 59))),
        tuple(sorted(_numbers(minutes, 0, 59))),
        tuple(sorted(_numbers(hours, 0, 23))),
        days,
        frozenset(_numbers(months, 1, 12, _MONTHS)),
        weekdays,
        frozenset(_numbers(parts[6], 1970, 2199)) if len(parts) == 7 and parts[6] != "*" else None,
    )
    for day in (date(2024, 2, 1), date(2024, 2, 29)):
        _is_day(found.days, day)
        _is_weekday(found.weekdays, day)
    return found


def _numbers(text: str, least: int, most: int, names: tuple[str, ...] = ()) -> set[int]:
    found: set[int] = set()
    for part in text.split(","):
        span, _, step_text = part.partition("/")
        step = _number(step_text, 1, most, ()) if step_text else 1
        if span in ("*", "?"):
            first, last = least, most
        elif "-" in span:
            one, _, other = span.partition("-")
            first, last = _number(one, least, most, names), _number(other, least, most, names)
        else:
            first = _number(span, least, most, names)
            last = most if step_text else first
        if first <= last:
            found.update(range(first, last + 1, step))
        else:  # over the end: FRI-MON
            found.update([*range(first, most + 1, step), *range(least, last + 1, step)])
    return found


def _number(text: str, least: int, most: int, names: tuple[str, ...]) -> int:
    if text in names and text:
        return names.index(text)
    if not (is_digits(text, 4) and least <= int(text) <= most):
        raise BadCron(f"'{text}' is not between {least} and {most}.")
    return int(text)


def _last(day: date) -> int:
    return calendar.monthrange(day.year, day.month)[1]


def _is_day(text: str, day: date) -> bool:
    if text in ("*", "?"):
        return True
    last = _last(day)
    before = _BEFORE_LAST.fullmatch(text)
    nearest = _NEAREST.fullmatch(text)
    if text == "L":
        return day.day == last
    if before is not None:
        return day.day == last - int(before[1])
    if text == "LW":
        return day == _working_day(day.replace(day=last))
    if nearest is not None:
        return day == _working_day(day.replace(day=min(int(nearest[1]) or 1, last)))
    return day.day in _numbers(text, 1, 31)


def _working_day(day: date) -> date:
    """Return the working day nearest to a day, within its month."""
    if day.weekday() < 5:
        return day
    step = -1 if day.weekday() == 5 else 1
    near = day + timedelta(days=step)
    return near if near.month == day.month else day - timedelta(days=step * 2)


def _is_weekday(text: str, day: date) -> bool:
    if text in ("*", "?"):
        return True
    number = day.isoweekday() % 7 + 1
    nth, last = _NTH.fullmatch(text), _LAST_OF.fullmatch(text)
    if text == "L":
        return number == 7
    if nth is not None:
        return number == _number(nth[1], 1, 7, _DAYS) and (day.day - 1) // 7 + 1 == int(nth[2])
    if last is not None:
        return number == _number(last[1], 1, 7, _DAYS) and day.day > _last(day) - 7
    return number in _numbers(text, 1, 7, _DAYS)
