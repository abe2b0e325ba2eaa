"""From text to terminals. What cannot be one is refused here, in the service's words."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from lark import Token
from lark.common import LexerConf
from lark.lexer import Lexer

from clones.tracker.rules.jql import words
from clones.tracker.rules.jql.errors import JqlSyntaxError, shown, syntax
from clones.tracker.rules.jql.nodes import Span

_SPACES = re.compile(f"[{words.SPACES}]+")
_SYMBOL = re.compile("|".join(re.escape(text) for text in words.SYMBOLS))
# The alternatives exclude each other and nothing comes after them: there is no way back to try.
# (Possessive forms match too much in Python 3.11.2.)
_BARE = re.compile(f"(?:[^{words.CONTROLS}{words.MEANINGFUL}]+|{words.ESCAPE})*")
_QUOTED = {
    mark: re.compile(f"(?:[^{words.CONTROLS}\\\\{mark}]+|{words.ESCAPE})*") for mark in "\"'"
}
_CONTROL = re.compile(f"[{words.CONTROLS}]")
_UNICODE = re.compile(r"\\u[0-9a-fA-F]{0,4}")
_SEQUENCES: Final = (
    "The valid escape sequences are \\', \\\", \\t, \\n, \\r, \\\\, '\\ ' and \\uXXXX."
)
# After one of these a parenthesis opens the arguments of a call.
_CALLABLE: Final = frozenset({"STRING", "QUOTED", "NUMBER"})
_IN_CALL: Final = {"COMMA": "ARGUMENT_COMMA", "RPAREN": "CALL_END"}


class Places:
    """Lines and columns of offsets into a text."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def span(self, start: int, end: int) -> Span:
        """Return where a piece of the text stands."""
        line = bisect_right(self._starts, start)
        return Span(start, end, line, start - self._starts[line - 1] + 1)


class JqlLexer(Lexer):
    """Make terminals of a text, one at a time: what is wrong first is told first."""

    def __init__(self, conf: LexerConf | None = None) -> None:
        # Lark hands over its terminals: there are only declared ones.
        del conf

    def lex(self, data: str) -> Iterator[Token]:  # type: ignore[override] # lark wraps lexers of this form
        """Yield the terminals of a text.

        Raises:
            JqlSyntaxError: a piece of it can be none.
        """
        reading = _Scanner(data)
        opened: list[bool] = []  # for each open parenthesis, whether it is a call's
        last = ""
        while (token := reading.next()) is not None:
            if token.type == "LPAREN":
                opened.append(last in _CALLABLE)
                token.type = "CALL" if opened[-1] else "LPAREN"
            elif token.type in _IN_CALL and opened and opened[-1]:
                token.type = _IN_CALL[token.type]
            if token.type in {"RPAREN", "CALL_END"} and opened:
                opened.pop()
            last = token.type
            yield token


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.places = Places(text)
        self.at = 0

    def next(self) -> Token | None:
        """Return the next terminal, None at the end."""
        if (spaces := _SPACES.match(self.text, self.at)) is not None:
            self.at = spaces.end()
        if self.at == len(self.text):
            return None
        if (symbol := _SYMBOL.match(self.text, self.at)) is not None:
            return self._token(words.SYMBOLS[symbol[0]], symbol[0], symbol.end())
        first = self.text[self.at]
        return self._quoted(first) if first in _QUOTED else self._bare()

    def _token(self, type_: str, value: str, end: int) -> Token:
        span = self.places.span(self.at, end)
        self.at = end
        return Token(
            type_, value, start_pos=span.start, end_pos=end, line=span.line, column=span.column
        )

    def _quoted(self, mark: str) -> Token:
        start = self.at + 1
        found = _QUOTED[mark].match(self.text, start)
        end = found.end() if found is not None else start
        if end == len(self.text) or self.text[end] in "\r\n":
            rest = shown(self.text[start:])
            what = f"The quoted string '{rest}'" if rest else "The quoted string"
            raise syntax(f"{what} has not been completed.", self.places.span(self.at, end))
        if self.text[end] != mark:
            raise self._refusal(end)
        return self._token("QUOTED", words.decoded(self.text[start:end]), end + 1)

    def _bare(self) -> Token:
        found = _BARE.match(self.text, self.at)
        end = found.end() if found is not None else self.at
        if end < len(self.text) and (self._is_wrong(end) or end == self.at):
            raise self._refusal(end)
        typed = self.text[self.at : end]
        span = self.places.span(self.at, end)
        if words.NUMBER.fullmatch(typed):
            if words.whole_number(typed) is None:
                raise syntax(
                    f"'{typed}' is not a valid number. Numbers must be between "
                    f"{words.SMALLEST:,} and {words.LARGEST:,}.",
                    span,
                )
            return self._token("NUMBER", typed, end)
        keyword = words.KEYWORDS.get(typed.lower())
        if keyword is None and words.is_reserved(typed):
            raise syntax(
                f"'{typed}' is a reserved JQL word. You must surround it in quotation marks to use "
                "it in a query.",
                span,
            )
        return self._token(keyword or "STRING", typed if keyword else words.decoded(typed), end)

    def _is_wrong(self, at: int) -> bool:
        character = self.text[at]
        if character in words.SPACES:
            return False
        reserved = character in words.RESERVED_CHARACTERS or character == "\\"
        return reserved or _CONTROL.match(character) is not None

    def _refusal(self, at: int) -> JqlSyntaxError:
        character = self.text[at]
        place = self.places.span(at, at + 1)
        if character == "\\":
            return self._bad_escape(place)
        code = f"\\u{ord(character):04x}"
        if character in words.RESERVED_CHARACTERS:
            return syntax(
                f"The character '{character}' is a reserved JQL character. You must enclose it in "
                f"a string or use the escape '{code}' instead.",
                place,
            )
        return syntax(
            f"The character 'U+{ord(character):04X}' on line {place.line} at position "
            f"{place.column} must be escaped. Use the escape '{code}' instead.",
            place,
        )

    def _bad_escape(self, place: Span) -> JqlSyntaxError:
        if place.start + 1 == len(self.text):
            return syntax(f"The escape sequence has not been completed. {_SEQUENCES}", place)
        found = _UNICODE.match(self.text, place.start)
        # It is shown with the first character that does not belong.
        end = found.end() + 1 if found is not None else place.start + 2
        wrong = shown(self.text[place.start : end])
        return syntax(f"'{wrong}' is an illegal JQL escape sequence. {_SEQUENCES}", place)
