"""What is written on the work items of T01, and how a goal asks about one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from episodes.families.t01.params import Fact, Way


@dataclass(frozen=True, slots=True)
class Topic:
    """A fault and its near-twin: summaries, how a goal describes the first, what both say.

    `again` is how somebody else reported the first.
    """

    summary: str
    described: str
    again: str
    text: str
    twin: str
    twin_text: str


TOPICS: Final = (
    Topic(
        "Thumbnails turn grey after a rename",
        "the thumbnails that turn grey after a rename",
        "Renamed designs have grey thumbnails",
        "Rename a design twice: its thumbnail turns grey and stays so.",
        "Thumbnails are cut off at the right",
        "Wide designs have thumbnails that end too early.",
    ),
    Topic(
        "Wizard jumps back to its first page",
        "the wizard that jumps back to its first page",
        "Set-up wizard starts over by itself",
        "Press Back on the third page: the wizard shows the first one, and all is empty.",
        "Wizard shows two progress bars",
        "On the last page there are two progress bars, one of them stands still.",
    ),
    Topic(
        "Tooltips stay when the window is minimised",
        "the tooltips that stay when the window is minimised",
        "Yellow tooltips left on the desktop",
        "Minimise the window while a tooltip shows: it stays on the desktop.",
        "Tooltips are in English in the German version",
        "The tooltips of the toolbar were never translated.",
    ),
    Topic(
        "Rounding hides the last cent of instalments",
        "the rounding that hides the last cent of instalments",
        "Instalments do not add up to the total",
        "Three instalments of 100.00 are shown as 33.33 each.",
        "Rounding differs between page and mail",
        "The page says 19.99, the mail says 20.00.",
    ),
    Topic(
        "Nightly digest lists people twice",
        "the nightly digest that lists people twice",
        "Same person two times in the digest",
        "Whoever is in two teams stands twice in the digest of the night.",
        "Nightly digest comes at noon",
        "Readers in Denver get the digest in the middle of the day.",
    ),
    Topic(
        "Ruler forgets its origin when unlocked",
        "the ruler that forgets its origin when unlocked",
        "Origin of the ruler moves by itself",
        "Lock the ruler, unlock it: its origin is at the corner again.",
        "Ruler has no ticks below a millimetre",
        "Zoomed in as far as it goes, there is nothing between two millimetres.",
    ),
    Topic(
        "Heartbeat stops after a clock change",
        "the heartbeat that stops after a clock change",
        "No heartbeats since the clocks went forward",
        "After the change to summer time there were no heartbeats for an hour.",
        "Heartbeat is logged twice per second",
        "The log fills up: every heartbeat stands in it two times.",
    ),
    Topic(
        "Keyboard shortcuts clash in the palette",
        "the keyboard shortcuts that clash in the palette",
        "Ctrl+K does two things in the palette",
        "Ctrl+K opens the palette and deletes what is selected.",
        "Keyboard shortcuts are not listed anywhere",
        "There is no page that tells which shortcuts there are.",
    ),
)
QUESTIONS: Final[dict[Fact, tuple[str, ...]]] = {
    "fixed": ("in which version it is fixed", "which version it was fixed for in the end"),
    "taken": (
        "when it changed hands for the last time",
        "at what time it last went from one assignee to another",
    ),
    "before": (
        "who had it before its present assignee",
        "which colleague it was taken over from by its present assignee",
    ),
    "done": ("when it was set to Done for good", "at what time it last reached Done"),
    "spent": ("how much time was logged on it", "the time that was logged on it in all"),
    "blocker": ("which work item it is blocked by", "by which work item it is blocked"),
    "priority": (
        "which priority it had when it was filed",
        "the priority that it was filed with",
    ),
    "build": (
        "in which build it was seen, as corrected later",
        "the number of the build in which it was really seen",
    ),
}
FORMS: Final[dict[Fact, str]] = {
    "fixed": "Give the version's name as it is written there.",
    "taken": (
        "Give date and time to the minute as YYYY-MM-DD HH:MM, in the time of {zone}"
        " (the tracker's pages show the time of {page_zone})."
    ),
    "before": "Give the full name as the tracker shows it.",
    "done": (
        "Give date and time to the minute as YYYY-MM-DD HH:MM, in the time of {zone}"
        " (the tracker's pages show the time of {page_zone})."
    ),
    "spent": "Give whole minutes, as a number; a working day has eight hours.",
    "blocker": "Give its key.",
    "priority": "Give its name.",
    "build": "Give it as it is written there.",
}
WAY_WORDS: Final[dict[Way, str]] = {
    "symptom": "the bug in {space} about {topic} (not a report closed as its duplicate)",
    "code": "the bug that quotes the error code {code}",
    "day": "the bug that {reporter} filed in {space} on {day}",
    "component": "the bug in the component {component} of {space} that {reporter} filed",
    "former": "the bug that had the key {former} before it was moved",
}
SEEN: Final = "Seen in build {build}."
CORRECTED: Final = "I looked again, that was not right: the build was {build}."
BACK: Final = "It is back, opened again."
MERGED: Final = "Fixed, it goes into {version}."


def day_words(day: date) -> str:
    """Return a day as people write it: 2 July 2026."""
    return f"{day.day} {day:%B %Y}"


def report(text: str, code: str) -> str:
    """Return what somebody who meets a fault files."""
    return f"{text}\n\nThe log has {code} at that moment. It happens every time."
