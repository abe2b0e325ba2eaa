"""What the site calls things: a space is a project, and a work item an issue, where it is older.

Texts are written in the new words. `said` puts one into the site's; what people wrote (names,
descriptions) is not for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from clones.tracker.domain.settings import setting


@dataclass(frozen=True, slots=True)
class Words:
    """What the site calls things."""

    space: str
    spaces: str
    item: str
    items: str
    type: str


NEW: Final = Words("space", "spaces", "work item", "work items", "work type")
OLD: Final = Words("project", "projects", "issue", "issues", "issue type")
_OLDER: Final = {
    "work item": "issue",
    "work type": "issue type",
    "space": "project",
}
# An article before a word changes with it: a work item, an issue. Labels are separated by spaces of
# another kind.
_WORD: Final = re.compile(
    r"\b(?P<article>a )?(?<!labels with )(?P<word>work item|work type|space)(?P<many>s?)\b",
    re.IGNORECASE,
)


def words() -> Words:
    """Return the words of the site: the new ones unless its admins kept the old."""
    return OLD if setting("vocabulary") == "project" else NEW


def say(text: str) -> str:
    """Return a text of a page in the words of the site."""
    return said(text, words())


def speaker() -> Callable[[str], str]:
    """Return what puts texts into the words of the site, for many of them."""
    return partial(said, in_words=words())


def said(text: str, in_words: Words) -> str:
    """Return a text of a page in some words."""
    return _WORD.sub(_older, text) if in_words == OLD else text


def _older(match: re.Match[str]) -> str:
    article, word, many = match["article"] or "", match["word"], match["many"]
    found = _OLDER[word.lower()]
    if article and found.startswith("i"):
        article = f"{article[0]}n "
    if word[0].isupper():
        found = found.capitalize()
    return f"{article}{found}{many}"
