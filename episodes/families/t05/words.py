"""What the team writes about its sprints, and the work in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from episodes.families.t05.kinds import KINDS, Kind

GUIDE: Final = "How we close our sprints in {space}"
OF_KIND: Final[Mapping[Kind, str]] = {
    "blocked": "Labelled blocked",
    "bug": "Bugs",
    "started": "In progress",
    "untouched": "Not begun",
}
NEXT: Final = "next sprint"
BACKLOG: Final = "backlog"
NAMES: Final = (
    ("Harbour 1", "Harbour 2", "Harbor 1"),
    ("Lantern 7", "Lantern 8", "Lantern 7b"),
    ("Meadow 4", "Meadow 5", "Meadow 4a"),
    ("Quarry 11", "Quarry 12", "Quarry 11b"),
)
SUMMARIES: Final = (
    "Import keeps the order of columns",
    "Explain the limits of a batch",
    "Retry uploads after a lost connection",
    "Totals differ between list and report",
    "Rename the old export profiles",
    "Remember the last open folder",
    "Warn before a long calculation",
    "Empty names are accepted in the form",
    "Show units next to every number",
    "Move the schedule to the new service",
    "Sort results by distance",
    "Search forgets its filter",
)
PARTS: Final = ("Check with the testers", "Write it down for support")


def rule_text(table: Mapping[Kind, bool], weeks: int) -> str:
    """Return the team's rule, as its table has it."""
    lines = [f"- {OF_KIND[kind]}: {NEXT if table[kind] else BACKLOG}" for kind in KINDS]
    finished = (
        "A work item is finished only if its own status is Done, whatever its sub-tasks say."
        " Sub-tasks stay with their parents."
    )
    length = (
        "The next sprint begins on the day on which the old one is completed, and lasts"
        f" {weeks} {'week' if weeks == 1 else 'weeks'}."
    )
    first = "What is not Done when a sprint is completed goes where the first line that fits says:"
    return "\n\n".join((first, "\n".join(lines), finished, length))


REPLACED: Final = "From now on this holds in place of what stands above."
