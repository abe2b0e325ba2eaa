"""From text to terminals. Which one a word is depends on what the parser could take there."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, Final

from lark import Token
from lark.common import LexerConf
from lark.lexer import Lexer
from lark.parsers.lalr_analysis import Shift

from clones.crm.rules.soql import words
from clones.crm.rules.soql.errors import SoqlError, malformed, unexpected
from clones.crm.rules.soql.nodes import TextSpan
from clones.crm.rules.soql.strings import ESCAPE

DEEPEST: Final = 100  # parentheses within parentheses
_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)*")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")
_COUNTED = re.compile(r"[A-Za-z_]+:[0-9]+(?![A-Za-z0-9_.])")
_CURRENCY = re.compile(r"[A-Za-z]{3}[+-]?[0-9]+(?:\.[0-9]*)?(?![A-Za-z0-9_.])")
_DATETIME = re.compile(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}[Tt][0-9:.]+(?:[Zz]|[+-][0-9]{1,2}:?[0-9]{2})?"
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?![0-9])")
_TIME = re.compile(r"[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?[Zz]?")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_INTEGER = re.compile(r"[0-9]+")
_OPERATOR = re.compile(r"!=|<>|<=|>=|[=<>]")
_STRING = re.compile(rf"'((?:[^'\\]+|{ESCAPE})*)")
_SEARCH = re.compile(r"\{((?:[^\\}]|\\.)*)\}", re.DOTALL)
# Characters that mean something elsewhere in the vendor's languages.
_KNOWN: Final = frozenset("*+-/.;[]{}&|^!~?@%:\"'")
_MARKS: Final = {"(": "_LPAREN", ")": "_RPAREN", ",": "_COMMA"}
_LITERALS: Final = (("DATETIME", _DATETIME), ("DATE", _DATE), ("TIME", _TIME), ("NUMBER", _NUMBER))
_AFTER_ALIAS: Final = frozenset({"FROM", "WHERE", "ORDER", "LIMIT", "OFFSET", "USING"})


class Places:
    """Rows and columns of offsets into a text."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def span(self, start: int, end: int) -> TextSpan:
        """Return where a piece of the text stands."""
        row = bisect_right(self._starts, start)
        return TextSpan(start, end, row, start - self._starts[row - 1] + 1)


def span_of(token: Token) -> TextSpan:
    """Return where a terminal stands."""
    return TextSpan(token.start_pos or 0, token.end_pos or 0, token.line or 1, token.column or 1)


def _takes(state: Any, terminal: str) -> bool:
    """Tell whether a parser in a state could take a terminal, after what it has yet to reduce."""
    states = state.parse_conf.states
    stack = list(state.state_stack)
    while (found := states[stack[-1]].get(terminal)) is not None:
        action, rule = found
        if action is Shift:
            return True
        if size := len(rule.expansion):
            del stack[-size:]
        stack.append(states[stack[-1]][rule.origin.name][1])
    return False


class SoqlLexer(Lexer):
    """Make terminals of a text, one at a time: what is wrong first is told first."""

    __future_interface__ = 2  # lark hands over the parser's state

    def __init__(self, conf: LexerConf | None = None) -> None:
        # Lark hands over its terminals: there are only declared ones.
        del conf

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Token]:
        """Yield the terminals of a text.

        Raises:
            SoqlError: a piece of it can be none.
        """
        reading = _Scanner(lexer_state.text.text, parser_state)
        while (token := reading.next()) is not None:
            yield token


