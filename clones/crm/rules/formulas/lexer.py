"""From text to terminals. What cannot be one is refused here, in the service's words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lark import Token
from lark.common import LexerConf
from lark.lexer import Lexer

from clones.crm.rules.formulas.errors import FormulaSyntaxError

# Formulas that were copied from web pages have blanks of no width in them.
_SPACES = re.compile("[ \t\f\r\n\u00a0\u200b\ufeff]+")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_NAME = re.compile(r"[A-Za-z$][A-Za-z0-9_$:.#]*")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
# The alternatives exclude each other and nothing comes after them: there is no way back to try.
_QUOTED: Final = {mark: re.compile(rf"(?:[^\\{mark}\r\n]+|\\[nrt\"'\\])*") for mark in ('"', "'")}
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t"}
_KEYWORDS: Final = {"true": "TRUE", "false": "FALSE", "null": "NULL", "not": "NOT"}
_SYMBOLS: Final = {
    "||": "OR", "&&": "AND", "==": "EQ", "=": "EQ", "<>": "NE", "!=": "NE", "<=": "LE", ">=": "GE",
    "<": "LT", ">": "GT", "+": "PLUS", "-": "MINUS", "&": "CONCAT", "*": "TIMES", "/": "OVER",
    "^": "POWER", "!": "NOT", "(": "LPAREN", ")": "RPAREN", ",": "COMMA",
}  # fmt: skip
_SYMBOL = re.compile("|".join(map(re.escape, sorted(_SYMBOLS, key=len, reverse=True))))


def found(text: str, at: int | None) -> FormulaSyntaxError:
    """Return the error for a piece that may not stand where it does."""
    return FormulaSyntaxError(f"Syntax error.  Found '{text}'", at=at)


def missing(what: str, at: int | None) -> FormulaSyntaxError:
    """Return the error for a piece that is not there."""
    return FormulaSyntaxError(f"Syntax error.  Missing {what}", at=at)


class FormulaLexer(Lexer):
    """Make terminals of a text, one at a time: what is wrong first is told first."""

    def __init__(self, conf: LexerConf | None = None) -> None:
        # Lark hands over its terminals: there are only declared ones.
        del conf

    def lex(self, data: str) -> Iterator[Token]:  # type: ignore[override] # lark wraps lexers of this form
        """Yield the terminals of a text.

        Raises:
            FormulaSyntaxError: a piece of it can be none.
        """
        at = _skipped(data, 0)
        while at < len(data):
            token = _token(data, at)
            yield token
            at = _skipped(data, token.end_pos or len(data))


def _skipped(text: str, at: int) -> int:
    while True:
        if (spaces := _SPACES.match(text, at)) is not None:
            at = spaces.end()
        if not text.startswith("/*", at):
            return at
        comment = _COMMENT.match(text, at)
        if comment is None:
            raise missing("'*/'", None)
        at = comment.end()


def _token(text: str, at: int) -> Token:
    if text[at] in _QUOTED:
        return _quoted(text, at)
    if (name := _NAME.match(text, at)) is not None:
        return _made(_KEYWORDS.get(name[0].lower(), "NAME"), name[0], at, name.end())
    if (number := _NUMBER.match(text, at)) is not None:
        return _made("NUMBER", number[0], at, number.end())
    if (symbol := _SYMBOL.match(text, at)) is not None:
        return _made(_SYMBOLS[symbol[0]], symbol[0], at, symbol.end())
    raise found(text[at], at)


def _quoted(text: str, at: int) -> Token:
    mark = text[at]
    inner = _QUOTED[mark].match(text, at + 1)
    end = inner.end() if inner is not None else at + 1
    if end == len(text) or text[end] in "\r\n":
        raise missing(f"'{mark}'", None)
    if text[end] != mark:
        raise found(text[end : end + 2], end)
    value = _ESCAPE.sub(lambda match: _ESCAPES.get(match[1], match[1]), text[at + 1 : end])
    return _made("TEXT", value, at, end + 1)


def _made(type_: str, value: str, start: int, end: int) -> Token:
    return Token(type_, value, start_pos=start, end_pos=end)
