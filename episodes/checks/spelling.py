"""Private values in a text, however they are spelled: encodings, blanks, "at" and "dot"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final

from episodes.checks.encodings import legible
from seeds.people.extraction import extract

_IN_BRACKETS: Final = r"\s*[\[({{<]\s*(?:{words})\s*[\])}}>]\s*"
_BETWEEN: Final = r"(?<=\w)\s+(?:{words})\s+(?=\w)"
_AT: Final = "at|ät|arroba"
_DOT: Final = "dot|punkt|punto|point"
AT: Final = re.compile(f"{_IN_BRACKETS}|{_BETWEEN}".format(words=_AT))
DOT: Final = re.compile(f"{_IN_BRACKETS}|{_BETWEEN}".format(words=_DOT))
NO_CODE: Final = re.compile(r"[\W_]+")
NO_ADDRESS: Final = re.compile(r"(?:(?!@)[\W_])+")
WORD: Final = re.compile(r"[^\W_]+")
PHONE: Final = re.compile(r"\d(?:[\s().\-/+]{0,3}\d){6,}")
SENTENCE_END: Final = re.compile(r"[.!?\n]+")
# What stands directly before it belongs to the same address.
OF_A_NAME: Final = ".+-_%"
CODE_AT_LEAST: Final = 6
# By how many letters values are told apart before they are compared.
BEGINNING: Final = 6
PHONE_AT_LEAST: Final = 7
# Numbers are written with and without what leads to another country.
PHONE_COMPARED: Final = 9
WORDS_AT_LEAST: Final = 6
LETTERS_AT_LEAST: Final = 32
NOTE_WORDS_AT_LEAST: Final = 4
NOTE_AT_LEAST: Final = 20


def squeezed(text: str, *, at: bool = False) -> str:
    """Return the letters and digits of a text, with `at` its @ too."""
    return (NO_ADDRESS if at else NO_CODE).sub("", text)


class Keys:
    """Texts that are looked for all at once: the cost is that of the text they are looked for in.

    They are told apart by how they begin, and by which lengths there are of those that begin so.
    """

    def __init__(self, keys: Iterable[str]) -> None:
        self._keys = frozenset(filter(None, keys))
        lengths: dict[str, set[int]] = {}
        for key in self._keys:
            lengths.setdefault(key[:BEGINNING], set()).add(len(key))
        self._lengths = {begun: tuple(sorted(each)) for begun, each in lengths.items()}
        self._short = sorted({len(begun) for begun in lengths if len(begun) < BEGINNING})

    def at(self, text: str, place: int) -> Iterator[str]:
        """Yield those with which a text goes on from a place."""
        for size in (*self._short, BEGINNING):
            begun = text[place : place + size]
            for length in self._lengths.get(begun, ()) if len(begun) == size else ():
                key = text[place : place + length]
                if key in self._keys:
                    yield key


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
    def cards(self) -> frozenset[str]:
        """The last digits that are given as those of a card."""
        return frozenset(extract(self.text).ids("card"))

    def emails(self, value: str) -> list[range]:
        """Return where an e-mail address stands."""
        return self.emails_among(Keys([address_key(value)])).get(address_key(value), [])

    def emails_among(self, keys: Keys) -> dict[str, list[range]]:
        """Return the e-mail addresses of some that stand in the text, by key, and where."""
        return _found_among(self._addresses, keys, OF_A_NAME)

    def codes(self, value: str) -> list[range]:
        """Return where an identifier, a street or the like stands."""
        return self.codes_among(Keys([code_key(value)])).get(code_key(value), [])

    def codes_among(self, keys: Keys) -> dict[str, list[range]]:
        """Return the identifiers of some that stand in the text, by key, and where."""
        return _found_among(self._codes, keys)

    def phones(self, value: str) -> bool:
        """Tell whether a phone number is given, with or without its country."""
        return phone_key(value) in self.numbers

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The keys of all phone numbers that the text could give."""
        return frozenset(
            number[first : first + length]
            for number in self._numbers
            for length in range(PHONE_AT_LEAST, PHONE_COMPARED + 1)
            for first in range(len(number) - length + 1)
        )

    def repeated(self, value: str) -> list[str]:
        """Return the whole sentences of a longer text that are repeated, as bare words."""
        return [each for each in sentences_of(value) if f" {each} " in self._words]

    def holds(self, value: str) -> bool:
        """Tell whether the whole of a short text is repeated, if it is long enough to be known."""
        return bool(self.notes_among(Keys([note_key(value)])))

    def notes_among(self, keys: Keys) -> set[str]:
        """Return the keys of those of some short texts that are repeated whole."""
        words, found = self._words, set[str]()
        first = words.find(" ") + 1
        while 0 < first < len(words):
            for key in keys.at(words, first):
                if words[first + len(key)] == " ":
                    found.add(key)
            first = words.find(" ", first) + 1
        return found

    def names(self, called: str) -> bool:
        """Tell whether a person's full name stands in the text."""
        words = WORD.findall(normal(called))
        return len(words) > 1 and f" {' '.join(words)} " in self._words


def normal(value: str) -> str:
    """Return a value as it is compared: usual letters, no case."""
    usual = value if value.isascii() else unicodedata.normalize("NFKC", value)
    return usual.casefold()


def address_key(value: str) -> str:
    """Return by what an e-mail address is found."""
    return squeezed(normal(value), at=True)


def code_key(value: str) -> str:
    """Return by what an identifier is found, nothing of one that is too short to be looked for."""
    key = squeezed(normal(value))
    return key if len(key) >= CODE_AT_LEAST else ""


def phone_key(value: str) -> str:
    """Return by what a phone number is found: its last digits; nothing of one that is too short."""
    digits = "".join(each for each in normal(value) if each.isdigit())
    return digits[-PHONE_COMPARED:] if len(digits) >= PHONE_AT_LEAST else ""


def note_key(value: str) -> str:
    """Return by what a note is found, nothing of one that is too short to be known again."""
    words = WORD.findall(normal(value))
    bare = " ".join(words)
    known = len(words) >= NOTE_WORDS_AT_LEAST and len(bare) >= NOTE_AT_LEAST
    return bare if known else ""


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


def _found_among(
    looked: tuple[str, str, list[int]], keys: Keys, joining: str = ""
) -> dict[str, list[range]]:
    """Return the keys that stand in a text by themselves, and where, as ranges of the text."""
    text, bare, places = looked
    found: dict[str, list[range]] = {}
    for at, first in enumerate(places):
        if (first and text[first - 1].isalnum()) or _goes_on(text, first, joining):
            continue
        for key in keys.at(bare, at):
            last = places[at + len(key) - 1]
            if not text[last + 1 : last + 2].isalnum():
                found.setdefault(key, []).append(range(first, last + 1))
    return found


def _goes_on(text: str, first: int, joining: str) -> bool:
    """Tell whether what stands before a place, which is no letter, belongs to the same name."""
    before, further = text[max(0, first - 1) : first], text[max(0, first - 2) : first - 1]
    return bool(before) and before in joining and further.isalnum()
