r"""What SOSL looks for: the words between the braces of FIND, and how they are joined.

Words next to each other must all be found; `AND`, `OR`, `AND NOT` and parentheses say otherwise.
`*` stands for any characters and `?` for one, within or at the end of a word. The characters
`? & | ! { } [ ] ( ) ^ ~ * : \ " ' + -` mean themselves after a backslash.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from clones.crm.rules.soql.errors import SoqlError
from clones.crm.rules.soql.strings import Exactly, LikePattern, PatternPart

WITHOUT_OPERATORS: Final = 4000  # characters of a term, from which operators are ignored
LONGEST_TERM: Final = 10_000  # characters, from which nothing is found
_DEEPEST: Final = 50
_RESERVED: Final = re.escape("?&|!{}[]()^~*:\\\"'+-")
_PIECE = re.compile(
    rf"""(?P<blank>\s+)|(?P<quote>"(?:[^"\\]|\\.)*")|(?P<mark>[()])"""
    rf"""|(?P<word>(?:\\.|[*?]|[^\s{_RESERVED}])+)|(?P<other>.)""",
    re.DOTALL,
)
_OTHERS: Final = "\\s" + re.escape("&|!{}[]()^~:'+-")
_IN_QUOTES = re.compile(rf"(?:\\.|[^\\{_OTHERS}])+", re.DOTALL)
_LETTER = re.compile(r"\\(.)|([*?])|([^\\])", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SearchWord:
    """A word to be found, whatever its case, with wildcards or none."""

    pattern: LikePattern

    @property
    def letters(self) -> int:
        """How many characters it has, wildcards aside."""
        return sum(len(part.text) for part in self.pattern.parts if isinstance(part, Exactly))


@dataclass(frozen=True, slots=True)
class SearchPhrase:
    """Words to be found one right after the other."""

    words: tuple[SearchWord, ...]


@dataclass(frozen=True, slots=True)
class AllTerms:
    """Terms that must all be found.

    Where they are `implicit`, articles, documents and solutions need only one of them.
    """

    terms: tuple[SearchTerm, ...]
    implicit: bool = False


@dataclass(frozen=True, slots=True)
class AnyTerm:
    """Terms of which one must be found."""

    terms: tuple[SearchTerm, ...]


@dataclass(frozen=True, slots=True)
class WithoutTerm:
    """A term that must be found where another is not: `AND NOT`."""

    term: SearchTerm
    without: SearchTerm


SearchTerm: TypeAlias = SearchWord | SearchPhrase | AllTerms | AnyTerm | WithoutTerm


def read_terms(text: str) -> SearchTerm | None:
    """Return what the text between the braces looks for; None where it is too long to find any.

    Raises:
        SoqlError: it has too few characters, or its parentheses, quotes or operators do not fit.
    """
    if len(text) > LONGEST_TERM:
        return None
    pieces = _pieces(text)
    letters = sum(_letters(piece) for piece in pieces)
    if letters < 2:
        raise SoqlError(
            "INVALID_SEARCH", f"search term must be longer than one character: {text.strip()}"
        )
    if len(text) > WITHOUT_OPERATORS:
        terms = tuple(piece for piece in pieces if not isinstance(piece, str))
        return terms[0] if len(terms) == 1 else AnyTerm(terms)
    return _Reader(pieces).whole()


_Piece: TypeAlias = SearchWord | SearchPhrase | str


def _letters(piece: _Piece) -> int:
    if isinstance(piece, str):
        return 0
    words = piece.words if isinstance(piece, SearchPhrase) else (piece,)
    return sum(word.letters for word in words)


def _pieces(text: str) -> list[_Piece]:
    """Return words, phrases, and operators and parentheses as lower-case texts."""
    pieces: list[_Piece] = []
    for found in _PIECE.finditer(text):
        typed = found[0]
        if found["mark"]:
            pieces.append(typed)
        elif found["quote"]:
            words = _words(_IN_QUOTES.findall(typed[1:-1]))
            if words:
                pieces.append(SearchPhrase(words))
        elif (word := typed.lower()) in {"and", "or", "not"}:
            pieces.append(_operator(word, pieces))
        elif found["word"]:
            pieces.extend(_words([typed]))
        elif typed == '"':
            raise SoqlError("MALFORMED_SEARCH", "The search term has an unmatched quotation mark.")
    return pieces


def _operator(word: str, pieces: list[_Piece]) -> str:
    if word == "not" and pieces and pieces[-1] == "and":
        pieces.pop()
        return "and not"
    return word


def _words(texts: list[str]) -> tuple[SearchWord, ...]:
    found = (_word(text) for text in texts)
    return tuple(word for word in found if word is not None)


def _word(text: str) -> SearchWord | None:
    parts: list[PatternPart] = []
    for escaped, wildcard, plain in _LETTER.findall(text):
        if not wildcard:
            letter = escaped or plain
            if parts and isinstance(parts[-1], Exactly):
                parts[-1] = Exactly(parts[-1].text + letter)
            else:
                parts.append(Exactly(letter))
        elif parts:
            # A word does not begin with a wildcard.
            parts.append("any" if wildcard == "*" else "one")
    return SearchWord(LikePattern(tuple(parts))) if parts else None


class _Reader:
    """Read terms: parentheses first, then AND and AND NOT from right to left, then OR."""

    def __init__(self, pieces: list[_Piece]) -> None:
        self.pieces = pieces
        self.at = 0
        self.depth = 0

    def whole(self) -> SearchTerm:
        found = self._any()
        if self.at < len(self.pieces):
            raise self._refusal()
        return found

    def _next(self) -> _Piece | None:
        return self.pieces[self.at] if self.at < len(self.pieces) else None

    def _refusal(self) -> SoqlError:
        piece = self._next()
        shown = "<EOF>" if piece is None else piece.upper() if isinstance(piece, str) else "("
        return SoqlError("MALFORMED_SEARCH", f"unexpected token: '{shown}'")

    def _any(self) -> SearchTerm:
        terms = [self._all()]
        while self._next() == "or":
            self.at += 1
            terms.append(self._all())
        return terms[0] if len(terms) == 1 else AnyTerm(tuple(terms))

    def _all(self) -> SearchTerm:
        chain: list[tuple[SearchTerm, str]] = [(self._adjacent(), "")]
        while (operator := self._next()) in {"and", "and not"}:
            self.at += 1
            chain.append((self._adjacent(), str(operator)))
        found, operator = chain.pop()
        while chain:
            term, before = chain.pop()
            if operator == "and not":
                found = WithoutTerm(term, found)
            else:
                joined = found.terms if isinstance(found, AllTerms) and not found.implicit else None
                found = AllTerms((term, *(joined or (found,))))
            operator = before
        return found

    def _adjacent(self) -> SearchTerm:
        terms = [self._single()]
        while (piece := self._next()) is not None and (piece == "(" or not isinstance(piece, str)):
            terms.append(self._single())
        return terms[0] if len(terms) == 1 else AllTerms(tuple(terms), implicit=True)

    def _single(self) -> SearchTerm:
        piece = self._next()
        if piece == "(":
            self.depth += 1
            if self.depth > _DEEPEST:
                raise SoqlError(
                    "MALFORMED_SEARCH",
                    f"The search term is nested more than {_DEEPEST} levels deep",
                )
            self.at += 1
            found = self._any()
            if self._next() != ")":
                raise self._refusal()
            self.at += 1
            self.depth -= 1
            return found
        if piece is None or isinstance(piece, str):
            raise self._refusal()
        self.at += 1
        return piece
