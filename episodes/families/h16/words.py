"""The agreements as they are kept: what is covered, promised, and in which order."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Final

from episodes.families.h16.params import Hours, Place

SUBJECTS: Final = (
    "service agreement with {firm}",
    "{firm}, service agreement",
    "support contract of {firm}",
)
COVERS: Final[dict[str, tuple[str, ...]]] = {
    "firm": ("It covers every ticket of {firm}.", "Covered are all tickets of {firm}."),
    "type": (
        "It covers the tickets of {firm} that are of the type {type}, and no others.",
        "Covered are tickets of {firm} of the type {type} only.",
    ),
    "group": (
        "It covers the tickets of {firm} that are with the group {group}, and no others.",
        "Covered are tickets of {firm} in the group {group} only.",
    ),
    "two": (
        "It covers every ticket of {firm} and of {second}.",
        "Covered are all tickets of {firm} and of {second}.",
    ),
}
METRICS: Final = {
    "first_reply_time": "first reply time",
    "next_reply_time": "next reply time",
    "requester_wait_time": "requester wait time",
    "agent_work_time": "agent work time",
    "total_resolution_time": "total resolution time",
}
COUNTS: Final[dict[Hours, tuple[str, ...]]] = {
    "business": ("All times count in business hours.", "Every time is one of business hours."),
    "calendar": ("All times count around the clock.", "Every time runs day and night."),
    "mixed": (
        "For urgent and high the times count around the clock, else in business hours.",
        "Urgent and high run day and night; all other times count in business hours.",
    ),
}
NOTHING: Final = ("For {priorities} nothing is promised.", "There is no promise for {priorities}.")
PLACES: Final[dict[Place, tuple[str, ...]]] = {
    "first": (
        "It goes before every other service level we keep, {other} too.",
        "Where several service levels fit, this one counts, even before {other}.",
    ),
    "after": (
        "{other} still goes before it; it goes before all others.",
        "Only {other} counts before it, and it counts before the rest.",
    ),
}
REPLACES: Final = (
    "Signed on {day}, in force at once. It replaces the agreement of {before}.",
    "In force since it was signed on {day}; that of {before} has ended.",
)
SIGNED: Final = ("Signed on {day}, in force at once.", "In force since it was signed on {day}.")
CORRECTIONS: Final = (
    "Correction from legal: {priority}, {metric}, is {time} and not what stands above.",
    "A slip in the text, both sides have agreed: {priority}, {metric}, is {time}.",
)

Targets = dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class Agreement:
    """What an agreement says. `targets` are minutes by priority and metric."""

    firm: str
    covers: str
    signed: date
    replaces: date | None
    targets: Targets
    missing: tuple[str, ...]
    hours: Hours
    place: Place
    other: str


def day_text(day: date) -> str:
    """Return a day as agreements write it."""
    return f"{day.day} {day:%B %Y}"


def time_text(minutes: int) -> str:
    """Return a time in hours and minutes."""
    hours, rest = divmod(minutes, 60)
    parts = []
    if hours:
        parts.append(f"{hours} hour" + ("s" if hours > 1 else ""))
    if rest:
        parts.append(f"{rest} minutes")
    return " ".join(parts)


def agreement_text(agreement: Agreement, chance: Random) -> str:
    """Return an agreement's text."""
    signed = chance.choice(SIGNED if agreement.replaces is None else REPLACES)
    replaced = agreement.replaces or agreement.signed
    lines = [
        f"- {priority.capitalize()}: "
        + ", ".join(f"{METRICS[metric]} {time_text(minutes)}" for metric, minutes in times.items())
        for priority, times in agreement.targets.items()
    ]
    parts = [
        f"Service agreement of Kestrel Laser Works with {agreement.firm}.",
        signed.format(day=day_text(agreement.signed), before=day_text(replaced)),
        agreement.covers,
        "Times promised:",
        "\n".join(lines),
        chance.choice(COUNTS[agreement.hours]),
    ]
    if agreement.missing:
        words = " and ".join(agreement.missing)
        parts.append(chance.choice(NOTHING).format(priorities=f"{words} priority"))
    parts.append(chance.choice(PLACES[agreement.place]).format(other=agreement.other))
    return "\n\n".join(parts)


def correction_text(priority: str, metric: str, minutes: int, chance: Random) -> str:
    """Return the note that corrects one time."""
    words = chance.choice(CORRECTIONS)
    return words.format(
        priority=priority.capitalize(), metric=METRICS[metric], time=time_text(minutes)
    )
