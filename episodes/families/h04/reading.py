"""What a careful agent makes of what it reads: the rules, the macros' titles, the conversations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

LINE: Final = re.compile(r"- ([^:\n]+?): ([^-\n]+?)(?=\s*(?:\n|$|- [A-Z]))")
TITLE: Final = re.compile(r"^First reply::([^:]+): (.+)$")
MACHINE: Final = re.compile(r"\b(?:Swift|Merlin|Kite|Osprey|Harrier) F?\d+(?: Pro)?\b")
SERIAL: Final = re.compile(r"\b[A-Z]{2}[A-Z0-9]{2}-\d{4}-\d{4}\b")
OTHER: Final = "no macro answers"
# What each line of the rules speaks of, and how people put it.
MATTERS: Final = (
    (r"Smoke", r"\bsmoke\b|\bfire\b|\bburnt his\b"),
    (r"lawyer", r"\blawyer\b|\bin court\b"),
    (r"bank", r"\bour bank\b|\bdisputed?\b"),
    (r"Personal data", r"\bpersonal data\b"),
    (r"Press", r"\bjournal\b|\btelevision\b|\breporter\b"),
)


class NoRules(LookupError):
    """Raised when a text holds no rules for first replies."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a ticket: the title of the macro that answers it, or the group it goes to."""

    macro: str | None
    group: str | None
    serial: str


def desks_of(text: str) -> dict[str, str]:
    """Return who gets what, line by line of the rules.

    Raises:
        NoRules: the text has no such lines.
    """
    found = {match[1].strip(): match[2].strip() for match in LINE.finditer(text)}
    if not any(OTHER in line for line in found):
        raise NoRules("the text has no rules for what is handed over")
    return found


def decide(said: Sequence[str], desks: Mapping[str, str], titles: Iterable[str]) -> Verdict:
    """Return what becomes of a ticket in which this was said, oldest first."""
    serial = next((found[0] for text in said if (found := SERIAL.search(text))), "")
    for word, pattern in MATTERS:
        if any(re.search(pattern, text, re.IGNORECASE) for text in said):
            line = next(line for line in desks if re.search(word, line))
            return Verdict(None, desks[line], serial)
    named = [name for text in said for name in MACHINE.findall(text)]
    for title in titles:
        found = TITLE.match(title)
        if found is None or not named or found[2] != named[-1]:
            continue
        if found[1].lower() in said[0].lower():
            return Verdict(title, None, serial)
    line = next(line for line in desks if OTHER in line)
    return Verdict(None, desks[line], serial)
