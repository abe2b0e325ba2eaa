"""How colleagues put it when they ask for a board to be set up."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from episodes.families.t02.words import phrase

LANES: Final = {
    "none": ("No swimlanes.", "Swimlanes: none at all."),
    "assignee": ("Swimlanes by assignee.", "One swimlane for each assignee."),
    "parent": ("Swimlanes by epic.", "One swimlane for each epic."),
    "project": ("Swimlanes by space.", "One swimlane for each space."),
}
SUBJECTS: Final = (
    "Our board needs a new set-up",
    "Please set up the board",
    "Board for the new way of working",
    "Columns and filters of our board",
    "Board set-up after the retrospective",
)
OPENINGS: Final = ("Hi,", "Hello,", "Hey,", "Good morning,")
STARTS: Final = (
    'this is how the board "{board}" should look after the retrospective.',
    'could you please set up our board "{board}" as follows?',
    'we agreed on a new set-up of the board "{board}".',
)
ENDS: Final = (
    "Statuses that I do not name are on no column: leave them unmapped.",
    "What is not named here is to be unmapped.",
)
STAYS: Final = (
    "The quick filters that are there stay.",
    "Leave the quick filters that we have.",
)
CLOSINGS: Final = ("Thanks!", "Thank you", "Cheers")
TEAM_NAMES: Final = ("Delivery", "Flow", "Daily work", "Stand-up", "Pipeline")
QUICK_NAMES: Final = (
    "Hot",
    "Look here",
    "Morning",
    "Not forgotten",
    "Pick me",
    "Soon",
    "Stuck",
    "Today",
)


def request(wish: Mapping[str, Any], chance: Random) -> str:
    """Return the description of the request."""
    parts = [
        chance.choice(OPENINGS),
        chance.choice(STARTS).format(board=wish["board_name"]),
        "Columns from left to right:",
        "\n".join(f"- {_column(column)}" for column in wish["columns"]),
        chance.choice(ENDS),
        "Besides two quick filters:",
        "\n".join(f"- {_quick(quick, chance)}" for quick in wish["quick"]),
        chance.choice(STAYS),
        chance.choice(LANES[wish["lanes"]]),
        chance.choice(CLOSINGS),
    ]
    return "\n\n".join(parts)


def _column(column: Mapping[str, Any]) -> str:
    held = " and ".join(f"[{name}]" for name in column["statuses"]) or "no status"
    limits = ""
    if column["minimum"] is not None:
        limits += f", at least {column['minimum']}"
    if column["maximum"] is not None:
        limits += f", at most {column['maximum']}"
    return f'column "{column["name"]}" with {held}{limits}.'


def _quick(quick: Mapping[str, Any], chance: Random) -> str:
    every = [phrase(each, chance) for each in quick["conditions"] if each["side"] == "all"]
    some = [phrase(each, chance) for each in quick["conditions"] if each["side"] == "any"]
    text = f'filter "{quick["name"]}": work items ' + ", ".join(every)
    if some:
        text += ", and of those at least one of: " + "; ".join(some)
    return text + "."
