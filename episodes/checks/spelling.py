"""Private values in a text, however they are spelled: markup, widths, blanks, "at" and "dot"."""

from __future__ import annotations

import html
import re
import unicodedata
from functools import cached_property
from typing import Final
from urllib.parse import unquote

from clones.core.plaintext import plain_of_html
from clones.core.privacy import FactKind
from seeds.people.extraction import extract

_IN_BRACKETS: Final = r"\s*[\[({{<]\s*(?:{words})\s*[\])}}>]\s*"
_BETWEEN: Final = r"(?<=\w)\s+(?:{words})\s+(?=\w)"
_AT: Final = "at|ät|arroba"
_DOT: Final = "dot|punkt|punto|point"
AT: Final = re.compile(f"{_IN_BRACKETS}|{_BETWEEN}".format(words=_AT))
DOT: Final = re.compile(f"{_IN_BRACKETS}|{_BETWEEN}".format(words=_DOT))
NO_CODE: Final = re.compile(r"[\W_]+")
NO_ADDRESS: Final = re.compile(r"(?:(?!@)[\W_])+")
# What a text has at least that states an identifier: digits in a row, or the mark in `ch_...`.
CODED: Final = re.compile(r"\d(?:[\W_]{0,3}\d){4}|[a-z]\s*_")
WORD: Final = re.compile(r"[^\W_]+")
MARKUP: Final = re.compile(r"<[a-zA-Z/!][^>]*>")
PHONE: Final = re.compile(r"\d(?:[\s().\-/+]{0,3}\d){6,}")
SENTENCE_END: Final = re.compile(r"[.!?\n]+")
# What stands directly before it belongs to the same address.
OF_A_NAME: Final = ".+-_%"
CODE_AT_LEAST: Final = 6
PHONE_AT_LEAST: Final = 7
# Numbers are written with and without what leads to another country.
PHONE_COMPARED: Final = 9
WORDS_AT_LEAST: Final = 6
LETTERS_AT_LEAST: Final = 32
NOTE_WORDS_AT_LEAST: Final = 4
NOTE_AT_LEAST: Final = 20


def legible(text: str) -> str:
    """Return a text with all that markup hides, in usual letters, without invisible ones."""
    forms = [text]
    if MARKUP.search(text) or "&" in text:
        forms += [plain_of_html(text), html.unescape(text)]
    if "%" in text:
        forms.append(unquote(text))
    joined = unicodedata.normalize("NFKC", "\n".join(dict.fromkeys(forms)))
    return "".join(each for each in joined if unicodedata.category(each) != "Cf")


def squeezed(text: str, *, at: bool = False) -> str:
    """Return the letters and digits of a text, with `at` its @ too."""
    return (NO_ADDRESS if at else NO_CODE).sub("", text)


class SpelledText:
    """A text in which values are looked for."""

    def __init__(self, text: str) -> None:
        self.text = legible(text).casefold()

    @cached_property
    def _codes(self) -> tuple[str, str, list[int]]:
        return self.text, *_placed(self.text, "")

    @cached_property
    def _addresses(self) -> tuple[str, str, list[int]]:
        text = DOT.sub(".", AT.sub("@", self.text))
        return text, *_placed(text, "@")

    @cached_property
    def _numbers(self) -> tuple[str, ...]:
        return tuple(squeezed(found.group()) for found in PHONE.finditer(self.text))

    @cached_property
    def _words(self) -> str:
        return f" {' '.join(WORD.findall(self.text))} "

    @cached_property
    def kinds(self) -> frozenset[FactKind]:
        """The kinds of facts that the text could state."""
        found: set[FactKind] = {"note", "words"}
        if "@" in self._addresses[0]:
            found.add("email")
        if CODED.search(self.text):
            found |= {"code", "phone"}
        if self.cards:
            found.add("card")
        return frozenset(found)

    @cached_property
    def cards(self) -> frozenset[str]:
        """The last digits that are given as those of a card."""
        return frozenset(extract(self.text).ids("card"))

    def emails(self, value: str) -> list[range]:
        """Return where an e-mail address stands."""
        return _found(self._addresses, squeezed(normal(value), at=True), OF_A_NAME)

    def codes(self, value: str) -> list[range]:
        """Return where an identifier, a street or the like stands."""
        needle = squeezed(normal(value))
        return _found(self._codes, needle) if len(needle) >= CODE_AT_LEAST else []

    def phones(self, value: str) -> bool:
        """Tell whether a phone number is given, with or without its country."""
        digits = "".join(each for each in normal(value) if each.isdigit())
        if len(digits) < PHONE_AT_LEAST:
            return False
        return any(digits[-PHONE_COMPARED:] in number for number in self._numbers)

    def repeated(self, value: str) -> list[str]:
        """Return the whole sentences of a longer text that are repeated, as bare words."""
        return [each for each in sentences_of(value) if f" {each} " in self._words]

    def holds(self, value: str) -> bool:
        """Tell whether the whole of a short text is repeated, if it is long enough to be known."""
        words = WORD.findall(normal(value))
        bare = " ".join(words)
        known = len(words) >= NOTE_WORDS_AT_LEAST and len(bare) >= NOTE_AT_LEAST
        return known and f" {bare} " in self._words

    def names(self, called: str) -> bool:
        """Tell whether a person's full name stands in the text."""
        words = WORD.findall(normal(called))
        return len(words) > 1 and f" {' '.join(words)} " in self._words


def normal(value: str) -> str:
    """Return a value as it is compared: usual letters, no case."""
    usual = value if value.isascii() else unicodedata.normalize("NFKC", value)
    return usual.casefold()


def sentences_of(value: str) -> list[str]:
    """Return the sentences of a text that are long enough to be known again, as bare words."""
    parts = (" ".join(WORD.findall(part)) for part in SENTENCE_END.split(normal(value)))
    return [
        part
        for part in parts
        if len(part) >= LETTERS_AT_LEAST and part.count(" ") >= WORDS_AT_LEAST - 1
    ]


def _placed(text: str, kept: str) -> tuple[str, list[int]]:
    """Return the squeezed text, and where each of its characters stands in the text."""
    places = [place for place, each in enumerate(text) if each.isalnum() or each in kept]
    return "".join(text[place] for place in places), places


def _found(looked: tuple[str, str, list[int]], needle: str, joining: str = "") -> list[range]:
    """Return where a squeezed value stands by itself, as ranges of the text."""
    text, bare, places = looked
    found, at = [], bare.find(needle) if needle else -1
    while at >= 0:
        first, last = places[at], places[at + len(needle) - 1]
        if not _goes_on(text, first, joining) and not text[last + 1 : last + 2].isalnum():
            found.append(range(first, last + 1))
        at = bare.find(needle, at + 1)
    return found


def _goes_on(text: str, first: int, joining: str) -> bool:
    """Tell whether what stands before a place belongs to the same word or name."""
    before, further = text[max(0, first - 1) : first], text[max(0, first - 2) : first - 1]
    return before.isalnum() or (bool(before) and before in joining and further.isalnum())
