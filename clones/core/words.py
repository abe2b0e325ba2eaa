r"""What a word is, and which letters are the same: one answer for every engine, in patterns.

SQLite and PostgreSQL disagree on both (SQLite's LIKE folds ASCII only, Python's `re` folds all of
Unicode, PostgreSQL asks its locale), so patterns name the letters and the marks between words
themselves and are matched with regard to case. What they hold means the same to Python's `re` and
to PostgreSQL: literal characters, escaped ASCII marks, brackets with ranges.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

# What is between words: spaces, punctuation and symbols. Everything else is part of one.
BETWEEN = (
    "\u0001-/:-@\\[-\\^`{-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7"
    "\u2000-\u206f\u20a0-\u20cf\u2100-\u214f\u2190-\u2bff\u3000-\u3004\u3008-\u3020\u3030"
    "\ufe10-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff3e\uff40\uff5b-\uff65\ufffd"
    "\U0001f000-\U0001faff"
)
BEGINS = f"(^|[{BETWEEN}])"
ENDS = f"([{BETWEEN}]|$)"
# Words, or terms, that one question is asked by. Nobody types more; and a statement with a
# condition for each of a thousand is one that engines refuse, or work on for minutes.
ASKED: Final = 40
_WORD = re.compile(f"[^{BETWEEN}\x00]+")


def words_of(text: str) -> list[str]:
    """Return the words of a text, in order."""
    return _WORD.findall(text)


def asked_words(text: str) -> list[str]:
    """Return the words that a search goes by, as spaces part them: each once, the first `ASKED`."""
    return list(dict.fromkeys(text.split()))[:ASKED]


def other_case(letter: str) -> str | None:
    """Return the same letter in the other case, None if there is none that is one character."""
    for found in (letter.lower(), letter.upper()):
        if found != letter and len(found) == 1:
            return found
    return None


def is_folded_by_engines(text: str) -> bool:
    """Tell whether an engine's own comparison without regard to case does: ASCII letters only."""
    return text.isascii() or all(letter.isascii() or other_case(letter) is None for letter in text)


@lru_cache(maxsize=4096)
def any_case(text: str) -> str:
    """Return the pattern of a text in any case."""
    return "".join(_letter(letter) for letter in text)


def word_pattern(text: str, *, whole: bool = True) -> str:
    """Return the pattern of a text that begins where a word does, and ends so if `whole`."""
    return BEGINS + any_case(text) + (ENDS if whole else "")


def _letter(letter: str) -> str:
    other = other_case(letter)
    if other is not None:
        return f"[{letter}{other}]"
    if letter.isascii() and not letter.isalnum():
        return f"\\{letter}"
    return letter
