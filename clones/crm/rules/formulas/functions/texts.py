"""The functions of texts."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any, Final

from clones.core.patterns import BadPattern, read_pattern
from clones.crm.rules.formulas.errors import LONGEST_TEXT, FormulaValueError, too_big
from clones.crm.rules.formulas.functions.signatures import NUMBER, TEXT, Table
from clones.crm.rules.formulas.numbers import ONE, number_text, whole_count
from clones.crm.rules.formulas.types import Kind

TEXTS = Table()
_SHOWN: Final = (Kind.NUMBER, Kind.DATE, Kind.DATETIME, Kind.TIME, Kind.PICKLIST)
_FARTHEST: Final = 1_000_000_000  # positions and lengths beyond this are this
LONGEST_SEARCHED: Final = 32_768  # characters that a pattern is looked for in
_WORD = re.compile(r"[^\W_]+")
_ID_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"
_TURKIC: Final = frozenset({"tr", "az"})


def text_of_time(value: time) -> str:
    """Return a time of day as TEXT writes it."""
    return f"{value:%H:%M:%S}.{value.microsecond // 1000:03}"


def text_of_day(value: date) -> str:
    """Return a day as TEXT writes it."""
    return f"{value.year:04}-{value.month:02}-{value.day:02}"


@TEXTS.function("TEXT", _SHOWN, gives=Kind.TEXT, blanks=True)
def text_of(value: Any) -> str:
    """Return a value as text: moments in Greenwich time, numbers without a leading nought."""
    match value:
        case None:
            return ""
        case str():
            return value
        case datetime():
            moment = value.astimezone(UTC)
            return f"{text_of_day(moment)} {moment:%H:%M:%S}Z"
        case date():
            return text_of_day(value)
        case time():
            return text_of_time(value)
    return number_text(value)


TEXTS.function("BEGINS", TEXT, TEXT, gives=Kind.BOOLEAN)(str.startswith)
TEXTS.function("CONTAINS", TEXT, TEXT, gives=Kind.BOOLEAN)(lambda text, part: part in text)
TEXTS.function("LEN", TEXT, gives=Kind.NUMBER)(lambda text: Decimal(len(text)))
TEXTS.function("TRIM", TEXT, gives=Kind.TEXT)(lambda text: text.strip(" \t\r\n\f\v"))
TEXTS.function("REVERSE", TEXT, gives=Kind.TEXT)(lambda text: text[::-1])
TEXTS.function("BR", gives=Kind.TEXT)(lambda: "\n")


def _position(value: Decimal) -> int:
    return whole_count(value, _FARTHEST)


@TEXTS.function("LEFT", TEXT, NUMBER, gives=Kind.TEXT)
def left(text: str, count: Decimal) -> str:
    """Return the first characters of a text."""
    return text[: max(0, _position(count))]


@TEXTS.function("RIGHT", TEXT, NUMBER, gives=Kind.TEXT)
def right(text: str, count: Decimal) -> str:
    """Return the last characters of a text; none for a count that is not whole."""
    if count != count.to_integral_value():
        return ""
    return text[max(0, len(text) - max(0, _position(count))) :]


@TEXTS.function("MID", TEXT, NUMBER, NUMBER, gives=Kind.TEXT)
def mid(text: str, start: Decimal, count: Decimal) -> str:
    """Return characters of a text from a position, which is the first where it is below that."""
    begin = max(1, _position(start)) - 1
    return text[begin : begin + max(0, _position(count))]


@TEXTS.function("SUBSTR", TEXT, NUMBER, NUMBER, gives=Kind.TEXT, optional=1)
def substr(text: str, start: Decimal, count: Decimal = Decimal(_FARTHEST)) -> str:
    """Return characters of a text from a position, a negative one counted from the end."""
    begin = _position(start)
    if begin < -len(text):
        return ""
    begin = begin + len(text) if begin < 0 else max(0, begin - 1)
    return text[begin : begin + max(0, _position(count))]


@TEXTS.function("FIND", TEXT, TEXT, NUMBER, gives=Kind.NUMBER, optional=1, blanks=True)
def find(part: str, text: str, start: Decimal | None = ONE) -> Decimal:
    """Return the position of a text in another, from a position on; 0 where it is not there."""
    begin = _position(ONE if start is None else start) - 1
    return Decimal(text.find(part, begin) + 1 if part and begin >= 0 else 0)


@TEXTS.function("SUBSTITUTE", TEXT, TEXT, TEXT, gives=Kind.TEXT)
def substitute(text: str, old: str, new: str) -> str:
    """Return a text with all places of another replaced.

    Raises:
        FormulaValueError: it would be too long.
    """
    if not old:
        return text
    if len(text) + text.count(old) * (len(new) - len(old)) > LONGEST_TEXT:
        raise too_big("The text")
    return text.replace(old, new)


def _padding(text: str, length: Decimal, pad: str) -> tuple[int, str]:
    size = _position(length)
    if size > LONGEST_TEXT:
        raise too_big("The text")
    if not text or not pad or size <= 0:
        return 0, ""
    missing = max(0, size - len(text))
    return size, (pad * (missing // len(pad) + 1))[:missing]


@TEXTS.function("LPAD", TEXT, NUMBER, TEXT, gives=Kind.TEXT, optional=1)
def lpad(text: str, length: Decimal, pad: str = " ") -> str:
    """Return a text of a length, cut at its end or filled at its start; blank where the filling is.

    Raises:
        FormulaValueError: it would be too long.
    """
    size, filling = _padding(text, length, pad)
    return filling + text[:size]


@TEXTS.function("RPAD", TEXT, NUMBER, TEXT, gives=Kind.TEXT, optional=1)
def rpad(text: str, length: Decimal, pad: str = " ") -> str:
    """Return a text of a length, cut or filled at its end; blank where the filling is.

    Raises:
        FormulaValueError: it would be too long.
    """
    size, filling = _padding(text, length, pad)
    return text[:size] + filling


def _is_turkic(locale: str) -> bool:
    return re.split("[_-]", locale, maxsplit=1)[0].lower() in _TURKIC


@TEXTS.function("UPPER", TEXT, TEXT, gives=Kind.TEXT, optional=1)
def upper(text: str, locale: str = "") -> str:
    """Return a text in capitals, those of a locale."""
    return (text.replace("i", "İ") if _is_turkic(locale) else text).upper()


@TEXTS.function("LOWER", TEXT, TEXT, gives=Kind.TEXT, optional=1)
def lower(text: str, locale: str = "") -> str:
    """Return a text in small letters, those of a locale."""
    if _is_turkic(locale):
        text = text.replace("I", "\u0131").replace("İ", "i")
    return text.lower()


@TEXTS.function("INITCAP", TEXT, gives=Kind.TEXT)
def initcap(text: str) -> str:
    """Return a text with a capital at the start of each word, and small letters after it."""
    return _WORD.sub(lambda word: word[0][0].title() + word[0][1:].lower(), text)


@TEXTS.function("CHR", NUMBER, gives=Kind.TEXT)
def chr_(code: Decimal) -> str:
    """Return the character of a code point, nothing where there is none, or for 0."""
    point = _position(code)
    exists = 0 < point <= 0x10FFFF and not 0xD800 <= point <= 0xDFFF
    return chr(point) if exists else ""


@TEXTS.function("ASCII", TEXT, gives=Kind.NUMBER)
def ascii_(text: str) -> Decimal | None:
    """Return the code point of the first character, None for a blank text."""
    return Decimal(ord(text[0])) if text else None


@TEXTS.function("REGEX", TEXT, TEXT, gives=Kind.BOOLEAN)
def regex(text: str, pattern: str) -> bool:
    """Tell whether a pattern matches the whole of a text, in time that grows with the text alone.

    Raises:
        FormulaValueError: it is no pattern, or one that cannot be searched so, or the text is long.
    """
    if len(text) > LONGEST_SEARCHED:
        raise too_big("The text")
    try:
        return bool(read_pattern(pattern, "java").fullmatch(text))
    except BadPattern as error:
        raise FormulaValueError(f"Invalid regular expression: {error}") from error


@TEXTS.function("LIKE", TEXT, TEXT, gives=Kind.BOOLEAN)
def like(text: str, pattern: str) -> bool:
    r"""Tell whether a text is like a pattern: `%` is any characters, `_` one, `\` before them none.

    Raises:
        FormulaValueError: the pattern is too long.
    """
    pieces = re.findall(r"\\?.", pattern, re.DOTALL)
    jokers = {"%": ".*", "_": "."}
    spelt = "".join(
        jokers.get(piece) or re.escape(piece.removeprefix("\\") or piece) for piece in pieces
    )
    return regex(text, f"(?s){spelt}")


@TEXTS.function("CASESAFEID", TEXT, gives=Kind.TEXT)
def case_safe_id(text: str) -> str:
    """Return an id of 15 characters with the three that tell its capitals; others as they are."""
    if len(text) != 15 or not text.isascii() or not text.isalnum():
        return text
    groups = (text[0:5], text[5:10], text[10:15])
    return text + "".join(
        _ID_LETTERS[sum(1 << place for place, letter in enumerate(group) if letter.isupper())]
        for group in groups
    )
