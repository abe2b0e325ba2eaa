"""What a careful agent makes of a guide, of notes and of what approvers say: from texts alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from episodes.families.t15.kinds import NEEDS, Need
from episodes.families.t15.words import AREAS

GUIDE: Final = re.compile(r"^(?:How we work the queue|Working the queue|The queue of )")
PROMISE: Final = re.compile(r"time that is left until (?P<promise>.+?) is missed")
BUYING: Final = re.compile(
    r"within (?P<days>\d+) working days, and assign the request to (?P<buyer>.+?), who orders"
)
MESSAGE: Final = re.compile(r"Tell the customer: (?P<message>.+)\.\s*$", re.MULTILINE)
AWAY: Final = re.compile(
    r"away from (?P<first>\d{1,2} \w+ \d{4}) to (?P<last>\d{1,2} \w+ \d{4})\."
    r" In that time (?P<deputy>.+?) approves"
)
AGAIN: Final = re.compile(r"ask again from (?P<day>\d{1,2} \w+ \d{4})", re.IGNORECASE)
# How people ask for what is missing.
ASKED: Final[Mapping[Need, re.Pattern[str]]] = {
    "asset tag": re.compile(r"\b(?:asset|inventory) ?(?:tags?|numbers?|labels?)\b", re.IGNORECASE),
    "floor": re.compile(r"\bfloors?\b|\bstor(?:e?y|eys|ies)\b", re.IGNORECASE),
    "version": re.compile(r"\bversions?\b", re.IGNORECASE),
    "owner": re.compile(r"\b(?:owners?|owns|owned)\b", re.IGNORECASE),
    "cost centre": re.compile(r"\bcost[ -]?cent(?:re|er)s?\b", re.IGNORECASE),
}
WORKING_DAYS: Final = re.compile(
    r"(?<![\w.,])(\d{1,3})[ \u00a0-]*(?:working|business|work)[ -]?days?\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Guide:
    """The desk's rules: the clock that counts, in how many days hardware comes, who orders it."""

    promise: str
    days: int
    buyer: str


def guide_of(text: str) -> Guide:
    """Return what a guide says.

    Raises:
        LookupError: it says nothing of the order, or of what is approved.
    """
    promise, buying = PROMISE.search(text), BUYING.search(text)
    if promise is None or buying is None:
        raise LookupError("the guide does not say how the queue is worked")
    return Guide(promise["promise"], int(buying["days"]), buying["buyer"])


def deputy_of(notes: Iterable[str], today: date) -> str | None:
    """Return who stands in today for whoever wrote these notes, None if they are not away."""
    for note in notes:
        away = AWAY.search(note)
        if away is not None and _day(away["first"]) <= today <= _day(away["last"]):
            return away["deputy"]
    return None


def _day(text: str) -> date:
    return datetime.strptime(f"{text} +0000", "%d %B %Y %z").date()


def message_of(notes: Iterable[str]) -> str | None:
    """Return what the last note says that the customer is to be told, None if none says any."""
    found = [said["message"] for note in notes if (said := MESSAGE.search(note)) is not None]
    return found[-1] if found else None


def need_of(text: str) -> Need:
    """Return what has to be known of what a customer writes about.

    Raises:
        LookupError: it is about nothing of which something must be known.
    """
    for need, (word, _) in AREAS.items():
        if word in text:
            return need
    raise LookupError("it is not clear what the request is about")


def asked_in(texts: Iterable[str]) -> frozenset[Need]:
    """Return what some texts ask for."""
    every = list(texts)
    return frozenset(need for need in NEEDS if any(ASKED[need].search(text) for text in every))


def working_days_in(text: str) -> frozenset[int]:
    """Return the numbers of working days that a text names."""
    return frozenset(int(number) for number in WORKING_DAYS.findall(text))


def again_from(texts: Sequence[str]) -> str:
    """Return the day from which one may ask again, as the last text to say so writes it.

    Raises:
        LookupError: none says.
    """
    for text in reversed(texts):
        again = AGAIN.search(text)
        if again is not None:
            return again["day"]
    raise LookupError("nobody says from when one may ask again")


def space_of(goal: str, names: Sequence[str]) -> str:
    """Return the longest of the names of spaces that the goal holds.

    Raises:
        LookupError: it holds none.
    """
    held = [name for name in names if name in goal]
    if not held:
        raise LookupError("the goal names no space")
    return max(held, key=len)
