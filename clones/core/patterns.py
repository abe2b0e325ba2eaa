"""Patterns that accounts write and texts that anybody sends, searched in linear time (RE2).

Engines that go back and try again, Python's among them, can be kept busy for ever by an unlucky
pair. RE2 never goes back: the time grows with the text, and with a pattern whose size it bounds.
What only engines of the other kind can do (looking around, what a group found before) is refused.
Each clone says in its vendor's words that a pattern cannot be used.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final, Literal

import re2

# What RE2 spells otherwise than the vendors' engines.
_JAVA: Final = {r"\Z": r"(?:\n?\z)"}
_RUBY: Final = {r"\Z": r"(?:\n?\z)", r"\h": "[0-9a-fA-F]", r"\H": "[^0-9a-fA-F]"}
# A character, an escape, what opens brackets ("]" is a character there), or flags.
_PIECE: Final = re.compile(r"\\.|\[\^?\]?|\(\?[imx-]+[:)]|.", re.DOTALL)
# Ruby's flag m lets the dot be any character: RE2 and Java call it s.
# In Ruby `^` and `$` always stand at the ends of a line, in Java at those of the text.
_WORDS: Final = {"java": ("", _JAVA), "ruby": ("(?m)", _RUBY)}
LONGEST: Final = 8192
# Bytes for a query's pattern: a text of the longest that is looked for, in any case of letters.
QUERY_MEMORY: Final = 64 * 1024 * 1024
Language = Literal["java", "ruby"]


class BadPattern(ValueError):
    """Raised when a text is no pattern, or one that cannot be searched in linear time."""


@lru_cache(maxsize=256)
def read_pattern(pattern: str, language: Language) -> Any:
    """Return a pattern of a vendor's engine, with the methods of Python's patterns.

    Raises:
        BadPattern: it is none that can be used.
    """
    lead, words = _WORDS[language]
    if len(pattern) > LONGEST:
        raise BadPattern(f"longer than {LONGEST} characters")
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(lead + _spelt(pattern, words), options)
    except re2.error as error:
        raise BadPattern(str(error.args[0] if error.args else error)) from error


@lru_cache(maxsize=256)
def _query_pattern(pattern: str) -> Any:
    """Return a pattern that queries of ours are made of, in the words that all engines have."""
    options = re2.Options()
    options.log_errors = False
    options.max_mem = QUERY_MEMORY
    return re2.compile(pattern.replace(r"\Z", r"\z"), options)


def matches(pattern: str | None, text: Any) -> bool | None:
    """Tell whether a pattern of a query is found in a value: what SQLite asks of REGEXP.

    The parts that make such a pattern are ours, how many there are of them is the account's, as
    with jokers in a search.
    """
    if pattern is None or text is None:
        return None
    return _query_pattern(pattern).search(str(text)) is not None


def is_pattern(pattern: str, language: Language) -> bool:
    """Tell whether a text is a pattern that can be used."""
    try:
        read_pattern(pattern, language)
    except BadPattern:
        return False
    return True


def is_found(pattern: str, text: str, language: Language, *, otherwise: bool) -> bool:
    """Tell whether a pattern is found in a text; `otherwise` is said of one that cannot be used."""
    try:
        return read_pattern(pattern, language).search(text) is not None
    except BadPattern:
        return otherwise


def _spelt(pattern: str, words: dict[str, str]) -> str:
    """Spell a pattern as RE2 does; what is spelt otherwise within brackets loses its own."""
    found, in_brackets = [], False
    for piece in _PIECE.findall(pattern):
        word = words.get(piece, piece)
        if in_brackets and word is not piece:
            if not word.startswith("[") or word.startswith("[^"):
                raise BadPattern(f"{piece} within brackets")
            word = word[1:-1]
        elif not in_brackets and words is _RUBY and piece.startswith("(?"):
            word = piece.replace("m", "s")
        if piece == "]":
            in_brackets = False
        elif piece.startswith("["):
            in_brackets = True
        found.append(word)
    return "".join(found)
