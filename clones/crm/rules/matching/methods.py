"""The methods of matching: how alike two values of a field are, and by what they are looked for.

A key is coarse: what does not have it in common is never compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from clones.crm.rules.matching.likeness import (
    edit_likeness,
    folded,
    jaro_winkler,
    keyboard_likeness,
    sound_of,
)

_LONGEST_KEY: Final = 80  # characters
_NOT_DIGITS: Final = re.compile(r"[^0-9]")
_NOT_PLAIN: Final = re.compile(r"[^\w]|_")
_BLANKS: Final = re.compile(r"\s+")
_WORD: Final = re.compile(r"[^\W_]+")
_NUMBER: Final = re.compile(r"\b[0-9]+[a-z]?\b")
_SUITE: Final = re.compile(r"\b(?:suite|ste|apt|apartment|unit|floor|room)\.?\s*\S+|#\s*\S+")
_ADDRESS: Final = re.compile(r"^(?:[a-z]+://)?(?:www\.)?")
_LEGAL: Final = frozenset(
    "ab ag bv co company corp corporation gmbh inc incorporated kg limited llc llp ltd nv oy plc"
    " sa sarl srl the".split()
)
_STREET_ENDS: Final = {
    "street": "st",
    "str": "st",
    "strasse": "st",
    "avenue": "ave",
    "av": "ave",
    "road": "rd",
    "boulevard": "blvd",
    "drive": "dr",
    "lane": "ln",
    "place": "pl",
    "court": "ct",
    "square": "sq",
    "highway": "hwy",
    "parkway": "pkwy",
}
_ENDS: Final = frozenset(_STREET_ENDS.values())
# Second-level names that are no firm's own.
_SHARED_LEVELS: Final = frozenset({"ac", "co", "com", "edu", "gov", "net", "org"})
# First names that are one another's.
_VARIANTS: Final = tuple(
    frozenset(line.split())
    for line in (
        "alexander alex sandy",
        "andrew andy drew",
        "anthony tony",
        "benjamin ben benny",
        "catherine katherine kate kathy cathy",
        "charles charlie chuck",
        "christopher chris",
        "daniel dan danny",
        "david dave",
        "edward ed eddie ted",
        "elizabeth liz beth betty eliza",
        "james jim jimmy jamie",
        "jennifer jen jenny",
        "john jack johnny",
        "joseph joe joey",
        "kenneth ken kenny",
        "margaret maggie meg peggy",
        "matthew matt",
        "michael mike mick",
        "nicholas nick",
        "patricia pat patty tricia",
        "peter pete",
        "richard rick dick rich",
        "robert bob rob bobby robbie",
        "samuel sam samantha",
        "steven stephen steve",
        "susan sue suzanne",
        "thomas tom tommy",
        "timothy tim",
        "william bill will billy",
    )
)


@dataclass(frozen=True, slots=True)
class Method:
    """How values are compared: `likeness` in percent, which `threshold` has to be reached by.

    `key` returns what two values must have in common to be compared at all, empty where a method
    does not narrow them.
    """

    likeness: Callable[[str, str], float]
    threshold: float
    key: Callable[[str], str]


def plain(text: str) -> str:
    """Return a text without case, accents, and the blanks around it."""
    return _BLANKS.sub(" ", folded(text)).strip()


def letters(text: str) -> str:
    """Return the letters and digits of a text, without case and accents."""
    return _NOT_PLAIN.sub("", folded(text))


def digits(text: str) -> str:
    """Return the digits of a number of a telephone, without the leading 1 of an American one."""
    found = _NOT_DIGITS.sub("", text)
    return found[1:] if len(found) == 11 and found.startswith("1") else found


def address_key(email: str) -> str:
    """Return an address of mail without marks in its name, and without hosts below its domain."""
    name, _, host = plain(email).rpartition("@")
    return f"{letters(name)}@{domain_of(host)}"


def domain_of(host: str) -> str:
    """Return the domain of a host, or of an address of mail or of the web."""
    host = _ADDRESS.sub("", plain(host)).rpartition("@")[2].partition("/")[0]
    parts = host.split(".")
    is_shared = len(parts) > 2 and len(parts[-1]) == 2 and parts[-2] in _SHARED_LEVELS
    return ".".join(parts[-3 if is_shared else -2 :])


def company(text: str) -> str:
    """Return a firm's name without what says of what kind a firm it is."""
    words = _WORD.findall(folded(text))
    return " ".join(one for one in words if one not in _LEGAL) or " ".join(words)


