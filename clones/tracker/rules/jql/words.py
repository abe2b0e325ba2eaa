"""Words and characters of JQL: which have a meaning, which are reserved, how others are written."""

from __future__ import annotations

import re
from typing import Final

# The terminal that each keyword is, whatever its case.
KEYWORDS: Final = {
    "and": "AND",
    "or": "OR",
    "not": "NOT",
    "order": "ORDER",
    "by": "BY",
    "asc": "ASC",
    "desc": "DESC",
    "in": "IN",
    "is": "IS",
    "was": "WAS",
    "changed": "CHANGED",
    "before": "BEFORE",
    "after": "AFTER",
    "on": "ON",
    "during": "DURING",
    "from": "FROM",
    "to": "TO",
    "empty": "EMPTY",
    "null": "EMPTY",
    "cf": "CF",
}
SYMBOLS: Final = {
    "!=": "NE",
    "!~": "UNLIKE",
    "<=": "LE",
    ">=": "GE",
    "=": "EQ",
    "<": "LT",
    ">": "GT",
    "~": "LIKE",
    "!": "BANG",
    "&&": "AND",
    "&": "AND",
    "||": "OR",
    "|": "OR",
    "(": "LPAREN",
    ")": "RPAREN",
    ",": "COMMA",
    "[": "LBRACKET",
    "]": "RBRACKET",
}
# Words that mean nothing yet and must be quoted all the same. With the keywords (but `during`) they
# are the list that the service publishes.
UNUSED: Final = frozenset(
    "abort access add alias alter any as audit avg begin between boolean break byte catch char "
    "character check checkpoint collate collation column commit connect continue count create "
    "current date decimal declare decrement default defaults define delete delimiter difference "
    "distinct divide do double drop else encoding end equals escape exclusive exec execute exists "
    "explain false fetch field file first float for function go goto grant greater group having "
    "identified if immediate increment index initial inner inout input insert int integer "
    "intersect intersection into isempty isnull join last left less like limit lock long max min "
    "minus mode modify modulo more multiply next noaudit notin nowait number object of option "
    "outer output power previous prior privileges public raise raw remainder rename resource "
    "return returns revoke right row rowid rownum rows select session set share size sqrt start "
    "strict string subtract sum synonym table then trans transaction trigger true uid union "
    "unique update user validate values view when whenever where while with".split()
)
PUBLISHED: Final = tuple(sorted((UNUSED | KEYWORDS.keys()) - {"during"}))

RESERVED_CHARACTERS: Final = frozenset("{}*/%+^$#@?;`")
# As inside of a character class: control characters, lone surrogates and those that are none.
CONTROLS: Final = "\x00-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
SPACES: Final = " \t\r\n"
MEANINGFUL: Final = " \"'=!<>()~,\\[\\]|&\\\\{}*/%+^$#@?;`"
ESCAPE: Final = r"\\(?:u([0-9a-fA-F]{4})|([tnr\"'\\ ]))"
SMALLEST, LARGEST = -(2**63), 2**63 - 1
NUMBER: Final = re.compile(r"-?[0-9]+", re.ASCII)

_DIGITS = 20  # of the longest number and its sign
_ESCAPE = re.compile(ESCAPE)
_ESCAPED = {"t": "\t", "n": "\n", "r": "\r"}
_MARKS = {"\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\", '"': '\\"', "'": "\\'", " ": "\\ "}
_BARE = re.compile(f"[^{CONTROLS}{MEANINGFUL}]+")


def decoded(text: str) -> str:
    """Return a text without its escapes."""

    def character(found: re.Match[str]) -> str:
        code, mark = found.groups()
        return chr(int(code, 16)) if code else _ESCAPED.get(mark, mark)

    if "\\" not in text:
        return text
    plain = _ESCAPE.sub(character, text)
    # Two escapes may make one character; half of one is no text.
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def whole_number(text: str) -> int | None:
    """Return the whole number that a text is, None if it is none or needs more than 64 bits."""
    if not NUMBER.fullmatch(text) or len(text.lstrip("-0")) > _DIGITS:
        return None
    number = int(text.lstrip("-0") or "0") * (-1 if text.startswith("-") else 1)
    return number if SMALLEST <= number <= LARGEST else None


def is_reserved(word: str) -> bool:
    """Tell whether a word cannot stand without quotation marks."""
    low = word.lower()
    return low in KEYWORDS or low in UNUSED


def _escaped(text: str, which: str) -> str:
    def mark(found: re.Match[str]) -> str:
        known = _MARKS.get(found[0])
        return known if known is not None else f"\\u{ord(found[0]):04x}"

    return re.sub(f"[{which}]", mark, text)


def quoted(text: str) -> str:
    """Return a text in quotation marks."""
    return '"' + _escaped(text, CONTROLS + '"\\\\') + '"'


def encoded(text: str) -> str:
    """Return a text as it must be written in a query: bare where that says the same."""
    bare = _BARE.fullmatch(text) and not is_reserved(text) and not NUMBER.fullmatch(text)
    return text if bare else quoted(text)


def encoded_argument(text: str) -> str:
    """Return an argument of a function as it must be written: a number is its text."""
    return encoded(text) if whole_number(text) is None else text


def encoded_path(text: str) -> str:
    """Return the path behind a property as it must be written: it takes escapes, no quotes."""
    return _escaped(text, CONTROLS + MEANINGFUL)
