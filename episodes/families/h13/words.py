"""What the colleague writes: what the macro is to do, and what they got wrong at first."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final, Literal

from episodes.families.h13.params import Filing, Slot

Corrected = Literal["status", "title", "mode"]

SUBJECTS: Final = (
    "New macro please",
    "Macro for warranty cases",
    "Could we have a macro for this?",
    "macro wanted",
    "One more macro for warranty triage",
    "Request: macro for warranty claims",
)
# The new macro's name, the one that the first mail may give by mistake, and one there already.
TITLES: Final = (
    ("Warranty::Parts claim", "Warranty::Claim for parts", "Warranty::Part claim"),
    ("Warranty::First check", "Warranty::Check first", "Warranty::First checks"),
    ("Warranty::Triage", "Warranty::Triage new", "Warranty::Triage (old form)"),
    ("Warranty::Proof of purchase", "Warranty::Purchase proof", "Warranty::Proof of purchases"),
    ("Warranty::Tube case", "Warranty::Laser tube case", "Warranty::Tube cases"),
    ("Warranty::Photos wanted", "Warranty::Photo wanted", "Warranty::Photos wanted (dealers)"),
)
OPENERS: Final = (
    "Hi,\n\ncould you set up a macro for warranty cases? Everybody files them differently now.",
    "Hello,\n\nwe need a new macro for warranty triage. We type the same thing ten times a week.",
    "Hey,\n\nsmall request: a macro for the warranty cases, so that they all look the same.",
    "Hi there,\n\nafter the last team meeting I promised to ask you for one more macro.",
)
NAMES: Final = ("It should be called {title}.", "Name: {title}.", "Please call it {title}.")
NAMED: Final = (
    "Only agents in {group} should see it.",
    "It is for the group {group} and nobody else.",
    "Please make it visible to {group} only.",
)
OURS: Final = (
    "Only the group I am in should see it.",
    "It is for my own group and nobody else.",
    "Please make it visible to the group I work in only.",
)
SAME: Final = (
    "The same group that has {old} should see it, and nobody else.",
    "It is for the group that {old} is for, and for that group only.",
)
STATUSES: Final[dict[str | None, tuple[str, ...]]] = {
    "open": ("the status becomes Open", "set the status to Open"),
    "pending": ("the status becomes Pending", "set the status to Pending"),
    "hold": ("the status becomes On-hold", "set the status to On-hold"),
    None: ("leave the status as it is", "do not touch the status"),
}
MODES: Final[dict[bool, tuple[str, ...]]] = {
    True: ("the text is a public reply", "the text goes to the customer as a public reply"),
    False: ("the text is an internal note", "the text stays with us as an internal note"),
}
PRIORITY: Final = ("the priority becomes {label}", "set the priority to {label}")
TYPE: Final = ("the type becomes {label}", "set the type to {label}")
ADD: Final = ("add the tag {tag}", "put the tag {tag} on, beside those that are there")
DROP: Final = ("take the tag {tag} off, if it is there", "remove the tag {tag} where it is set")
GROUP: Final = ("hand the ticket to the group {group}", "assign it to the group {group}")
CATEGORY: Final = ("the category becomes {label}", "set the category to {label}")
FILLING: Final = (
    "What stands in square brackets is different each time: the macro has to fill it in.",
    "In place of the square brackets the macro puts what belongs to the ticket at hand.",
)
NOTHING_ELSE: Final = (
    "It should change nothing else on the ticket. {old} stays as it is, we still use it.",
    "Nothing else on the ticket changes. And please leave {old} alone, it is still in use.",
)
CORRECTIONS: Final[dict[Corrected, tuple[str, ...]]] = {
    "status": (
        "Sorry, I got one thing wrong about the status: {sentence}.",
        "We talked it over again. Not what I wrote about the status: {sentence}.",
    ),
    "title": (
        "Sorry, another name after all. Name: {title}.",
        "One change, the name is taken for something else. Please call it {title}.",
    ),
    "mode": (
        "Sorry, I mixed something up: {sentence}.",
        "One correction after talking to the others: {sentence}.",
    ),
}
SLOTS: Final[dict[Slot, tuple[str, ...]]] = {
    "first_name": ("[first name of the customer]", "[customer's first name]"),
    "name": ("[full name of the customer]", "[customer's full name]"),
    "id": ("[number of the ticket]", "[ticket number]"),
    "title": ("[subject of the ticket]", "[ticket subject]"),
    "organization": ("[organization of the customer]", "[customer's organization]"),
    "agent": ("[first name of whoever uses the macro]", "[first name of the agent who answers]"),
}
# By whether it is public: what comes before the second slot, and after it.
FRAMES: Final[dict[bool, tuple[tuple[str, str], ...]]] = {
    True: (
        (
            (
                "Hello {0},\n\nthank you for telling us. To check your warranty we need the serial"
                " number, the invoice and two photos of the part."
            ),
            "As soon as we have them we decide within three working days.",
        ),
        (
            (
                "Dear {0},\n\nI am sorry about the trouble. Please send us the invoice and a short"
                " video, so that we can see whether this is a warranty case."
            ),
            "Please keep the old part until you hear from us.",
        ),
        (
            (
                "Hi {0},\n\nwe have taken this up as a warranty case. Please do not take the"
                " machine apart, or the warranty ends."
            ),
            "A technician will look at it next.",
        ),
    ),
    False: (
        (
            (
                "Warranty check for {0}: look up the date of delivery, and ask for the invoice if"
                " it is older than two years."
            ),
            "Write the result below before you answer.",
        ),
        (
            "Warranty case of {0}. Compare the serial number with the delivery note.",
            "Without a match this is a paid repair, whatever was promised on the phone.",
        ),
        (
            "{0} has reported a part that may be under warranty. Check the photos first.",
            "Escalate only what shows smoke or water.",
        ),
    ),
}
SECONDS: Final[dict[Slot, tuple[str, ...]]] = {
    "id": ("The number of this case is {0}.", "Quote {0} whenever it is about this case."),
    "title": ('This is about "{0}".', 'It came in as "{0}".'),
    "organization": ("The machine is registered to {0}.", "The owner we have on file is {0}."),
    "agent": ("{0} looks after this case.", "The one to ask about it is {0}."),
}


@dataclass(frozen=True, slots=True)
class Letter:
    """What the first mail says, value by value; texts of slots are still in brackets."""

    title: str
    access: str
    old: str
    lines: tuple[str, ...]
    text: str
    name: str


def reply_text(
    slots: tuple[Slot, ...], chance: Random, *, public: bool
) -> tuple[str, dict[str, str]]:
    """Return the macro's text with its slots in brackets, and which slot each bracket is."""
    before, after = chance.choice(FRAMES[public])
    words: dict[str, str] = {chance.choice(SLOTS[slot]): slot for slot in slots}
    brackets = list(words)
    parts = [before.format(brackets[0])]
    if len(slots) > 1:
        parts.append(chance.choice(SECONDS[slots[1]]).format(brackets[1]))
    return "\n\n".join([*parts, after]), words


