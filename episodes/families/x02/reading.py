"""What a careful agent makes of the note, of what a customer writes, and of what is on record."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

CODE: Final = re.compile(r"\b[BCDFGHKLMN][PQRSTVWXZ]X\d{4}\b")
VERSION: Final = re.compile(r"\bversion (?:is )?(?P<name>\w[\w.-]*\w)")
FACTS: Final = {
    "the code of the error": CODE,
    "the version": VERSION,
    "the machine's serial number": re.compile(r"\b[A-Z]{2}[A-Z0-9]{2}-\d{4}-\d{4}\b"),
    "the operating system": re.compile(r"\b(?:Windows \d+ \w+|(?:macOS|Ubuntu) \d+\.\d+)\b"),
    "the name of the file": re.compile(r"\b[a-z]+(?:-[a-z]+)*-\d\d\.(?:svg|dxf|ai)\b"),
}
ABOUT: Final = (
    ("signing in and accounts", re.compile(r"\bpassword|\bsign in\b|\baccount", re.IGNORECASE)),
    ("speed and waiting", re.compile(r"\bslow\b|\bminutes\b", re.IGNORECASE)),
    ("saving and files", re.compile(r"\bsave\b", re.IGNORECASE)),
    ("what the screen shows", re.compile(r"\bscreen\b", re.IGNORECASE)),
)
EFFECTS: Final = (
    ("work is lost", re.compile(r"\blost\b", re.IGNORECASE)),
    ("the customer stands still", re.compile(r"\bstand still\b", re.IGNORECASE)),
    ("it is a nuisance", re.compile(r"\bnuisance\b", re.IGNORECASE)),
)
SPACE: Final = re.compile(r"All of them go to the space (?P<name>.+?) on the tracker")
COMPONENT: Final = re.compile(r"Component for (?P<about>[a-z ]+): (?P<name>[^\n]+?)\.(?=\s|$)")
PRIORITY: Final = re.compile(r"Priority where (?P<effect>[a-z ]+): (?P<name>\w+)\.")
DEMANDED: Final = re.compile(r"What a bug has to tell: (?P<list>[^.]+)\.")
PROMISED: Final = re.compile(r"\b(?P<priority>\w+): (?P<days>\d+) working days\.")
IN_FORCE: Final = "replaces what was pinned before"


@dataclass(frozen=True, slots=True)
class Note:
    """The note in force: the space's name, what a bug tells, and three tables."""

    space: str
    demanded: Sequence[str]
    components: Mapping[str, str]
    priorities: Mapping[str, str]
    days: Mapping[str, int]


def note_of(text: str) -> Note:
    """Return what the note says.

    Raises:
        LookupError: it names no space, or nothing that a bug has to tell.
    """
    space, demanded = SPACE.search(text), DEMANDED.search(text)
    if space is None or demanded is None:
        raise LookupError("this is no note on raising bugs")
    return Note(
        space["name"],
        [name for name in FACTS if name in demanded["list"]],
        {found["about"]: found["name"] for found in COMPONENT.finditer(text)},
        {found["effect"]: found["name"] for found in PRIORITY.finditer(text)},
        {found["priority"]: int(found["days"]) for found in PROMISED.finditer(text)},
    )


@dataclass(frozen=True, slots=True)
class Report:
    """What a customer reports: facts by the note's words for them, area, effect, all that is told.

    `text` is what they see, as they put it.
    """

    facts: Mapping[str, str]
    about: str
    effect: str
    text: str

    @property
    def code(self) -> str:
        """The code of the error."""
        return self.facts["the code of the error"]


def report_of(mails: Sequence[str]) -> Report:
    """Return what a customer reports in all of their mails: what they said last counts.

    Raises:
        LookupError: they give no code, or nothing that the note sorts by.
    """
    facts: dict[str, str] = {}
    for mail in mails:
        for name, pattern in FACTS.items():
            found = pattern.search(mail)
            if found is not None:
                facts[name] = found["name"] if name == "the version" else found[0]
    told = "\n".join(mails)
    about = next((name for name, pattern in ABOUT if pattern.search(mails[0])), None)
    effect = next((name for name, pattern in EFFECTS if pattern.search(told)), None)
    if "the code of the error" not in facts or about is None or effect is None:
        raise LookupError(f"this is no report of a fault: {told[:80]}")
    return Report(facts, about, effect, sentences(mails[0])[0])


def sentences(mail: str) -> list[str]:
    """Return the sentences of what a mail says after its greeting."""
    parts = [part.strip() for part in mail.split("\n\n") if part.strip()]
    body = parts[1] if len(parts) > 1 else parts[0]
    return [one.strip() for one in re.split(r"(?<=[.!?])\s+", body) if one.strip()]


@dataclass(frozen=True, slots=True)
class Known:
    """What is on record of the same fault: its key, whether it is done, priority, fix version."""

    key: str
    done: bool
    priority: str
    version: str | None


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done: `joined` is the key of the bug on record, None where one is to be raised.

    `version` is what may be named to the customer as the one that has the fix.
    """

    note: Note
    report: Report
    joined: str | None
    priority: str
    version: str | None

    @property
    def summary(self) -> str:
        """The summary of a new bug."""
        return f"{self.report.code}: {self.report.text.rstrip('.')}"[:200]

    @property
    def paragraphs(self) -> list[str]:
        """What the bug has to tell, a paragraph each."""
        said = [f"{name.capitalize()}: {self.report.facts[name]}" for name in self.note.demanded]
        return ["Reported by a customer.", self.report.text, *said]

    @property
    def component(self) -> str:
        """The component of a new bug."""
        return self.note.components[self.report.about]

    @property
    def days(self) -> int:
        """In how many working days the customer hears from us."""
        return self.note.days[self.priority]

    @property
    def answer(self) -> str:
        """What the customer is told."""
        planned = f" The fix is planned for version {self.version}." if self.version else ""
        return (
            "thank you for the details. Our developers have everything they need to look into it."
            f"{planned} You will hear from us within {self.days} working days."
        )


def plan(note: Note, report: Report, known: Known | None) -> Plan:
    """Return what is to be done about a report."""
    if known is not None and not known.done:
        return Plan(note, report, known.key, known.priority, known.version)
    return Plan(note, report, None, note.priorities[report.effect], None)


def note_on(key: str) -> str:
    """Return the internal note that names the bug."""
    return f"With engineering as {key}."
