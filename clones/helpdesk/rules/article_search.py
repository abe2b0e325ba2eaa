"""Which articles a search finds, in which order, and what it shows of them.

Words are compared by their stems, words that say nothing are passed over, and what stands between
quotes must be there as it is. An article that has more of the words comes first; a word of the
title counts for more than a label, and a label for more than the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from clones.core.words import words_of

TITLE, LABEL, TEXT = 12, 6, 1
MOST_TIMES = 5  # how often a word of the text counts
EACH = 100  # what another word of the query is worth
SNIPPET = 200  # characters of a snippet
BEFORE = 60  # characters before the first match in it
ENDINGS = ("ings", "ing", "ies", "ied", "ed", "s")
HISSING = ("ches", "shes", "ses", "xes", "zes")  # the plural of these has a letter more
SHORTEST = 3
IDLE = frozenset(
    (
        "a an and are as at be but by can do does for from has have how i if in is it me my no not"
        " of on or our so that the their this to was we what when where which who why will with"
        " you your"
    ).split()
)
_QUOTED = re.compile(r"\"([^\"]+)\"|'([^']+)'")


@dataclass(frozen=True, slots=True)
class ArticleText:
    """What of an article is searched: the text without its markup."""

    title: str
    text: str
    labels: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class ArticleQuery:
    """What is looked for: stems of words, and phrases in lower case."""

    stems: tuple[str, ...]
    phrases: tuple[str, ...]

    @classmethod
    def of(cls, query: str) -> ArticleQuery:
        """Return what a query asks for; one of idle words alone asks for those."""
        phrases = [found[0] or found[1] for found in _QUOTED.findall(query)]
        words = [word.lower() for word in words_of(_QUOTED.sub(" ", query))]
        wanted = [word for word in words if word not in IDLE] or words
        said = [" ".join(phrase.lower().split()) for phrase in phrases]
        return cls(tuple(dict.fromkeys(map(stem, wanted))), tuple(filter(None, said)))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is looked for."""
        return not self.stems and not self.phrases

    def score(self, article: ArticleText) -> int:
        """Return how well an article fits, 0 if it does not."""
        title, text = _stems(article.title), _stems(article.text)
        labels = {found for label in article.labels for found in _stems(label)}
        whole = " ".join(f"{article.title}\n{article.text}".lower().split())
        if any(phrase not in whole for phrase in self.phrases):
            return 0
        found = EACH * len(self.phrases)
        for wanted in self.stems:
            worth = TITLE * (wanted in title) + LABEL * (wanted in labels)
            worth += TEXT * min(text.count(wanted), MOST_TIMES)
            found += EACH + worth if worth else 0
        return found

    def snippet(self, text: str) -> str:
        """Return the part of a text where it fits, as HTML with the words that do in `<em>`."""
        places = self._places(text)
        start = max(0, places[0][0] - BEFORE) if places else 0
        if start:
            start = text.rfind(" ", 0, start + 1) + 1
        end = min(len(text), start + SNIPPET)
        pieces, at = ["..." if start else ""], start
        for first, last in places:
            if first < at or last > end:
                continue
            pieces += [escape(text[at:first]), "<em>", escape(text[first:last]), "</em>"]
            at = last
        pieces += [escape(text[at:end]), "..." if end < len(text) else ""]
        return " ".join("".join(pieces).split())

    def _places(self, text: str) -> list[tuple[int, int]]:
        """Return where its words and phrases stand in a text, in order."""
        found, at = [], 0
        for word in words_of(text):
            at = text.index(word, at)
            if stem(word.lower()) in self.stems:
                found.append((at, at + len(word)))
            at += len(word)
        for phrase in self.phrases:
            first = text.lower().find(phrase)
            if first >= 0:
                found.append((first, first + len(phrase)))
        return sorted(found)


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return a word in lower case without the ending of its number or tense."""
    if word.endswith(HISSING) and len(word) - 2 >= SHORTEST:
        return stem(word[:-2])
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST:
            if ending == "s" and word.endswith("ss"):
                return word
            short = word[: -len(ending)] + ("y" if ending in ("ies", "ied") else "")
            return short.removesuffix("e") if len(short) > SHORTEST else short
    return word.removesuffix("e") if len(word) > SHORTEST + 1 else word


def _stems(text: str) -> list[str]:
    return [stem(word.lower()) for word in words_of(text)]
