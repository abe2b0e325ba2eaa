"""What a careful agent makes of the goal and of what is written on a ticket."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

ORDER: Final = re.compile(r"\bKL-\d{6}\b")
COLLEAGUE: Final = re.compile(r"the ticket from (?P<firm>.+?) that (?P<agent>.+?) answered")
DAY: Final = re.compile(r"the ticket that (?P<who>.+?) sent us on (?P<day>\d{1,2} \w+ \d{4})")
TOPIC: Final = re.compile(r"the ticket from (?P<who>.+?) about (?P<topic>.+?)(?: and |[,.;:?])")
ASKED: Final = (
    ("opened", r"\bopened\b"),
    ("first_reply", r"first public reply"),
    ("visit", r"technician"),
    ("quoted", r"\bquoted for\b"),
    ("serial", r"serial number"),
    ("assignee", r"assigned to"),
    ("pieces", r"pieces"),
    ("copied", r"in copy"),
)
ZONE: Final = re.compile(
    r"in the time of (?P<zone>[A-Z][\w ]+?) \(.*show the time of (?P<page>[\w ]+)\)"
)
ZONES: Final = {
    "London": "Europe/London",
    "Berlin": "Europe/Berlin",
    "New York": "America/New_York",
}
PRICE: Final = re.compile(r"replacement (?:comes to|is) ([\d.,]+) [A-Z]{3}")
VISIT: Final = re.compile(r"will come on (\d{1,2} \w+ \d{4}) instead")
PIECES: Final = re.compile(r"would take (\d+) pieces")
SERIAL: Final = re.compile(r"\b[A-Z]{2}\d\d-\d{4}-\d{4}\b")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked, and of which ticket: `query` finds it, with few others.

    `topic` describes it, empty where the query says enough. `zone` is that of the answer, `page`
    the one in which pages show times.
    """

    fact: str
    query: str
    topic: str
    zone: str
    page: str


def wanted_of(goal: str) -> Wanted:
    """Return what a goal asks for.

    Raises:
        LookupError: it asks for nothing known, or of no ticket.
    """
    query, topic = _reference(goal)
    rest = goal.replace(topic, "") if topic else goal
    fact = next((name for name, pattern in ASKED if re.search(pattern, rest)), None)
    if fact is None:
        raise LookupError(f"the goal asks for nothing known: {goal}")
    zone = ZONE.search(goal)
    return Wanted(
        fact,
        query,
        topic,
        zone=ZONES[zone["zone"]] if zone else "UTC",
        page=ZONES.get(zone["page"], "UTC") if zone else "UTC",
    )


def _reference(goal: str) -> tuple[str, str]:
    order, colleague = ORDER.search(goal), COLLEAGUE.search(goal)
    day, topic = DAY.search(goal), TOPIC.search(goal)
    if order is not None:
        return f'"{order[0]}"', ""
    if colleague is not None:
        return f'organization:"{colleague["firm"]}" commenter:"{colleague["agent"]}"', ""
    if day is not None:
        at = datetime.strptime(f"{day['day']} +0000", "%d %B %Y %z")
        return f'requester:"{day["who"]}" created:{at:%Y-%m-%d}', ""
    if topic is not None:
        return f'requester:"{topic["who"]}"', topic["topic"]
    raise LookupError(f"the goal speaks of no ticket: {goal}")


def likest(topic: str, subjects: Sequence[str]) -> int:
    """Return the place of the subject that shares most words with a description.

    Raises:
        LookupError: there is none.
    """
    if not subjects:
        raise LookupError("no ticket was found")
    wanted = _stems(topic)
    return max(range(len(subjects)), key=lambda at: len(wanted & _stems(subjects[at])))


def _stems(text: str) -> set[str]:
    return {word[:5] for word in re.findall(r"[a-z]+", text.casefold()) if len(word) > 2}


def said_in(fact: str, texts: Iterable[str]) -> Any:
    """Return what the texts of a ticket's comments, oldest first, say of a fact.

    Raises:
        LookupError: they do not say it.
    """
    pattern = {"visit": VISIT, "quoted": PRICE, "pieces": PIECES}[fact]
    found = [match[1] for text in texts for match in pattern.finditer(text)]
    if not found:
        raise LookupError(f"no comment tells of {fact}")
    if fact == "visit":
        return datetime.strptime(f"{found[-1]} +0000", "%d %B %Y %z").date().isoformat()
    return int(found[0]) if fact == "pieces" else float(found[0].replace(",", ""))
