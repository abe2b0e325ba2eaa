"""What smart values can do with texts: the vendor's functions, by their names in small letters."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final

from clones.core.patterns import BadPattern, read_pattern
from clones.core.strict_json import read_json
from clones.tracker.rules.automation.smart.dates import read_moment
from clones.tracker.rules.automation.smart.parsing import LONGEST, LONGEST_BETWEEN, SmartValueError
from clones.tracker.rules.automation.smart.values import number_of, text_of

Arguments = Sequence[Any]
_TAG: Final = re.compile(r"<[^>]*>")
_GROUP: Final = re.compile(r"\$(\d)")
# What Java's `URLEncoder`, which the vendor's function is, does not leave as it is.
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9.*_-]+")
_PERCENT: Final = tuple("+" if byte == ord(" ") else f"%{byte:02X}" for byte in range(256))
TOO_LONG: Final = f"The text would be longer than {LONGEST} characters."


def _text(given: Arguments, place: int = 0) -> str:
    return text_of(given[place]) if len(given) > place else ""


def _whole(given: Arguments, place: int = 0, otherwise: int = 0) -> int:
    found = number_of(given[place]) if len(given) > place else None
    return otherwise if found is None else int(found)


def _pattern(text: str) -> Any:
    """Return a pattern that is searched in linear time.

    Raises:
        SmartValueError: it is none that can be used.
    """
    try:
        return read_pattern(text, "java")
    except BadPattern as error:
        raise SmartValueError(f"The regular expression cannot be used: {text[:120]}") from error


def _abbreviate(text: str, given: Arguments) -> str:
    most = max(_whole(given), 4)
    return text if len(text) <= most else text[: most - 3] + "..."


def _char_at(text: str, given: Arguments) -> str | None:
    at = _whole(given)
    return text[at] if 0 <= at < len(text) else None


def _substring(text: str, given: Arguments) -> str:
    start = _whole(given)
    stop = _whole(given, 1, len(text))
    if start < 0 or stop < start or start > len(text) or stop > len(text):
        raise SmartValueError(f"substring({start}, {stop}) lies outside of the text.")
    return text[start:stop]


def _after(text: str, given: Arguments, *, last: bool) -> str:
    sign = _text(given)
    _, found, rest = text.rpartition(sign) if last and sign else text.partition(sign or "\0")
    return rest if found else ""


def _before(text: str, given: Arguments, *, last: bool) -> str:
    sign = _text(given)
    if not sign or sign not in text:
        return text
    return text.rpartition(sign)[0] if last else text.partition(sign)[0]


def _between(text: str, given: Arguments) -> str | None:
    opens, closes = _text(given), _text(given, 1) or _text(given)
    _, found, rest = text.partition(opens) if opens else ("", "", "")
    inside, closed, _ = rest.partition(closes) if closes else ("", "", "")
    return inside if found and closed else None


def _match(text: str, given: Arguments) -> Any:
    """Return the groups of all places where a pattern is found; one alone is no list."""
    read = _pattern(_text(given))
    found = [
        [one or "" for one in match.groups()] if match.groups() else [match.group()]
        for match in read.finditer(text)
    ]
    flat = [one for groups in found for one in groups]
    if not flat:
        return None
    return flat[0] if len(flat) == 1 else flat


def _replace_all(text: str, given: Arguments) -> str:
    pieces = _GROUP.split(_text(given, 1))  # every second one is the number of a group
    left = LONGEST

    def filled(match: Any) -> str:
        nonlocal left
        try:
            said = "".join(
                (match.group(int(piece)) or "") if place % 2 else piece
                for place, piece in enumerate(pieces)
            )
        except IndexError as error:
            raise SmartValueError("replaceAll names a group that is not there.") from error
        left -= len(said)
        if left < 0:
            raise SmartValueError(TOO_LONG)
        return said

    return _short(_pattern(_text(given)).sub(filled, text))


def _replace(text: str, given: Arguments) -> str:
    sign, to = _text(given), _text(given, 1)
    if not sign:
        return text
    if len(text) + text.count(sign) * (len(to) - len(sign)) > LONGEST:
        raise SmartValueError(TOO_LONG)
    return text.replace(sign, to)


def _short(text: str) -> str:
    if len(text) > LONGEST:
        raise SmartValueError(TOO_LONG)
    return text


def within_bounds(found: Any) -> Any:
    """Return what a function made, if it is no text that grows without end.

    Raises:
        SmartValueError: it is.
    """
    if isinstance(found, str) and len(found) > LONGEST_BETWEEN:
        raise SmartValueError(TOO_LONG)
    return found


def _split(text: str, given: Arguments) -> list[str]:
    sign = _text(given)
    return text.split(sign) if sign else text.split()


def _pad(text: str, given: Arguments, *, left: bool) -> str:
    width = min(_whole(given), LONGEST)
    sign = (_text(given, 1) or " ")[:1]
    return text.rjust(width, sign) if left else text.ljust(width, sign)


def _to_date(text: str, given: Arguments) -> datetime | None:
    return read_moment(text, _text(given))


def _as_object(text: str, _: Arguments) -> Any:
    try:
        return read_json(text)
    except ValueError:
        return None


def _percent_encoded(found: re.Match[str]) -> str:
    return "".join([_PERCENT[byte] for byte in found[0].encode()])


def _index(text: str, given: Arguments) -> float:
    return float(text.find(_text(given)))


def _plain(act: Callable[[str], Any]) -> Callable[[str, Arguments], Any]:
    return lambda text, _: act(text)


FUNCTIONS: Final[dict[str, Callable[[str, Arguments], Any]]] = {
    "abbreviate": _abbreviate,
    "asjsonobject": _as_object,
    "asjsonstring": _plain(lambda text: json.dumps(text, ensure_ascii=False)),
    "asnumber": _plain(number_of),
    "capitalize": _plain(lambda text: text[:1].upper() + text[1:]),
    "charat": _char_at,
    "concat": lambda text, given: _short(text + "".join(text_of(one) for one in given)),
    "contains": lambda text, given: _text(given) in text,
    "endswith": lambda text, given: text.endswith(_text(given)),
    "equals": lambda text, given: text == _text(given),
    "equalsignorecase": lambda text, given: text.casefold() == _text(given).casefold(),
    "htmlencode": _plain(html.escape),
    "indexof": _index,
    "isalpha": _plain(str.isalpha),
    "isalphanumeric": _plain(str.isalnum),
    "isblank": _plain(lambda text: not text.strip()),
    "isempty": _plain(lambda text: not text),
    "isnotblank": _plain(lambda text: bool(text.strip())),
    "isnotempty": _plain(bool),
    "isnumeric": _plain(str.isdecimal),
    "jsonencode": _plain(lambda text: json.dumps(text, ensure_ascii=False)[1:-1]),
    "lastindexof": lambda text, given: float(text.rfind(_text(given))),
    "left": lambda text, given: text[: max(_whole(given), 0)],
    "leftpad": lambda text, given: _pad(text, given, left=True),
    "length": _plain(lambda text: float(len(text))),
    "match": _match,
    "quote": _plain(re.escape),
    "remove": lambda text, given: text.replace(_text(given), "") if _text(given) else text,
    "replace": _replace,
    "replaceall": _replace_all,
    "reverse": _plain(lambda text: text[::-1]),
    "right": lambda text, given: text[-_whole(given) :] if _whole(given) > 0 else "",
    "rightpad": lambda text, given: _pad(text, given, left=False),
    "size": _plain(lambda text: float(len(text))),
    "split": _split,
    "startswith": lambda text, given: text.startswith(_text(given)),
    "striphtml": _plain(lambda text: html.unescape(_TAG.sub("", text))),
    "substring": _substring,
    "substringafter": lambda text, given: _after(text, given, last=False),
    "substringafterlast": lambda text, given: _after(text, given, last=True),
    "substringbefore": lambda text, given: _before(text, given, last=False),
    "substringbeforelast": lambda text, given: _before(text, given, last=True),
    "substringbetween": _between,
    "todate": _to_date,
    "tolowercase": _plain(str.lower),
    "tostring": _plain(str),
    "touppercase": _plain(str.upper),
    "trim": _plain(str.strip),
    "trimtonull": _plain(lambda text: text.strip() or None),
    "urlencode": _plain(lambda text: _UNSAFE.sub(_percent_encoded, text)),
    "xmlencode": _plain(html.escape),
}
