"""Macros of wiki markup: where they are in a text, and what they hold."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass

_NAMES = "adf|anchor|code|quote|noformat|panel|color"
_OPENING = re.compile(rf"(?<!\{{)\{{({_NAMES})(?::([^{{\n}}]*))?\}}", re.IGNORECASE)
_CLOSING = re.compile(rf"\{{({_NAMES})\}}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Macro:
    """One macro: where it stands, how it is set, what is inside.

    A macro that nobody closes holds nothing and ends where its opening does.
    """

    name: str
    start: int
    end: int
    settings: str
    body: str

    def values(self) -> dict[str, str]:
        """Return the settings by name; of a setting given twice, the first."""
        found: dict[str, str] = {}
        for part in self.settings.split("|"):
            name, _, value = part.partition("=")
            found.setdefault(name.strip(), value.strip())
        return found


def find_macros(text: str) -> list[Macro]:
    """Return the macros of a text, none inside another, in order.

    What is inside a macro is read when the macro is. An opening after a backslash is text. Time is
    linear but for a logarithm: closings are found once.
    """
    closings: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for found in _CLOSING.finditer(text):
        closings[found[1].lower()].append(found.span())
    macros: list[Macro] = []
    at = 0
    while (opening := _OPENING.search(text, at)) is not None:
        at = opening.end()
        if is_escaped(text, opening.start()):
            continue
        name = opening[1].lower()
        body, end = "", at
        if name != "anchor":
            known = closings[name]
            place = bisect_left(known, (at, 0))
            if place < len(known):
                body, end = text[at : known[place][0]], known[place][1]
        macros.append(Macro(name, opening.start(), end, opening[2] or "", body))
        at = end
    return macros


def is_escaped(text: str, at: int) -> bool:
    """Tell whether an odd number of backslashes stands before a place."""
    first = at
    while first and text[first - 1] == "\\":
        first -= 1
    return (at - first) % 2 == 1


def lines_of(text: str, macros: list[Macro]) -> list[tuple[int, int]]:
    """Return where the lines of a text begin and end; line ends inside a macro are not counted."""
    lines: list[tuple[int, int]] = []
    begin = at = 0
    following = iter(macros)
    macro = next(following, None)
    while (end := text.find("\n", at)) >= 0:
        while macro is not None and macro.end <= end:
            macro = next(following, None)
        if macro is not None and macro.start < end:
            at = macro.end
            continue
        lines.append((begin, end))
        begin = at = end + 1
    lines.append((begin, len(text)))
    return lines
