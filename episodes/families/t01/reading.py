"""What a careful engineer makes of the goal and of what stands on a work item."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from episodes.tasks.tracker_acts import quoted

SYMPTOM: Final = re.compile(r"the bug in (?P<space>.+?) about (?P<topic>.+?) \(not a report")
CODE: Final = re.compile(r"quotes the error code (?P<code>KX\w+)")
DAY: Final = re.compile(
    r"the bug that (?P<who>.+?) filed in (?P<space>.+?) on (?P<day>\d{1,2} \w+ \d{4})"
)
COMPONENT: Final = re.compile(
    r"the bug in the component (?P<component>.+?) of (?P<space>.+?) that (?P<who>.+?) filed"
)
FORMER: Final = re.compile(r"had the key (?P<key>[A-Z][A-Z0-9]+-\d+)")
ASKED: Final = (
    ("fixed", r"version it (?:is|was) fixed"),
    ("taken", r"changed hands|last went from one assignee"),
    ("before", r"present assignee"),
    ("done", r"to Done for good|last reached Done"),
    ("spent", r"logged on it"),
    ("blocker", r"is blocked"),
    ("priority", r"filed with|priority it had"),
    ("build", r"\bbuild\b"),
)
ZONE: Final = re.compile(
    r"in the time of (?P<zone>[A-Z][\w ]+?) \(.*show the time of (?P<page>[\w ]+)\)"
)
ZONES: Final = {
    "London": "Europe/London",
    "Berlin": "Europe/Berlin",
    "Warsaw": "Europe/Warsaw",
    "New York": "America/New_York",
    "Denver": "America/Denver",
    "Kolkata": "Asia/Kolkata",
}
BUILD: Final = re.compile(r"the build was (\d+\.\d+\.\d+)\.")
STOPS: Final = frozenset({"when", "that", "with", "into", "from", "after", "does"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked, and of which work item: `jql` finds it, with few others.

    `topic` describes it and `who` filed it, empty where the query says enough. `zone` is that of
    the answer, `page` the one in which pages show times.
    """

    fact: str
    jql: str
    topic: str
    who: str
    zone: str
    page: str


def wanted_of(goal: str) -> Wanted:
    """Return what a goal asks for.

    Raises:
        LookupError: it asks for nothing known, or of no work item.
    """
    jql, topic, who = _reference(goal)
    rest = goal
    for pattern in (SYMPTOM, DAY, COMPONENT):
        rest = pattern.sub(" ", rest)
    fact = next((name for name, pattern in ASKED if re.search(pattern, rest)), None)
    if fact is None:
        raise LookupError(f"the goal asks for nothing known: {goal}")
    zone = ZONE.search(goal)
    return Wanted(
        fact,
        jql,
        topic,
        who,
        zone=ZONES[zone["zone"]] if zone else "UTC",
        page=ZONES.get(zone["page"], "UTC") if zone else "UTC",
    )


def _reference(goal: str) -> tuple[str, str, str]:
    symptom, code, day = SYMPTOM.search(goal), CODE.search(goal), DAY.search(goal)
    component, former = COMPONENT.search(goal), FORMER.search(goal)
    bugs = "issuetype = Bug AND (resolution IS EMPTY OR resolution != Duplicate)"
    if former is not None:
        return f"key = {former['key']}", "", ""
    if code is not None:
        return f"text ~ {quoted(code['code'])}", "", ""
    if component is not None:
        where = f"project = {quoted(component['space'])}"
        named = f"component = {quoted(component['component'])}"
        return f"{where} AND {named} AND {bugs}", "", component["who"]
    if day is not None:
        at = datetime.strptime(f"{day['day']} +0000", "%d %B %Y %z")
        first, last = at - timedelta(days=1), at + timedelta(days=2)
        span = f'created >= "{first:%Y-%m-%d}" AND created < "{last:%Y-%m-%d}"'
        return f"project = {quoted(day['space'])} AND {span} AND {bugs}", "", day["who"]
    if symptom is not None:
        words = re.findall(r"[a-z]+", symptom["topic"])
        word = next(one for one in words if len(one) > 4 and one not in STOPS)
        where = f"project = {quoted(symptom['space'])}"
        return f"{where} AND summary ~ {quoted(word)} AND {bugs}", symptom["topic"], ""
    raise LookupError(f"the goal speaks of no work item: {goal}")


def likest(topic: str, summaries: Sequence[str]) -> int:
    """Return the place of the summary that shares most words with a description.

    Raises:
        LookupError: there is none.
    """
    if not summaries:
        raise LookupError("no work item was found")
    wanted = _stems(topic)
    return max(range(len(summaries)), key=lambda at: len(wanted & _stems(summaries[at])))


def _stems(text: str) -> set[str]:
    return {word[:5] for word in re.findall(r"[a-z]+", text.casefold()) if len(word) > 2}


def build_in(texts: Iterable[str]) -> str:
    """Return the build that comments give in the end.

    Raises:
        LookupError: they give none.
    """
    found = [build for text in texts for build in BUILD.findall(text)]
    if not found:
        raise LookupError("no comment tells of a build")
    return str(found[-1])


def minutes_of(text: str) -> int:
    """Return a time as the tracker writes it, "1d 2h 5m", in minutes: a day has eight hours."""
    units = {"w": 5 * 8 * 60, "d": 8 * 60, "h": 60, "m": 1}
    return sum(int(number) * units[unit] for number, unit in re.findall(r"(\d+)([wdhm])", text))


def last_change(changes: Sequence[tuple[str, Any, Any, str]]) -> tuple[str, Any, Any, str]:
    """Return the last of several changes.

    Raises:
        LookupError: there is none.
    """
    if not changes:
        raise LookupError("nothing of that kind ever changed")
    return changes[-1]
