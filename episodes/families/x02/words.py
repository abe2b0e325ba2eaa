"""What customers write in X02, what is on record already, and the note on raising bugs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from episodes.families.x02.params import (
    CATEGORIES,
    EFFECTS,
    PRIORITIES,
    Category,
    Effect,
    Fact,
    Params,
)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that does not work: a customer's title for it, engineering's, and what they see."""

    category: Category
    title: str
    other: str
    text: str


FAULTS: Final = (
    Fault(
        "saving",
        "Saved job comes back empty",
        "Job file written without its layers",
        "I save the job, open it again, and there is nothing in it.",
    ),
    Fault(
        "saving",
        "Cannot save to our network drive",
        "Write to a mounted share is refused",
        "When I save to our network drive I get an error. To the desktop it works.",
    ),
    Fault(
        "saving",
        "Old copy after saving",
        "Save races with the backup copy",
        "I save, close, and the next day the old copy is back.",
    ),
    Fault(
        "display",
        "Preview is drawn upside down",
        "Preview ignores the origin of the bed",
        "The preview on the screen is drawn upside down, the cut comes out right.",
    ),
    Fault(
        "display",
        "Text in the preview is too small",
        "Scaling of fonts is applied twice",
        "The text on the screen is drawn so small that nobody can read it.",
    ),
    Fault(
        "display",
        "Black screen after the update",
        "Canvas stays black with two monitors",
        "Since the update the right half of the screen stays black.",
    ),
    Fault(
        "speed",
        "So slow since last week",
        "Planner visits every node twice",
        "Planning a job is so slow now that I go for a coffee meanwhile.",
    ),
    Fault(
        "speed",
        "Minutes of waiting at the start",
        "Start blocks on a lookup of names",
        "After the start there are minutes of waiting before I can do anything.",
    ),
    Fault(
        "speed",
        "Slow with big drawings",
        "Import is quadratic in the number of paths",
        "Small drawings are fine, with big ones everything is slow.",
    ),
    Fault(
        "access",
        "Password is refused since Monday",
        "Passwords with accents are refused",
        "My password is refused on this one computer, the phone takes it.",
    ),
    Fault(
        "access",
        "Thrown out of my account",
        "Session ends with the change of network",
        "Every few hours I am thrown out and have to sign in again.",
    ),
    Fault(
        "access",
        "Colleague's account shows up as mine",
        "Sign-in keeps the profile of the last user",
        "I sign in and see the account of the colleague who sat here before.",
    ),
)
SYSTEMS: Final = (
    "Windows 11 23H2",
    "Windows 10 22H2",
    "macOS 14.5",
    "macOS 13.6",
    "Ubuntu 24.04",
)
STEMS: Final = ("lid-left", "panel-front", "sign-oak", "box-small", "tag-sheet", "coaster")
ENDINGS: Final = ("svg", "dxf", "ai")
SAID: Final[dict[Effect, tuple[str, ...]]] = {
    "lost": ("I lost a whole morning's work over it.", "Two hours of work were lost with it."),
    "stopped": (
        "We stand still here until that is mended.",
        "At the moment we stand still because of it.",
    ),
    "nuisance": (
        "It is a nuisance, we get by somehow.",
        "We get by, but it is a nuisance.",
    ),
}
OPENERS: Final = ("Hello,", "Hi,", "Good morning,", "Dear support team,", "hi there")
CLOSERS: Final = ("Can you help?", "What can we do?", "Thanks for looking into it.", "pls advise")
TAKEN_BACK: Final = (
    "Sorry, that was the wrong computer. It happens with version {right}, not with {wrong}.",
    "I have to correct myself: the version is {right}. What I wrote ({wrong}) is the laptop's.",
)
ABOUT: Final[dict[Category, str]] = {
    "saving": "saving and files",
    "display": "what the screen shows",
    "speed": "speed and waiting",
    "access": "signing in and accounts",
}
EFFECT_WORDS: Final[dict[Effect, str]] = {
    "lost": "work is lost",
    "stopped": "the customer stands still",
    "nuisance": "it is a nuisance",
}
FACT_WORDS: Final[dict[Fact, str]] = {
    "code": "the code of the error",
    "version": "the version",
    "serial": "the machine's serial number",
    "system": "the operating system",
    "file": "the name of the file",
}
NOTE: Final = "raising bugs with engineering"


def mail(fault: Fault, held: Mapping[Fact, str], effect: Effect, name: str, chance: Random) -> str:
    """Return the mail in which a customer tells of a fault, with everything that they hold."""
    code = chance.choice(("It says {}.", "The message ends in {}.", "There is a code, {}.")).format(
        held["code"]
    )
    rest = [
        f"We are on version {held['version']} with {held['system']}.",
        f"The machine is {held['serial']}.",
        f"It happens with {held['file']} for one.",
    ]
    chance.shuffle(rest)
    opener, closer = chance.choice(OPENERS), chance.choice(CLOSERS)
    said = chance.choice(SAID[effect])
    return f"{opener}\n\n{fault.text} {code} {said}\n\n{' '.join(rest)}\n\n{closer}\n\n{name}"


def correction(right: str, wrong: str, name: str, chance: Random) -> str:
    """Return the mail in which a customer takes back which version it is."""
    said = chance.choice(TAKEN_BACK).format(right=right, wrong=wrong)
    return f"{said}\n\n{name}"


def record(text: str, code: str) -> str:
    """Return what engineering has on record of a fault."""
    return f"{text}\n\nCode in the log: {code}."


def note_text(
    params: Params,
    space: str,
    components: Mapping[Category, str],
    promises: Sequence[int],
) -> str:
    """Return the note in force: what to look for, what a bug has to tell, what customers hear."""
    facts = [FACT_WORDS[fact] for fact in params.facts]
    demanded = f"{', '.join(facts[:-1])} and {facts[-1]}"
    days = " ".join(
        f"{priority}: {number} working days."
        for priority, number in zip(PRIORITIES, promises, strict=True)
    )
    parts = [
        "How we raise bugs with engineering. This replaces what was pinned before.",
        f"All of them go to the space {space} on the tracker.",
        (
            "First look there for the code of the error. What shows the same code is the same"
            " fault, what has another code is another one. Titles say little."
        ),
        (
            "On record and not done: do not raise it again. Comment there with what a bug has to"
            " tell, and leave its fields to engineering."
        ),
        (
            "Not on record, or done: raise one new Bug. Its summary begins with the code, what it"
            " has to tell is in its description. It gets one component and a priority."
        ),
        *(f"Component for {ABOUT[name]}: {components[name]}." for name in CATEGORIES),
        *(
            f"Priority where {EFFECT_WORDS[effect]}: {params.priority(effect)}."
            for effect in EFFECTS
        ),
        (f"What a bug has to tell: {demanded}. What a customer took back has no place in it."),
        (
            "Link both ways: a web link from the bug to the ticket, and an internal note on the"
            " ticket with the key of the bug."
        ),
        (
            "Then answer the customer, with the number of working days in which they hear from us,"
            f" by the priority of the bug. {days}"
        ),
        (
            "Where the bug has a fix version, name that version to the customer. Name no version to"
            " come where it has none."
        ),
        "The ticket goes on hold. It is solved once the fix is out, never before.",
    ]
    return "\n\n".join(parts)


def old_note_text(space: str) -> str:
    """Return the note that was in force before."""
    return "\n\n".join(
        (
            "How we raise bugs with engineering.",
            f"All of them go to the space {space} on the tracker, one for each ticket.",
            "The summary is the subject of the ticket, the priority is High.",
            "Tell customers that they hear from us within 30 working days and solve the ticket.",
        )
    )
