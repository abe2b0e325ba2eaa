r"""String literals of SOQL: their escapes, and patterns of LIKE.

The escapes are `\' \" \\ \n \r \t \b \f \_ \%` and `\uXXXX`, letters in either case.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

ESCAPE: Final = r"""\\(?:[uU][0-9a-fA-F]{4}|['"\\nNrRtTbBfF_%])"""
_ESCAPE = re.compile(ESCAPE)
_MEANINGS: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_TO_ESCAPE: Final = {
    "\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f",
}  # fmt: skip
Wildcard = Literal["any", "one"]


@dataclass(frozen=True, slots=True)
class Exactly:
    """Characters of a LIKE pattern that stand for themselves."""

    text: str


PatternPart: TypeAlias = Exactly | Wildcard


@dataclass(frozen=True, slots=True)
class LikePattern:
    """What LIKE compares with: texts, `any` for any characters, `one` for exactly one."""

    parts: tuple[PatternPart, ...]

    def for_sql(self, escape: str = "\\") -> str:
        """Return the pattern for an SQL LIKE whose escape character is `escape`."""
        return "".join(
            {"any": "%", "one": "_"}[part]
            if isinstance(part, str)
            else "".join(escape + c if c in {"%", "_", escape} else c for c in part.text)
            for part in self.parts
        )


def _meaning(found: re.Match[str]) -> str:
    typed = found[0][1:]
    if typed[0] in "uU" and len(typed) == 5:
        return chr(int(typed[1:], 16))
    return _MEANINGS.get(typed.lower(), typed)


def decoded(raw: str) -> str:
    """Return the characters that a literal means, of what stands between its quotes."""
    return _ESCAPE.sub(_meaning, raw)


def encoded(text: str) -> str:
    """Return what must stand between quotes for a text."""
    return "".join(_TO_ESCAPE.get(character, character) for character in text)


def like_pattern(raw: str) -> LikePattern:
    """Return the pattern that a literal means after LIKE, of what stands between its quotes."""
    parts: list[PatternPart] = []
    text: list[str] = []
    for piece in re.split(f"({ESCAPE}|[%_])", raw):
        if piece in {"%", "_"}:
            if text:
                parts.append(Exactly("".join(text)))
                text = []
            parts.append("any" if piece == "%" else "one")
        elif piece:
            text.append(decoded(piece))
    if text:
        parts.append(Exactly("".join(text)))
    return LikePattern(tuple(parts))
