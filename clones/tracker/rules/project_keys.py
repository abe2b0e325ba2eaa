"""Keys and names of spaces: which are well-formed, and suggestions of such."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

KEY_LENGTH: Final = 10
NAME_LENGTH: Final = 80
_KEY: Final = re.compile(r"[A-Z][A-Z0-9]+")
MALFORMED: Final = (
    "Project keys must start with an uppercase letter, followed by one or more uppercase "
    "alphanumeric characters."
)
TOO_LONG: Final = f"The project key must not exceed {KEY_LENGTH} characters in length."
MISSING: Final = "You must specify a valid project key."


def fault_of_key(key: str) -> str | None:
    """Return what is wrong with the form of a key, None if nothing is."""
    if not key:
        return MISSING
    if not _KEY.fullmatch(key):
        return MALFORMED
    return TOO_LONG if len(key) > KEY_LENGTH else None


def valid_key(wanted: str, taken: Collection[str]) -> str:
    """Return a well-formed key that nothing has, like the wanted one: with a number if need be."""
    text = re.sub(r"[^A-Z0-9]", "", wanted.upper()).lstrip("0123456789")[:KEY_LENGTH]
    base = text if len(text) >= 2 else f"{text}PROJ"[:KEY_LENGTH]
    number, found = 1, base
    while found in taken:
        number += 1
        found = f"{base[: KEY_LENGTH - len(str(number))]}{number}"
    return found


def valid_name(wanted: str, taken: Collection[str]) -> str | None:
    """Return a name that nothing has (`taken` are in lower case), None where none is found."""
    number, found = 1, wanted
    while found.lower() in taken:
        number += 1
        if number > 1000:
            return None
        found = f"{wanted[: NAME_LENGTH - len(str(number)) - 1]} {number}"
    return found
