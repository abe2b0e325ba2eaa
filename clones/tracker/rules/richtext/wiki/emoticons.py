"""The emoticons of wiki markup, and the emoji that they stand for."""

from __future__ import annotations

import re

from clones.tracker.rules.richtext.document import Node

_FACES = {
    ":) :-)": ("1f642", ":slight_smile:", "🙂"),
    ":( :-(": ("1f61e", ":disappointed:", "😞"),
    ":P :-P :p :-p": ("1f61b", ":stuck_out_tongue:", "😛"),
    ":D :-D": ("1f603", ":smiley:", "😃"),
    ";) ;-)": ("1f609", ":wink:", "😉"),
    "(y)": ("1f44d", ":thumbsup:", "👍"),
    "(n)": ("1f44e", ":thumbsdown:", "👎"),
}
_SIGNS = {
    "(i)": ("info", "info"),
    "(/)": ("check_mark", "check_mark"),
    "(x)": ("cross_mark", "cross_mark"),
    "(!)": ("warning", "warning"),
    "(+)": ("plus", "plus"),
    "(-)": ("minus", "minus"),
    "(?)": ("question_mark", "question"),
    "(on)": ("light_bulb_on", "light_bulb_on"),
    "(off)": ("light_bulb_off", "light_bulb_off"),
    "(*) (*y)": ("yellow_star", "yellow_star"),
    "(*r)": ("red_star", "red_star"),
    "(*g)": ("green_star", "green_star"),
    "(*b)": ("blue_star", "blue_star"),
    "(flag)": ("flag_on", "flag_on"),
    "(flagoff)": ("flag_off", "flag_off"),
}


def _emoji(id: str, short: str, text: str) -> Node:
    return Node("emoji", attrs={"shortName": short, "id": id, "text": text})


_BY_TEXT = {
    written: _emoji(*emoji) for texts, emoji in _FACES.items() for written in texts.split()
} | {
    written: _emoji(f"atlassian-{name}", f":{short}:", f":{short}:")
    for texts, (name, short) in _SIGNS.items()
    for written in texts.split()
}
# The first way to write an emoji is the one that is printed.
_BY_ID = {str(node.attrs["id"]): written for written, node in reversed(_BY_TEXT.items())}
_WRITTEN = re.compile(
    "(?:" + "|".join(map(re.escape, sorted(_BY_TEXT, key=len))) + ")(?![A-Za-z0-9])"
)


def emoticon_at(text: str, at: int, end: int) -> tuple[Node, int] | None:
    """Return the emoji written at a place and where it ends, None when there is none.

    A letter or a digit after it makes it plain text.
    """
    found = _WRITTEN.match(text, at)
    if found is None or found.end() > end:
        return None
    return _BY_TEXT[found.group()], found.end()


def as_written(node: Node) -> Node | None:
    """Return an emoji as markup gives it, None for one that has no emoticon."""
    written = _BY_ID.get(str(node.attrs.get("id")))
    return None if written is None else _BY_TEXT[written]


def emoticon(node: Node) -> str:
    """Return how an emoji is written, for one of those that `as_written` gives."""
    return _BY_ID[str(node.attrs["id"])]


def character(node: Node) -> str:
    """Return an emoji as text: its character where its id spells one, else its short name."""
    parts = str(node.attrs.get("id", "")).split("-")
    if all(re.fullmatch("[0-9a-f]{2,6}", part) for part in parts):
        codes = [int(part, 16) for part in parts]
        if all(0xA0 <= code < 0x110000 and not 0xD800 <= code < 0xE000 for code in codes):
            return "".join(map(chr, codes))
    return str(node.attrs["shortName"])