def filing_lines(filing: Filing, values: dict[str, str], chance: Random) -> list[str]:
    """Return what the mail says of how tickets are filed, by the labels that agents read."""
    patterns = {
        "priority": (PRIORITY, TYPE),
        "tags": (ADD, ADD),
        "retag": (ADD, DROP),
        "group": (GROUP, TYPE),
        "category": (CATEGORY, ADD),
    }[filing]
    given = {
        "priority": ("priority", "type"),
        "tags": ("tag", "second"),
        "retag": ("tag", "dropped"),
        "group": ("group", "type"),
        "category": ("category", "tag"),
    }[filing]
    found = []
    for choices, name in zip(patterns, given, strict=True):
        value = values[name]
        found.append(chance.choice(choices).format(label=value, tag=value, group=value))
    return found


def letter_text(letter: Letter, chance: Random) -> str:
    """Return the first mail."""
    lines = "\n".join(f"- {line}" for line in letter.lines)
    return (
        f"{chance.choice(OPENERS)}\n\n"
        f"{chance.choice(NAMES).format(title=letter.title)} {letter.access}\n\n"
        f"What it does to a ticket:\n\n{lines}\n\n"
        f"And the text, word for word:\n\n-----\n\n{letter.text}\n\n-----\n\n"
        f"{chance.choice(FILLING)} {chance.choice(NOTHING_ELSE).format(old=letter.old)}\n\n"
        f"Thanks\n{letter.name}"
    )


def correction_text(kind: Corrected, sentence: str, name: str, chance: Random) -> str:
    """Return the second mail; `sentence` is what is right, for a title the title itself."""
    words = chance.choice(CORRECTIONS[kind]).format(title=sentence, sentence=sentence)
    return f"{words} The rest is as I wrote.\n\n{name}"
