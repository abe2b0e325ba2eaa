"""What is written on the work items of T14, and how a goal asks about a release."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Final

from episodes.families.t14.params import Closed, Scope, Way

RELEASE_WORDS: Final[dict[Way, str]] = {
    "name": "the {space} release {version}",
    "day": "the {space} release that is planned for {day}",
    "next": "the {space} release that is planned next, counted from today",
    "start": "the {space} release that was started on {day}",
    "codename": 'the {space} release that its description calls "{codename}"',
}
CLOSED_WORDS: Final[dict[Closed, str]] = {
    "ends": "What is closed blocks nothing any more, so a chain ends there.",
    "passes": (
        "What is closed is not listed, but a chain goes on through it: what blocks a closed one"
        " counts as well."
    ),
}
SCOPE_WORDS: Final[dict[Scope, str]] = {
    "all": "All of them are to be listed, of whatever space and type.",
    "elsewhere": (
        "List only those that belong to other spaces than the release; chains may lead through any."
    ),
    "nobody": "List only those that nobody is assigned to; chains may lead through any.",
    "bugs": "List only bugs; chains may lead through work of any type.",
    "untouched": (
        "List only those on which work has not begun, in a status of the category To Do; chains"
        " may lead through any."
    ),
}
FORM: Final = (
    "A work item blocks the release if it blocks an open work item that has the release as its fix"
    " version, or blocks one that does, however long the chain; the release's own work items are"
    ' never listed. Answer with an object of two fields: "blockers" is the list of their keys,'
    ' "first" the key of the one on that list that is due first, by its due date.'
)
# Names that descriptions of versions give them: one for the release, one for the one after it.
CODENAMES: Final = (
    ("Blue Heron", "Grey Heron"),
    ("Night Ferry", "Night Train"),
    ("Copper Beech", "Silver Birch"),
    ("Long Meadow", "Low Meadow"),
    ("Salt Marsh", "Salt Lake"),
    ("Red Lantern", "Red Letter"),
)
CONTENTS: Final = ("fixes that cannot wait", "what the pilot asked for", "smaller repairs")
THINGS: Final = (
    "the import dialog",
    "the status page",
    "the relay",
    "the first start",
    "the job list",
    "the settings",
    "the preview",
    "the sign-in window",
    "the update server",
    "the price list",
    "error messages",
    "the weekly report",
)
BUGS: Final = (
    "{0} shows old values",
    "Crash in {0}",
    "Wrong numbers in {0}",
    "{0} freezes at times",
)
TASKS: Final = (
    "Move {0} to the new library",
    "Renew the certificate of {0}",
    "Measure {0} under load",
    "Agree on the texts of {0}",
)
NOTES: Final = (
    "Agreed in the planning round, details follow.",
    "See the notes of the last review. Estimate is rough.",
    "came up again this week, pls look when there is time",
    "Wie besprochen, Einzelheiten folgen.",
)


def day_words(day: date) -> str:
    """Return a day as people write it: 2 July 2026."""
    return f"{day.day} {day:%B %Y}"


def titles(chance: Random, kinds: list[bool]) -> list[str]:
    """Return a summary for each work item, of a bug where `kinds` says so; no two are alike."""
    pools = {
        bug: chance.sample([(form, thing) for form in forms for thing in THINGS], len(kinds))
        for bug, forms in ((True, BUGS), (False, TASKS))
    }
    found = []
    for bug in kinds:
        form, thing = pools[bug].pop()
        text = form.format(thing)
        # One in six is written carelessly.
        found.append(text.lower() if chance.random() < 1 / 6 else text[0].upper() + text[1:])
    return found
