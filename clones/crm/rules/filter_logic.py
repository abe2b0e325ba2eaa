"""The logic that joins the numbered rows of a filter, such as `1 AND (2 OR NOT 3)`.

It is read once; then it holds or not over rows that do (`holds`), or joins their texts (`text`). OR
binds less than AND, AND less than NOT.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 1_000
DEEPEST: Final = 20
_TOKEN: Final = re.compile(r"\s*(\d{1,3}|AND\b|OR\b|NOT\b|[()])", re.ASCII | re.IGNORECASE)


class WrongLogic(ValueError):
    """Raised where a logic cannot be meant; its text says why."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row, by its number: the first is 1."""

    number: int

    def holds(self, found: Sequence[bool]) -> bool:
        """Tell whether the row does."""
        return found[self.number - 1]

    def text(self, rows: Sequence[str]) -> str:
        """Return the row's text in brackets."""
        return f"({rows[self.number - 1]})"

    def numbers(self) -> Iterator[int]:
        """Yield the numbers that are named."""
        yield self.number


@dataclass(frozen=True, slots=True)
class Not:
    """What is not to hold."""

    part: Logic

    def holds(self, found: Sequence[bool]) -> bool:
        """Tell whether the part does not."""
        return not self.part.holds(found)

    def text(self, rows: Sequence[str]) -> str:
        """Return the part's text, denied."""
        return f"(NOT {self.part.text(rows)})"

    def numbers(self) -> Iterator[int]:
        """Yield the numbers that are named."""
        yield from self.part.numbers()


@dataclass(frozen=True, slots=True)
class Joined:
    """Parts of which all are to hold (`AND`), or one (`OR`)."""

    word: str
    parts: tuple[Logic, ...]

    def holds(self, found: Sequence[bool]) -> bool:
        """Tell whether all parts do, or one."""
        held = (part.holds(found) for part in self.parts)
        return all(held) if self.word == "AND" else any(held)

    def text(self, rows: Sequence[str]) -> str:
        """Return the parts' texts with the word between them, in brackets."""
        return f"({f' {self.word} '.join(part.text(rows) for part in self.parts)})"

    def numbers(self) -> Iterator[int]:
        """Yield the numbers that are named."""
        for part in self.parts:
            yield from part.numbers()


Logic = Row | Not | Joined


def read_logic(text: str, rows: int) -> Logic:
    """Return the logic that a text is, over so many rows.

    Raises:
        WrongLogic: it is none, or names a row that is not there.
    """
    reader = _LogicReader(_tokens(text), rows)
    found = reader.either(0)
    if reader.tokens:
        raise WrongLogic("The filter logic is not valid")
    return found


def _tokens(text: str) -> list[str]:
    text = text.strip()
    if len(text) > LONGEST:
        raise WrongLogic("The filter logic is too long")
    found, place = [], 0
    while place < len(text):
        hit = _TOKEN.match(text, place)
        if hit is None:
            raise WrongLogic("The filter logic is not valid")
        found.append(hit[1].upper())
        place = hit.end()
    return found[::-1]


class _LogicReader:
    """Takes tokens from the end of a list in which the first comes last."""

    def __init__(self, tokens: list[str], rows: int) -> None:
        self.tokens, self._rows = tokens, rows

    def either(self, depth: int) -> Logic:
        return self._joined("OR", self._both, depth)

    def _both(self, depth: int) -> Logic:
        return self._joined("AND", self._single, depth)

    def _joined(self, word: str, part: Callable[[int], Logic], depth: int) -> Logic:
        parts = [part(depth)]
        while self._take(word):
            parts.append(part(depth))
        return parts[0] if len(parts) == 1 else Joined(word, tuple(parts))

    def _single(self, depth: int) -> Logic:
        if depth > DEEPEST:
            raise WrongLogic("The filter logic is nested too deeply")
        if self._take("NOT"):
            return Not(self._single(depth + 1))
        if self._take("("):
            inner = self.either(depth + 1)
            if not self._take(")"):
                raise WrongLogic("The filter logic is missing a parenthesis")
            return inner
        token = self.tokens.pop() if self.tokens else ""
        if token[:1] not in tuple("0123456789"):
            raise WrongLogic("The filter logic is not valid")
        if not 1 <= int(token) <= self._rows:
            raise WrongLogic("The filter logic references an undefined filter")
        return Row(int(token))

    def _take(self, wanted: str) -> bool:
        if not self.tokens or self.tokens[-1] != wanted:
            return False
        self.tokens.pop()
        return True
