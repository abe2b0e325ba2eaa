"""What the team writes about planning and about who is away, and the work there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from episodes.families.t04.kinds import Priority

GUIDE: Final = "How we plan our sprints in {space}"
ABSENCES: Final = "Who is away in {space}"
# What the goal of a sprint is told with: work of the first priority is named in it.
NAMED: Final[Priority] = "Highest"
# A sprint that runs, the next one, and one that sounds like it.
NAMES: Final = (
    ("Orchard 5", "Orchard 6", "Orchard 6b"),
    ("Beacon 2", "Beacon 3", "Becon 3"),
    ("Granite 8", "Granite 9", "Granite 9a"),
    ("Willow 13", "Willow 14", "Wilow 14"),
)
LABELS: Final = ("next-up", "refined", "ready-to-plan", "groomed", "sized")
SUMMARIES: Final = (
    "Filters keep their order after a reload",
    "Explain refusals of the import in plain words",
    "Retry deliveries after an outage of the target",
    "Sums differ between preview and print",
    "Merge the two dialogs for renaming",
    "Remember the width of the columns",
    "Ask before long exports begin",
    "Accept addresses with umlauts",
    "Show the time zone next to every time",
    "Move the nightly job to the new queue",
    "Sort the list of devices by last use",
    "Search finds nothing after a change of language",
    "Trim blanks in pasted keys",
    "Write down how keys are rotated",
    "Let readers collapse long threads",
    "Drop support for the old file header",
    "Group notices of one upload",
    "Paging jumps back to the first page",
    "Say which field a formula fails on",
    "Cache the pictures of members",
    "Allow two owners of one folder",
    "Undo for the last bulk change",
    "Keep drafts when the session ends",
    "Count retries in the health page",
)
AWAY: Final = (
    "{name} is away from {first} to {last}.",
    "{name} will be away from {first} to {last}, family.",
    "{name} is away from {first} to {last}, on a course.",
)
HERE: Final = "{name} is here after all from {first} to {last}, the trip is off."
LISTED: Final = "One comment for each absence, please. The first and the last day are both away."
REPLACED: Final = "From today on work is worth this, and no longer what stands above:"


def day_text(day: date) -> str:
    """Return a day as people write it: 6 July 2026."""
    return f"{day.day} {day:%B} {day.year}"


def worth_lines(worth: Mapping[Priority, int]) -> str:
    """Return the list of what work of each priority is worth."""
    return "\n".join(f"- {priority}: {value}" for priority, value in worth.items())


READY: Final = (
    "Work that may be planned carries the label {label}, is not Done, has Story Points and an"
    " assignee, and is in no other sprint. Nothing about it is changed to make it fit. What is in"
    " the sprint already stays in it and counts."
)
WORTH: Final = "Work is worth by its priority:"
DAYS: Final = (
    "Story Points that each of us can take for every working day of the sprint, Monday to Friday,"
    " from its first day to its last:"
)
LIMITS: Final = (
    'Days on which somebody is away do not count: see "{absences}". Nobody gets more Story Points'
    " than that, and nobody else gets any."
)
BLOCKED: Final = (
    "Work that is blocked is planned only if each work item that blocks it is Done or in the same"
    " sprint."
)
MOST: Final = (
    "The sprint is filled with whatever of this is worth the most together. It is not started while"
    " we plan."
)
GOAL: Final = (
    f"Its goal then says how many Story Points are in it, and which {NAMED} work by key, all of it"
    " and no other, as in: 31 points, with ABC-1 and ABC-2."
)


def guide_text(
    label: str, worth: Mapping[Priority, int], rates: Sequence[tuple[str, float]], space: str
) -> str:
    """Return the team's guide to planning; `rates` are points a working day by name."""
    people = "\n".join(f"- {name}: {rate:g} a day" for name, rate in rates)
    limits = LIMITS.format(absences=ABSENCES.format(space=space))
    ready = READY.format(label=label)
    parts = (ready, WORTH, worth_lines(worth), DAYS, people, limits, BLOCKED, MOST, GOAL)
    return "\n\n".join(parts)


def goal_text(points: float, keys: Sequence[str]) -> str:
    """Return the goal of a sprint as the guide wants it, its keys in their order."""
    keys = sorted(keys, key=lambda key: int(key.rpartition("-")[2]))
    named = " and ".join([", ".join(keys[:-1]), keys[-1]] if len(keys) > 1 else keys)
    return f"{points:g} points, with {named}" if named else f"{points:g} points"


OLD_GUIDE: Final = (
    "We plan what is labelled {label} and take it by priority until everybody has ten Story"
    " Points. Absences do not matter. The goal is a sentence of our own."
)
OLD_END: Final = "Replaced by a new one."