class _Scanner:
    def __init__(self, text: str, state: Any) -> None:
        self.text = text
        self.state = state
        self.places = Places(text)
        self.at = 0
        self.depth = 0

    def next(self) -> Token | None:
        """Return the next terminal, None at the end."""
        self.at = self._after_blanks(self.at)
        if self.at == len(self.text):
            return None
        first = self.text[self.at]
        if first in _MARKS:
            return self._mark(first)
        if first == "'":
            return self._string()
        if first == "{" and self._takes("SEARCH"):
            return self._search()
        if first.isascii() and (first.isalpha() or first == "_"):
            return self._word()
        if (operator := _OPERATOR.match(self.text, self.at)) is not None:
            return self._token("OPERATOR", operator[0].replace("<>", "!="), operator.end())
        if (token := self._number()) is not None:
            return token
        if first == ":":
            raise malformed("Bind variables only allowed in Apex code")
        raise self._refusal(first)

    def _after_blanks(self, at: int) -> int:
        found = _BLANK.match(self.text, at)
        return found.end() if found is not None else at

    def _takes(self, terminal: str) -> bool:
        return _takes(self.state, terminal)

    def _token(self, type_: str, value: str, end: int) -> Token:
        span = self.places.span(self.at, end)
        self.at = end
        return Token(
            type_, value, start_pos=span.start, end_pos=end, line=span.row, column=span.column
        )

    def _here(self, length: int = 1) -> TextSpan:
        return self.places.span(self.at, self.at + length)

    def _refusal(self, character: str) -> SoqlError:
        here = self._here()
        if character in _KNOWN:
            return unexpected(character, here)
        return malformed(f"line {here.row}:{here.column - 1} unexpected token: '{character}'", here)

    def _mark(self, mark: str) -> Token:
        self.depth += {"(": 1, ")": -1}.get(mark, 0)
        if self.depth > DEEPEST:
            raise malformed(f"The query is nested more than {DEEPEST} levels deep", self._here())
        return self._token(_MARKS[mark], mark, self.at + 1)

    def _string(self) -> Token:
        found = _STRING.match(self.text, self.at)
        end = found.end() if found is not None else len(self.text)
        if found is None or end == len(self.text):
            raise unexpected("'", self._here())
        if self.text[end] != "'":
            wrong = self.text[end : end + 2]
            at = self.places.span(end, end + 2)
            raise malformed(f"Illegal character sequence '{wrong}' in string literal", at)
        return self._token("STRING", found[1], end + 1)

    def _search(self) -> Token:
        found = _SEARCH.match(self.text, self.at)
        if found is None:
            raise SoqlError(
                "MALFORMED_SEARCH",
                "No search term found. The search term must be enclosed in braces.",
            )
        return self._token("SEARCH", found[1], found.end())

    def _number(self) -> Token | None:
        if self._takes("INTEGER") and (found := _INTEGER.match(self.text, self.at)) is not None:
            return self._token("INTEGER", found[0], found.end())
        for type_, pattern in _LITERALS:
            if (found := pattern.match(self.text, self.at)) is not None:
                return self._token(type_, found[0], found.end())
        return None

    def _word(self) -> Token:
        for type_, pattern in (("DATE_LITERAL", _COUNTED), ("CURRENCY", _CURRENCY)):
            found = pattern.match(self.text, self.at)
            if found is not None and self._takes(type_):
                name = found[0].partition(":")[0].upper()
                if type_ == "CURRENCY" or name in words.COUNTED_LITERALS:
                    return self._token(type_, found[0], found.end())
        found = _WORD.match(self.text, self.at)
        if found is None:
            raise self._refusal(self.text[self.at])
        word, end = found[0], found.end()
        upper = word.upper()
        terminals = words.TERMINALS.get(upper, ())
        for type_ in terminals:
            if self._fits(type_, end) and self._takes(type_):
                return self._token(type_, word, end)
        # What may not stand here whatever it is, the parser refuses.
        unfit = next((type_ for type_ in terminals if type_ != "DATE_LITERAL"), "NAME")
        return self._token(self._name(upper, end) or unfit, word, end)

    def _fits(self, type_: str, end: int) -> bool:
        """Tell whether a word that may be a keyword is one, by what comes after it."""
        if type_ in {"ROLLUP", "CUBE"}:
            return self._comes(end, "(")
        if type_ == "_TYPEOF":
            return not self._comes(end, ",)") and self._next_word(end) != "FROM"
        if type_ == "DATE_LITERAL":
            return self.text[self.at : end].upper() in words.PLAIN_LITERALS
        return True

    def _name(self, upper: str, end: int) -> str | None:
        """Return which kind of name a word is, None where none may stand."""
        reserved = upper in words.RESERVED
        if self._takes("OBJECT") and (not reserved or upper in words.OBJECTS_TOO):
            return "OBJECT"
        if reserved:
            return None
        if self._comes(end, "(") and self._takes("CALL"):
            return "CALL"
        for type_ in ("NAME", "SCOPE_NAME"):
            if self._takes(type_):
                return type_
        if upper not in words.NO_ALIASES and self._takes("OBJECT_ALIAS"):
            return "OBJECT_ALIAS"
        # A second word after a field is an alias only where the list goes on, or ends.
        ends = self._comes(end, ",)") or self._next_word(end) in _AFTER_ALIAS
        return "COLUMN_ALIAS" if ends and self._takes("COLUMN_ALIAS") else None

    def _comes(self, end: int, marks: str) -> bool:
        after = self._after_blanks(end)
        return after < len(self.text) and self.text[after] in marks

    def _next_word(self, end: int) -> str:
        found = _WORD.match(self.text, self._after_blanks(end))
        return found[0].upper() if found is not None else ""