def _exact(one: str, other: str) -> float:
    return 100.0 if plain(one) == plain(other) else 0.0


def _website(one: str, other: str) -> float:
    return 100.0 if domain_of(one) == domain_of(other) else 0.0


def _first_name(one: str, other: str) -> float:
    one, other = plain(one), plain(other)
    is_initial = min(len(one.strip(".")), len(other.strip("."))) == 1 and one[:1] == other[:1]
    is_variant = any(one in names and other in names for names in _VARIANTS)
    if is_initial or is_variant or sound_of(one) == sound_of(other):
        return 100.0
    return 100.0 * jaro_winkler(one, other)


def _last_name(one: str, other: str) -> float:
    one, other = plain(one), plain(other)
    return 100.0 if sound_of(one) == sound_of(other) else 100.0 * keyboard_likeness(one, other)


def _company(one: str, other: str) -> float:
    one, other = company(one), company(other)
    return 100.0 if _is_acronym(one, other) else 100.0 * edit_likeness(one, other)


def _title(one: str, other: str) -> float:
    one, other = plain(one), plain(other)
    return 100.0 if one == other or _is_acronym(one, other) else 0.0


def _is_acronym(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    first = "".join(word[0] for word in _WORD.findall(long))
    return len(first) > 1 and letters(short) == first


def _phone(one: str, other: str) -> float:
    mine, yours = _parts_of_phone(one), _parts_of_phone(other)
    weights = (10.0, 50.0, 30.0, 10.0)  # country, area, exchange, line
    same = (own == their for own, their in zip(mine, yours, strict=True))
    return sum(weight for weight, is_same in zip(weights, same, strict=True) if is_same)


def _parts_of_phone(text: str) -> tuple[str, str, str, str]:
    found = digits(text)
    return found[:-10], found[-10:-7], found[-7:-4], found[-4:]


def _city(one: str, other: str) -> float:
    return 100.0 * edit_likeness(letters(one), letters(other))


def _zip(one: str, other: str) -> float:
    one, other = letters(one), letters(other)
    return (90.0 if one[:5] == other[:5] else 0.0) + (10.0 if one[5:] == other[5:] else 0.0)


def _street(one: str, other: str) -> float:
    mine, yours = _parts_of_street(one), _parts_of_street(other)
    found = 50.0 * edit_likeness(mine[0], yours[0])
    for weight, own, their in zip((20.0, 15.0, 15.0), mine[1:], yours[1:], strict=True):
        found += weight if own == their else 0.0
    return found


def _parts_of_street(text: str) -> tuple[str, str, str, str]:
    """Return the name of a street, the number, what kind of street it is, and the suite."""
    text = plain(text)
    suite = _SUITE.search(text)
    text = _SUITE.sub(" ", text)
    number = _NUMBER.search(text)
    words = [_STREET_ENDS.get(one, one) for one in _WORD.findall(_NUMBER.sub(" ", text))]
    ends = [one for one in words if one in _ENDS]
    name = " ".join(one for one in words if one not in _ENDS)
    return (
        name,
        number[0] if number else "",
        ends[-1] if ends else "",
        letters(suite[0]) if suite else "",
    )


def _street_key(text: str) -> str:
    name, number, _, _ = _parts_of_street(text)
    return number + name.partition(" ")[0]


METHODS: Final[Mapping[str, Method]] = {
    "Exact": Method(_exact, 100, lambda text: plain(text)[:_LONGEST_KEY]),
    "FirstName": Method(_first_name, 85, lambda text: letters(text)[:1]),
    "LastName": Method(_last_name, 90, lambda text: sound_of(text)[:_LONGEST_KEY]),
    "CompanyName": Method(_company, 70, lambda text: letters(company(text))[:5]),
    "Phone": Method(_phone, 80, lambda text: digits(text)[:-4]),
    "City": Method(_city, 85, lambda text: letters(text)[:6]),
    "Street": Method(_street, 80, _street_key),
    "Zip": Method(_zip, 80, lambda text: letters(text)[:3]),
    "Title": Method(_title, 50, lambda text: ""),
    "Website": Method(_website, 100, domain_of),
}
# The methods that a custom rule may take.
FIELD_METHODS: Final = tuple(name for name in METHODS if name != "Website")
