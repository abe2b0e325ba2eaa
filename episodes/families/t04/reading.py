"""How the goal, the team's guide and who is away are read: pure, for oracles and cheats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from episodes.families.t04.kinds import PRIORITIES

QUOTED: Final = re.compile(r'"([^"]+)"')
LABEL: Final = re.compile(r"carries the label ([\w-]+)")
WORTH: Final = re.compile(rf"\b({'|'.join(PRIORITIES)}):\s+(\d+)")
RATE: Final = re.compile(r"^[\s-]*(\S[^:\n]*):\s+([\d.]+) a day", re.MULTILINE)
DAY: Final = r"(\d{1,2} [A-Z][a-z]+ \d{4})"
POINTS: Final = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s+(?:story )?points?\b", re.IGNORECASE)
KEY: Final = re.compile(r"(?<![\w-])[A-Z][A-Z0-9_]+-\d+(?![\w-])")
MONDAY, FRIDAY = 0, 4


@dataclass(frozen=True, slots=True)
class Guide:
    """The team's rules: the label of what may be planned, worth by priority, points a day."""

    label: str
    worth: Mapping[str, int]
    rates: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Absence:
    """Somebody who is not there from a day to another, both included."""

    name: str
    first: date
    last: date


def named_in(goal: str, names: Sequence[str]) -> str:
    """Return which of these names of sprints the goal puts in quotes.

    Raises:
        LookupError: none, or several.
    """
    quoted: list[str] = QUOTED.findall(goal)
    found = [name for name in dict.fromkeys(quoted) if name in names]
    if len(found) != 1:
        raise LookupError(f"the goal names {len(found)} sprints")
    return found[0]


def space_in(goal: str, names: Sequence[str]) -> str:
    """Return the longest of some names of spaces that the goal holds.

    Raises:
        LookupError: it holds none.
    """
    found = sorted((name for name in names if name in goal), key=len)
    if not found:
        raise LookupError("the goal names no space")
    return found[-1]


def guide_of(texts: Sequence[str]) -> Guide:
    """Return the rules of a guide: its text, then what was said below it, oldest first.

    Raises:
        LookupError: it does not say what may be planned, what that is worth or who can take what.
    """
    label = LABEL.search(texts[0])
    tables = [table for text in texts if (table := dict(WORTH.findall(text)))]
    rates = {name.strip(): float(rate) for name, rate in RATE.findall(texts[0])}
    if label is None or not tables or not rates:
        raise LookupError("the guide has no rules")
    worth = {priority: int(value) for priority, value in tables[-1].items()}
    return Guide(label[1], worth, rates)


def absences_of(texts: Sequence[str], names: Iterable[str]) -> list[Absence]:
    """Return when these people are away: what was taken back is left out."""
    whole = "\n".join(texts)
    found = []
    for name in names:
        person = re.escape(name)
        gone = re.findall(rf"{person} (?:is|will be) away from {DAY} to {DAY}", whole)
        here = re.findall(rf"{person} is here after all from {DAY} to {DAY}", whole)
        found += [
            Absence(name, day_of(first), day_of(last))
            for first, last in gone
            if (first, last) not in here
        ]
    return found


def day_of(text: str) -> date:
    """Return the day that a text like 6 July 2026 means."""
    return datetime.strptime(f"{text} +0000", "%d %B %Y %z").date()


def working_days(first: date, last: date) -> list[date]:
    """Return the days from Monday to Friday between two, both included."""
    days = [first + timedelta(days=place) for place in range((last - first).days + 1)]
    return [day for day in days if MONDAY <= day.weekday() <= FRIDAY]


def room_of(guide: Guide, absences: Iterable[Absence], first: date, last: date) -> dict[str, float]:
    """Return how many points each person can take in a sprint of these days."""
    away = list(absences)
    room = {}
    for name, rate in guide.rates.items():
        own = [one for one in away if one.name == name]
        here = [
            day
            for day in working_days(first, last)
            if not any(one.first <= day <= one.last for one in own)
        ]
        room[name] = rate * len(here)
    return room


def told_in(goal: str) -> tuple[set[float], set[str]]:
    """Return the numbers of points and the keys that the goal of a sprint tells."""
    return {float(number) for number in POINTS.findall(goal)}, set(KEY.findall(goal))
