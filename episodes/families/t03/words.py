"""What reports of T03 say, what is on record already, and the guide to sorting them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from episodes.families.t03.params import (
    CATEGORIES,
    EFFECTS,
    REACHES,
    Category,
    Effect,
    Params,
    Reach,
)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that does not work: two titles for it, and what people write."""

    category: Category
    title: str
    other: str
    text: str


FAULTS: Final = (
    Fault(
        "saving",
        "Autosave keeps an empty copy",
        "Empty copy after the autosave",
        "After a while it has saved an empty copy over the good one.",
    ),
    Fault(
        "saving",
        "Save under another name keeps the old one",
        "New name is not taken when saving",
        "Whatever name is given, it is saved under the old one.",
    ),
    Fault(
        "saving",
        "Saved files miss their last page",
        "Last page gone after saving",
        "What was saved yesterday has no last page today.",
    ),
    Fault(
        "saving",
        "Backup copy cannot be saved twice",
        "Second backup is refused",
        "The first copy is saved, the second is refused without a word.",
    ),
    Fault(
        "display",
        "List shows last month's entries",
        "Old entries in the list",
        "The screen shows the entries of last month until it is opened again.",
    ),
    Fault(
        "display",
        "Half of the panel is drawn black",
        "Black panel on the right",
        "The right half of the screen is drawn black.",
    ),
    Fault(
        "display",
        "Totals are shown twice on the screen",
        "Two totals below the table",
        "Below the table the total is shown two times.",
    ),
    Fault(
        "display",
        "Long names are drawn over each other",
        "Names overlap on the screen",
        "Long names are drawn over each other, nobody can read them.",
    ),
    Fault(
        "speed",
        "Opening takes minutes in the morning",
        "Very slow at the first start",
        "The first start of the day takes four minutes.",
    ),
    Fault(
        "speed",
        "Search is slow with two words",
        "Two words make the search crawl",
        "With one word it is quick, with two it is so slow that people give up.",
    ),
    Fault(
        "speed",
        "Long wait after every click",
        "Every click takes its time",
        "There is a wait of some seconds after each click.",
    ),
    Fault(
        "speed",
        "Printing is slow on the second tray",
        "Second tray is slow",
        "From the first tray it is fine, from the second it is slow as never before.",
    ),
    Fault(
        "access",
        "Password is asked for on every page",
        "Password again and again",
        "The password has to be typed on every page.",
    ),
    Fault(
        "access",
        "New accounts cannot sign in on day one",
        "Sign-in fails for new people",
        "Whoever gets an account today cannot sign in before tomorrow.",
    ),
    Fault(
        "access",
        "Guests see the account page of others",
        "Account page of somebody else",
        "A guest was taken to the account page of somebody else.",
    ),
    Fault(
        "access",
        "Sign-in forgets the chosen team",
        "Team is lost at sign-in",
        "At each sign-in the team has to be chosen anew.",
    ),
)
# What is meant to be so: how the guide puts it, how people report it, and a word of both.
INTENDED: Final = (
    (
        "Drafts are deleted after thirty days without a change.",
        "Drafts are gone after a month",
        "All my drafts from May are gone.",
        "drafts",
    ),
    (
        "Exports are limited to ten thousand rows.",
        "Exports stop at ten thousand rows",
        "The exports end at row 10,000, though there are more.",
        "exports",
    ),
    (
        "Invitations can be used once only.",
        "Invitations do not work a second time",
        "I clicked on one of the invitations again and was turned away.",
        "invitations",
    ),
    (
        "Reminders are not sent at weekends.",
        "No reminders on Saturday",
        "There were no reminders from Friday evening to Monday.",
        "reminders",
    ),
)
ABOUT: Final[dict[Category, str]] = {
    "saving": "saving and files",
    "display": "what the screen shows",
    "speed": "speed and waiting",
    "access": "signing in and accounts",
}
EFFECT_WORDS: Final[dict[Effect, str]] = {
    "lost": "work is lost",
    "stopped": "somebody cannot go on",
    "nuisance": "it is a nuisance",
}
REACH_WORDS: Final[dict[Reach, str]] = {
    "all": "everybody",
    "some": "several people",
    "one": "one person",
}
SAID_EFFECT: Final[dict[Effect, tuple[str, ...]]] = {
    "lost": ("A morning's work is lost.", "What was done before is lost for good."),
    "stopped": ("We cannot go on with the job.", "Nobody here can go on until it is mended."),
    "nuisance": ("It is a nuisance, no more.", "One can live with it, but it is a nuisance."),
}
SAID_REACH: Final[dict[Reach, tuple[str, ...]]] = {
    "all": ("Everybody in the company has it.", "It hits everybody, on every machine."),
    "some": ("Several people here have it.", "Several people of my team report the same."),
    "one": ("Only one person has it so far, me.", "One person has it, the others do not."),
}
GUIDES: Final = ("Triage guide for {space}", "How we sort reports in {space} (triage)")
LABEL: Final = "incoming"
REGRESSION: Final = "regression"


def report(text: str, version: str, code: str | None, said: tuple[str, str]) -> str:
    """Return what somebody reports; `said` tells what it does and to whom."""
    log = "" if code is None else f"\n\nThe log has {code}."
    return f"{text} {said[0]} {said[1]}\n\nSeen in {version}.{log}"


def record(text: str, code: str) -> str:
    """Return what is on record of a fault."""
    return f"{text}\n\nFrom the log: {code}."


def said_of(effect: Effect, reach: Reach, chance: Random) -> tuple[str, str]:
    """Return how people say what a fault does and to whom."""
    return chance.choice(SAID_EFFECT[effect]), chance.choice(SAID_REACH[reach])


def guide_text(params: Params, components: dict[Category, str], intended: list[str]) -> str:
    """Return the guide: what is the same fault, what becomes of each, components, priorities."""
    parts = [
        (
            "Two reports are about the same fault if they quote the same code from the log. Titles"
            " say little."
        ),
        (
            "The same fault is on record and open: link the report so that it duplicates the one on"
            " record, and close it as Duplicate."
        ),
        (
            "The same fault was fixed: look at the version that the report names. Before the fix"
            " version, it is a duplicate as well. From the fix version on, the fault has come back:"
            f" leave the report open, relate it to the one on record, and add the label"
            f" {REGRESSION}."
        ),
        "Meant to be so, close as Won't Do: " + " ".join(intended),
        "Everything else is new and stays open.",
        "Whatever stays open gets a component:",
        "\n".join(f"- {ABOUT[name]}: {components[name]}" for name in CATEGORIES),
        "And a priority, by what it does and to whom:",
        "\n".join(_matrix(params)),
    ]
    return "\n\n".join(parts)


def _matrix(params: Params) -> list[str]:
    return [
        f"- {EFFECT_WORDS[effect]}: "
        + ", ".join(f"{REACH_WORDS[reach]} {params.priority(effect, reach)}" for reach in REACHES)
        for effect in EFFECTS
    ]
