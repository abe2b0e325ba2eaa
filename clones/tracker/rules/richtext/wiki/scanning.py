"""One pass over a line of wiki markup: what is opaque, and where formats may end.

The pass makes reading linear: an opening mark finds its closing one by bisection instead of by
walking to the end of the line.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field

from clones.tracker.rules.richtext.wiki.context import Context
from clones.tracker.rules.richtext.wiki.files import is_picture
from clones.tracker.rules.richtext.wiki.links import WikiLink, link_at
from clones.tracker.rules.richtext.wiki.macros import Macro

ESCAPABLE = frozenset("-#*_+?^~|%{}[]()!@")
NAMED = 1024  # characters between the marks of a picture: more are no name
FORMATS = ("*", "_", "-", "+", "^", "~", "??")
_STOPS = re.compile(r"[\\{\[!*_\-+^~]|\?\?")
_MONO_END = re.compile(r"\}\}")
_LOUD = re.compile("!")


@dataclass(slots=True)
class Scan:
    """What one pass found in a line."""

    text: str
    macros: dict[int, Macro]
    links: dict[int, tuple[WikiLink, int]] = field(default_factory=dict)
    monospace: dict[int, int] = field(default_factory=dict)  # where it begins, where `}}` stands
    pictures: dict[int, int] = field(default_factory=dict)
    closers: dict[str, list[int]] = field(default_factory=lambda: {mark: [] for mark in FORMATS})
    walls: list[int] = field(default_factory=list)  # where macros stand that no format may hold
    begins: list[int] = field(default_factory=list)  # where macros begin, of any kind

    def closing(self, mark: str, after: int, end: int) -> int | None:
        """Return where a format that began before `after` ends, None when it does not.

        The first mark that no letter follows ends it; with a space before it, nothing does.
        """
        places = self.closers[mark]
        at = bisect_left(places, after)
        if at == len(places) or places[at] >= end or places[at] == after:
            return None
        place = places[at]
        wall = bisect_left(self.walls, after)
        if wall < len(self.walls) and self.walls[wall] < place:
            return None
        return None if self.text[place - 1] == " " else place

    def opaque_end(self, at: int) -> int | None:
        """Return where an opaque thing that begins at a place ends, None when none does."""
        if at in self.macros:
            return self.macros[at].end
        if at in self.links:
            return self.links[at][1]
        if at in self.monospace:
            return self.monospace[at] + 2
        return self.pictures[at] + 1 if at in self.pictures else None


def joins(text: str, at: int) -> bool:
    """Tell whether the character at a place is a letter, a digit or beyond ASCII."""
    if not 0 <= at < len(text):
        return False
    char = text[at]
    return char.isalnum() if char < "\x80" else char != "\u00a0"


def may_open(text: str, at: int, length: int) -> bool:
    """Tell whether a mark of some length may open a format where it stands."""
    after = at + length
    return not joins(text, at - 1) and after < len(text) and text[after] not in " \n"


def scan_line(text: str, macros: dict[int, Macro], context: Context) -> Scan:
    """Return what one pass over a line finds."""
    scan = Scan(text, macros)
    scan.begins.extend(sorted(macros))
    scan.walls.extend(at for at in scan.begins if macros[at].name != "color")
    ends = [found.start() for found in _MONO_END.finditer(text) if not joins(text, found.end())]
    loud = [found.start() for found in _LOUD.finditer(text) if not joins(text, found.end())]
    at = 0
    while (found := _STOPS.search(text, at)) is not None:
        at = _passed(scan, found.start(), found.group(), context, (ends, loud))
    return scan


def _passed(
    scan: Scan, at: int, stop: str, context: Context, ends: tuple[list[int], list[int]]
) -> int:
    """Note what stands at a place, and return where to go on."""
    text = scan.text
    if at in scan.macros:
        return scan.macros[at].end
    if stop == "\\":
        return at + 2
    if stop == "[":
        link = link_at(text, at, context)
        if link is not None and _holds_its_macros(scan, at, link[1]):
            scan.links[at] = link
            return link[1]
    elif stop == "{":
        return _brace(scan, at, ends[0])
    elif stop == "!":
        place = _end_of(scan, at, 1, ends[1])
        if place is not None and place - at <= NAMED and is_picture(text[at + 1 : place], context):
            scan.pictures[at] = place
            return place + 1
    elif not joins(text, at + len(stop)):
        scan.closers[stop].append(at)
    return at + len(stop)


def _brace(scan: Scan, at: int, ends: list[int]) -> int:
    text = scan.text
    if text.startswith("{{", at):
        place = _end_of(scan, at, 2, ends)
        if place is not None:
            scan.monospace[at] = place
            return place + 2
        return at + 2
    for mark in FORMATS:
        if text.startswith(f"{{{mark}}}", at):
            scan.closers[mark].append(at)
            return at + len(mark) + 2
    return at + 1


def _end_of(scan: Scan, at: int, length: int, ends: list[int]) -> int | None:
    """Return where something of its own kind of ending ends, None when it does not."""
    text = scan.text
    if not may_open(text, at, length):
        return None
    index = bisect_left(ends, at + length + 1)
    if index == len(ends) or text[ends[index] - 1] == " ":
        return None
    place = ends[index]
    wall = bisect_left(scan.begins, at)
    return None if wall < len(scan.begins) and scan.begins[wall] < place else place


def _holds_its_macros(scan: Scan, begin: int, end: int) -> bool:
    """Tell whether all macros that begin inside a link end there, and are but colours."""
    at = bisect_left(scan.begins, begin)
    while at < len(scan.begins) and scan.begins[at] < end:
        macro = scan.macros[scan.begins[at]]
        if macro.name != "color" or macro.end > end:
            return False
        at += 1
    return True
