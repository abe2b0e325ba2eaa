"""What a careful lead makes of the agreements, from their texts alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

SIGNED: Final = re.compile(r"[Ss]igned on (\d{1,2} \w+ \d{4})")
REPLACED: Final = re.compile(r"(?:replaces the agreement of|that of) (\d{1,2} \w+ \d{4})")
LINE: Final = re.compile(r"- (Urgent|High|Normal|Low): (.+?)(?=\n|$)")
PART: Final = re.compile(r"([a-z ]+ time) (?=\d)")
HOURS: Final = re.compile(r"(\d+) hours?")
MINUTES: Final = re.compile(r"(\d+) minutes")
TYPE: Final = re.compile(r"(?:that are )?of the type (\w+)")
GROUP: Final = re.compile(r"(?:with|in) the group (.+?)(?:, and no others| only)\.")
TWO: Final = re.compile(r"(?:every ticket|all tickets) of .+ and of (.+)\.")
NOTE: Final = re.compile(
    r"(Urgent|High|Normal|Low), ([a-z ]+ time), is (.+?) and not|"
    r"(Urgent|High|Normal|Low), ([a-z ]+ time), is (.+?)\."
)
AFTER: Final = re.compile(r"(.+?) still goes before it|Only (.+?) counts before it")
METRICS: Final = {
    "first reply time": "first_reply_time",
    "next reply time": "next_reply_time",
    "requester wait time": "requester_wait_time",
    "agent work time": "agent_work_time",
    "total resolution time": "total_resolution_time",
}


@dataclass(slots=True)
class Contract:
    """An agreement as its text and notes have it; `targets` are minutes by priority and metric.

    `after` is the title of the policy that goes before it, None where it is the first.
    """

    firm: str
    second: str | None = None
    type: str | None = None
    group: str | None = None
    targets: dict[str, dict[str, int]] = field(default_factory=dict)
    around_the_clock: frozenset[str] = frozenset()
    after: str | None = None

    def metrics(self) -> list[dict[str, Any]]:
        """Return the targets in the order of an editor's table, from low to urgent."""
        return [
            {
                "priority": priority,
                "metric": metric,
                "target": self.targets[priority][metric],
                "business_hours": priority not in self.around_the_clock,
            }
            for priority in ("low", "normal", "high", "urgent")
            if priority in self.targets
            for metric in METRICS.values()
            if metric in self.targets[priority]
        ]


def in_force(texts: Sequence[str], firm: str) -> int:
    """Return the place of the firm's agreement that no other replaces.

    Raises:
        LookupError: there is none.
    """
    own = [place for place, text in enumerate(texts) if f"Works with {firm}." in text]
    ended = {found for place in own for found in REPLACED.findall(texts[place])}
    for place in own:
        signed = SIGNED.search(texts[place])
        if signed is not None and signed.group(1) not in ended:
            return place
    raise LookupError(f"no agreement with {firm} is in force")


def contract_of(firm: str, text: str, notes: Sequence[str]) -> Contract:
    """Return what an agreement says, with what was noted below it."""
    found = Contract(firm)
    covers = next(part for part in text.split("\n\n") if "overs" in part or "overed" in part)
    kind, group, two = TYPE.search(covers), GROUP.search(covers), TWO.search(covers)
    found.type = kind.group(1) if kind else None
    found.group = group.group(1) if group else None
    found.second = two.group(1) if two else None
    for priority, times in LINE.findall(text):
        own = found.targets.setdefault(priority.lower(), {})
        for part in times.split(", "):
            metric = next(name for name in METRICS if part.startswith(name))
            own[METRICS[metric]] = minutes_of(part)
    if "around the clock" in text or "day and night" in text:
        mixed = "else in business hours" in text or "other times count in business hours" in text
        found.around_the_clock = frozenset(
            ("urgent", "high") if mixed else ("urgent", "high", "normal", "low")
        )
    after = AFTER.search(text)
    if after is not None:
        found.after = (after.group(1) or after.group(2)).strip()
    for note in notes:
        correct(found, note)
    return found


def correct(found: Contract, note: str) -> None:
    """Take a note's word for a time."""
    said = NOTE.search(note)
    if said is not None:
        priority, metric, time = (part for part in said.groups() if part)
        found.targets[priority.lower()][METRICS[metric]] = minutes_of(time)


def minutes_of(text: str) -> int:
    """Return a time in minutes."""
    hours, minutes = HOURS.search(text), MINUTES.search(text)
    return 60 * int(hours.group(1) if hours else 0) + int(minutes.group(1) if minutes else 0)


def firm_of(goal: str, names: Sequence[str]) -> str:
    """Return the longest of the names that the goal holds.

    Raises:
        LookupError: it holds none.
    """
    held = [name for name in names if name in goal]
    if not held:
        raise LookupError("the goal names no firm that has an agreement")
    return max(held, key=len)
