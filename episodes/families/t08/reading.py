"""What a careful developer makes of a guide and of what was said: from their texts alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

GUIDE: Final = re.compile(r"^(?:How we close work in|Closing work: the rules of|From To Do to)")
FIELD: Final = re.compile(r"review, (?P<field>[A-Z][\w ]+?) must hold")
APPROVER: Final = re.compile(
    r"Only the lead of this space, (?P<lead>.+?), can approve|"
    r"does not approve it: (?P<colleague>.+?) does\."
)
AWAY: Final = re.compile(
    r"away from (?P<first>\d{1,2} \w+ \d{4}) to (?P<last>\d{1,2} \w+ \d{4})\."
    r" In that time (?P<deputy>.+?) approves"
)
PATH: Final = re.compile(r"Work goes through (?P<steps>.+?), one after the other")
DROPPED: Final = re.compile(r"decided against|is dropped|not going to be made|will not do it")
DAY: Final = re.compile(r"\d{1,2} \w+ \d{4}")
SHIPS: Final = re.compile(
    r"(?:goes into|ships with|Planned for) (?P<version>\S+?)(?: instead)?\.(?=\s|$)"
)
POINTS: Final = re.compile(r"(\d+) points")


@dataclass(frozen=True, slots=True)
class Guide:
    """The rules for closing work: the field that review asks for, the steps, who approves."""

    field: str
    steps: tuple[str, ...]
    approver: str | None


def guide_of(text: str, notes: Sequence[str], today: date) -> Guide:
    """Return what a guide and the notes below it say; who is away today does not approve.

    Raises:
        LookupError: it says nothing of fields or steps.
    """
    asked, path = FIELD.search(text), PATH.search(text)
    if asked is None or path is None:
        raise LookupError("the guide says nothing of how work is closed")
    steps = tuple(re.split(r", | and ", path["steps"]))
    found = APPROVER.search(text)
    approver = None if found is None else found["lead"] or found["colleague"]
    for note in notes:
        away = AWAY.search(note)
        if away is not None and _day(away["first"]) <= today <= _day(away["last"]):
            approver = away["deputy"]
    return Guide(asked["field"], steps, approver)


def _day(text: str) -> date:
    return datetime.strptime(f"{text} +0000", "%d %B %Y %z").date()


def value_of(field: str, texts: Sequence[str]) -> str | float:
    """Return what the texts, oldest first, agreed on last: a version's name, points, or a day.

    Raises:
        LookupError: they agreed on nothing.
    """
    for text in reversed(texts):
        if field == "Fix versions" and (ships := SHIPS.search(text)):
            return ships["version"]
        if field == "Story Points" and (points := POINTS.search(text)):
            return float(points[1])
        if field == "Due date" and (day := DAY.search(text)):
            return _day(day[0]).isoformat()
    raise LookupError(f"nobody says what {field} is to hold")


def resolution_of(texts: Sequence[str]) -> str:
    """Return the resolution that fits what was said last."""
    return "Won't Do" if DROPPED.search(texts[-1]) else "Done"


def likest(goal: str, summaries: Sequence[str]) -> int:
    """Return the place of the summary that is in a goal, else of the one that shares most with it.

    Raises:
        LookupError: there is none.
    """
    if not summaries:
        raise LookupError("nothing is assigned that could be meant")
    wanted = _stems(goal)

    def share(at: int) -> tuple[bool, float]:
        stems = _stems(summaries[at])
        return summaries[at] in goal, len(wanted & stems) / max(len(stems), 1)

    return max(range(len(summaries)), key=share)


def _stems(text: str) -> set[str]:
    return {word[:5] for word in re.findall(r"[a-z]+", text.casefold()) if len(word) > 3}


def space_of(goal: str, names: Sequence[str]) -> str:
    """Return the longest of the names of spaces that the goal holds.

    Raises:
        LookupError: it holds none.
    """
    held = [name for name in names if name in goal]
    if not held:
        raise LookupError("the goal names no space")
    return max(held, key=len)
