"""What a careful engineer makes of the guide and of reports, from their texts alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

CODE: Final = re.compile(r"\b[BCDFGHKLMN][PQRSTVWXZ]X\d{4}\b")
SEEN: Final = re.compile(r"Seen in (?P<version>\S+?)\.(?:\s|$)")
COMPONENT: Final = re.compile(r"^(?:- )?(?P<about>[a-z][a-z ]+): (?P<name>.+)$")
MATRIX: Final = re.compile(
    r"^(?:- )?(?P<effect>work is lost|somebody cannot go on|it is a nuisance): (?P<rest>.+)$"
)
MEANT: Final = re.compile(r"close as Won't Do: (?P<list>.+)")
EFFECTS: Final = (
    ("it is a nuisance", re.compile(r"\bnuisance\b")),
    ("work is lost", re.compile(r"work is lost|is lost for good")),
    ("somebody cannot go on", re.compile(r"\bgo on\b")),
)
REACHES: Final = (
    ("everybody", re.compile(r"\beverybody\b", re.IGNORECASE)),
    ("several people", re.compile(r"\bseveral people\b", re.IGNORECASE)),
    ("one person", re.compile(r"\bone person\b", re.IGNORECASE)),
)
ABOUT: Final = (
    ("signing in and accounts", re.compile(r"\bpassword|\bsign.?in|\baccount", re.IGNORECASE)),
    ("speed and waiting", re.compile(r"\bslow|\bminutes\b|\bwait\b", re.IGNORECASE)),
    ("saving and files", re.compile(r"\bsave", re.IGNORECASE)),
    ("what the screen shows", re.compile(r"\bscreen\b|\bdrawn\b|\bshown\b", re.IGNORECASE)),
)


@dataclass(frozen=True, slots=True)
class Guide:
    """The guide: components by what they are about, priorities by effect and reach, what is meant.

    `meant` are words by which a report tells of something that is meant to be so.
    """

    components: Mapping[str, str]
    priorities: Mapping[tuple[str, str], str]
    meant: frozenset[str]

    def component(self, text: str) -> str:
        """Return the component of a report.

        Raises:
            LookupError: it is about nothing that the guide knows.
        """
        for about, pattern in ABOUT:
            if pattern.search(text) and about in self.components:
                return self.components[about]
        raise LookupError(f"no component fits: {text[:80]}")

    def priority(self, text: str) -> str:
        """Return the priority of a report.

        Raises:
            LookupError: it does not say what it does or to whom.
        """
        effect = next((name for name, pattern in EFFECTS if pattern.search(text)), None)
        reach = next((name for name, pattern in REACHES if pattern.search(text)), None)
        if effect is None or reach is None:
            raise LookupError(f"no priority fits: {text[:80]}")
        return self.priorities[effect, reach]

    def is_meant(self, title: str) -> bool:
        """Tell whether a report tells of something that is meant to be so."""
        return bool(self.meant & set(re.findall(r"[a-z]+", title.casefold())))


def guide_of(text: str) -> Guide:
    """Return what the guide says.

    Raises:
        LookupError: it says nothing of what is meant to be so.
    """
    components, priorities = {}, {}
    for line in text.splitlines():
        matrix, component = MATRIX.match(line.strip()), COMPONENT.match(line.strip())
        if matrix is not None:
            for part in matrix["rest"].split(", "):
                reach, _, priority = part.rpartition(" ")
                priorities[matrix["effect"], reach] = priority
        elif component is not None:
            components[component["about"]] = component["name"]
    meant = MEANT.search(text)
    if meant is None:
        raise LookupError("the guide does not say what is meant to be so")
    firsts = {sentence.split()[0].casefold() for sentence in meant["list"].split(". ")}
    return Guide(components, priorities, frozenset(firsts))


@dataclass(frozen=True, slots=True)
class Known:
    """Something on record: its key, and the version that it was fixed in, if it was."""

    key: str
    fixed: str | None


@dataclass(frozen=True, slots=True)
class Sorted:
    """What becomes of a report: `link` is the kind of its link with `record`, if any.

    `resolution` is how it is closed, None where it stays open with a component and a priority.
    """

    key: str
    link: str | None = None
    record: str | None = None
    resolution: str | None = None
    component: str | None = None
    priority: str | None = None
    came_back: bool = False


@dataclass(frozen=True, slots=True)
class Incoming:
    """A report as it came in."""

    key: str
    title: str
    text: str


def sort_out(
    report: Incoming, guide: Guide, known: Mapping[str, Known], versions: Sequence[str]
) -> Sorted:
    """Return what becomes of a report; `versions` are the space's, the oldest first."""
    key, text = report.key, report.text
    code = CODE.search(text)
    if code is None and guide.is_meant(report.title):
        return Sorted(key, resolution="Won't Do")
    record = None if code is None else known.get(code[0])
    if record is not None and not _came_back(record, text, versions):
        return Sorted(key, "Duplicate", record.key, "Duplicate")
    component, priority = guide.component(text), guide.priority(text)
    if record is None:
        return Sorted(key, component=component, priority=priority)
    return Sorted(
        key, "Relates", record.key, component=component, priority=priority, came_back=True
    )


def _came_back(record: Known, text: str, versions: Sequence[str]) -> bool:
    seen = SEEN.search(text)
    if record.fixed is None or seen is None:
        return False
    return versions.index(seen["version"]) >= versions.index(record.fixed)


def space_of(goal: str, names: Sequence[str]) -> str:
    """Return the longest of the names of spaces that the goal holds.

    Raises:
        LookupError: it holds none.
    """
    held = [name for name in names if name in goal]
    if not held:
        raise LookupError("the goal names no space")
    return max(held, key=len)
