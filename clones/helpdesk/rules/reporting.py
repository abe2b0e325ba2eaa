"""What reports are made of: stretches of days, counts in them, medians, scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import median

WEEKLY_FROM = 60


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some days that a report counts as one: from the first to the last, both within."""

    first: date
    last: date


def stretches(today: date, days: int) -> list[Stretch]:
    """Return the latest days up to today one by one, or by sevens where they are many."""
    length = 7 if days >= WEEKLY_FROM else 1
    first = today - timedelta(days=days - 1)
    found: list[Stretch] = []
    while first <= today:
        last = min(first + timedelta(days=length - 1), today)
        found.append(Stretch(first, last))
        first = last + timedelta(days=1)
    return found


def counted(days: Iterable[date], parts: Sequence[Stretch]) -> list[int]:
    """Return how many of some days fall into each stretch."""
    counts = Counter(days)
    return [
        sum(count for day, count in counts.items() if part.first <= day <= part.last)
        for part in parts
    ]


def backlog(before: int, created: Sequence[int], solved: Sequence[int]) -> list[int]:
    """Return how many were unsolved at the end of each stretch."""
    found, left = [], before
    for came, went in zip(created, solved, strict=True):
        left += came - went
        found.append(left)
    return found


def middle(seconds: Sequence[int]) -> int | None:
    """Return the median of some times in whole seconds, None of none."""
    return round(median(seconds)) if seconds else None


def score(good: int, bad: int) -> int | None:
    """Return the share of good ratings in percent, None without ratings."""
    return round(100 * good / (good + bad)) if good + bad else None


def in_words(seconds: int | None) -> str:
    """Return a time as "2d 3h", "3h 5m" or "12m", "-" for none."""
    if seconds is None:
        return "-"
    minutes = seconds // 60
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days}d {hours}h"
    return f"{hours}h {minutes}m" if hours else f"{minutes}m"
