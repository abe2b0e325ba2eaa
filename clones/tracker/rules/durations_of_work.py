"""Durations of work as people write them: `3h 20m`, `1w 2d`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

_PART = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,4}|,[0-9]{1,4})?)\s*([wdhm])", re.IGNORECASE)
_WHOLE = re.compile(rf"\s*(?:{_PART.pattern}\s*)+", re.IGNORECASE)
_NUMBER = re.compile(r"\s*([0-9]{1,9}(?:\.[0-9]{1,4})?)\s*")
HOUR = 3600
MOST = 2**53  # seconds: what a client's number holds exactly


class NotADuration(ValueError):
    """Raised when a text says no duration of work."""


@dataclass(frozen=True, slots=True)
class WorkTime:
    """How long a day and a week of work are on a site, and what a bare number counts."""

    hours_per_day: float = 8
    days_per_week: float = 5
    unit: str = "m"

    @property
    def seconds(self) -> dict[str, Decimal]:
        """The length of each unit."""
        day = Decimal(str(self.hours_per_day)) * HOUR
        return {
            "w": day * Decimal(str(self.days_per_week)),
            "d": day,
            "h": Decimal(HOUR),
            "m": Decimal(60),
        }


USUAL = WorkTime()


def parse(text: str, work: WorkTime = USUAL) -> int:
    """Return the seconds that a text means; a bare number counts the site's own unit.

    Raises:
        NotADuration: it means none.
    """
    lengths = work.seconds
    bare = _NUMBER.fullmatch(text)
    if bare is not None:
        total = Decimal(bare[1]) * lengths[work.unit]
    elif _WHOLE.fullmatch(text):
        total = sum(
            (
                Decimal(number.replace(",", ".")) * lengths[unit.lower()]
                for number, unit in _PART.findall(text)
            ),
            Decimal(),
        )
    else:
        raise NotADuration(text)
    seconds = int(total.quantize(Decimal(1), ROUND_HALF_UP))
    if seconds > MOST:
        raise NotADuration(text)
    return seconds


def text_of(seconds: int, work: WorkTime = USUAL) -> str:
    """Return a duration in weeks, days, hours and minutes; seconds that are left are let go."""
    found = []
    rest = Decimal(seconds)
    for unit, length in work.seconds.items():
        number = rest // length
        rest -= number * length
        if number:
            found.append(f"{number}{unit}")
    return " ".join(found) or "0m"


def pretty(seconds: int, work: WorkTime = USUAL) -> str:
    """Return a duration in words, as rendered fields have it: `1 day, 2 hours`."""
    names = {"w": "week", "d": "day", "h": "hour", "m": "minute"}
    parts = []
    for part in text_of(seconds, work).split():
        number, name = part[:-1], names[part[-1]]
        parts.append(f"{number} {name}{'' if number == '1' else 's'}")
    return ", ".join(parts)
