"""The site's own pictures, drawn from shapes: for spaces, types, priorities and people.

The numbers of the usual ones are those of the vendor's new sites; the drawings are ours.
"""

from __future__ import annotations

import hashlib
from html import escape
from typing import Final

_COLOURS: Final = (
    "#0c66e4",
    "#1f845a",
    "#c9372c",
    "#6e5dc6",
    "#b65c02",
    "#206a83",
    "#943d73",
    "#44546f",
)
_PROJECT: Final = {number: f"space-{number - 10399}" for number in range(10400, 10424)}
_TYPES: Final = {
    10300: "generic",
    10303: "bug",
    10304: "remove",
    10306: "task-blue",
    10307: "epic",
    10308: "improvement",
    10309: "exclamation",
    10310: "new-feature",
    10311: "question",
    10312: "story-blue",
    10313: "sales",
    10314: "development",
    10315: "story",
    10316: "subtask",
    10318: "task",
    10320: "defect",
    10321: "incident",
    10322: "request",
    10545: "change",
    10549: "system-incident",
    10550: "problem",
    10551: "service-request",
    10552: "service-request-with-approvals",
}
_PRIORITIES: Final = {
    10240: "highest",
    10241: "high",
    10242: "medium",
    10243: "low",
    10244: "lowest",
}
# The site's own pictures: kind, number, name.
SYSTEM: Final[dict[str, dict[int, str]]] = {
    "project": _PROJECT,
    "issuetype": _TYPES,
    "priority": _PRIORITIES,
    "user": {10122: "nobody"},
}
DEFAULTS: Final = {"project": 10400, "issuetype": 10300, "priority": 10242, "user": 10122}
_GLYPHS: Final = {
    "bug": '<circle cx="12" cy="12" r="5" fill="#fff"/>',
    "epic": '<path d="M13 4 7 13h4l-1 7 7-10h-4z" fill="#fff"/>',
    "story": '<path d="M8 5h8v14l-4-4-4 4z" fill="#fff"/>',
    "task": '<path d="m7 12 4 4 7-8" fill="none" stroke="#fff" stroke-width="2.5"/>',
    "subtask": '<path d="M6 6h7v7H6z" fill="none" stroke="#fff" stroke-width="2"/>'
    '<path d="M11 11h7v7h-7z" fill="#fff"/>',
}
_TYPE_COLOURS: Final = {
    "bug": "#e2483d",
    "epic": "#8f7ee7",
    "story": "#22a06b",
    "task": "#388bff",
    "subtask": "#388bff",
}
_ARROWS: Final = {
    "highest": ("#c9372c", "m5 13 7-6 7 6M5 18l7-6 7 6"),
    "high": ("#e2483d", "m5 15 7-6 7 6"),
    "medium": ("#e56910", "M5 10h14M5 15h14"),
    "low": ("#0c66e4", "m5 9 7 6 7-6"),
    "lowest": ("#0055cc", "m5 7 7 6 7-6M5 12l7 6 7-6"),
}


def colour_of(text: str) -> str:
    """Return a colour that is always the same for a text."""
    return _COLOURS[hashlib.sha256(text.encode()).digest()[0] % len(_COLOURS)]


def _framed(inner: str, colour: str | None, *, round_: bool = False) -> str:
    shape = ""
    if colour is not None:
        shape = (
            f'<circle cx="12" cy="12" r="12" fill="{colour}"/>'
            if round_
            else f'<rect width="24" height="24" rx="3" fill="{colour}"/>'
        )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="48" height="48">'
        f"{shape}{inner}</svg>"
    )


def picture(kind: str, number: int) -> str:
    """Return one of the site's own pictures as SVG.

    Raises:
        KeyError: there is none of the kind and number.
    """
    name = SYSTEM[kind][number]
    if kind == "priority":
        colour, path = _ARROWS[name]
        drawn = f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>'
        return _framed(drawn, None)
    if kind == "issuetype":
        glyph = _GLYPHS.get(name) or _letters(name[:1].upper())
        return _framed(glyph, _TYPE_COLOURS.get(name) or colour_of(name))
    if kind == "user":
        return _framed(_letters("?"), "#8993a4", round_=True)
    turn = number * 29 % 90
    drawn = (
        f'<g transform="rotate({turn} 12 12)" fill="#fff"><rect x="6" y="6" width="5" height="12" '
        'rx="1"/><circle cx="15.5" cy="9" r="3" opacity=".8"/><rect x="13" y="14" width="5" '
        'height="4" rx="1" opacity=".6"/></g>'
    )
    return _framed(drawn, colour_of(name))


def initials_picture(name: str) -> str:
    """Return a picture of somebody's initials as SVG."""
    words = [word for word in name.split() if word[:1].isalnum()]
    letters = "".join(word[0] for word in (words[:1] + words[-1:] if len(words) > 1 else words))
    return _framed(_letters(letters.upper() or "?"), colour_of(name), round_=True)


def _letters(text: str) -> str:
    size = 13 if len(text) == 1 else 10
    return (
        f'<text x="12" y="12" dy=".36em" text-anchor="middle" font-family="sans-serif" '
        f'font-size="{size}" fill="#fff">{escape(text)}</text>'
    )
