"""What values may be written: one place, since the engines differ in what they refuse."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

from clones.billing.errors import (
    InvalidCurrency,
    InvalidEmail,
    InvalidText,
    MetadataKeyTooLong,
    MetadataTooMany,
    MetadataValueTooLong,
    TooLong,
    UnknownChoice,
)

# Keys to set ("" as a value unsets one), "" to unset all, or None to leave all as they are.
Metadata: TypeAlias = Mapping[str, str] | Literal[""] | None

METADATA_KEYS = 50
METADATA_KEY_LENGTH = 40
METADATA_VALUE_LENGTH = 500
TEXT_LENGTH = 5000
CURRENCY = re.compile("[a-z]{3}")
EMAIL = re.compile(r"^[^@\s]+@[^@\s]+\.[^@\s]+$")


def check_text(param: str, value: str | None, *, limit: int = TEXT_LENGTH) -> None:
    """Refuse text that is too long or that no store keeps.

    Raises:
        TooLong: it has more than `limit` characters.
        InvalidText: it holds a NUL or half a character.
    """
    if value is None:
        return
    if "\x00" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
        raise InvalidText(param)
    if len(value) > limit:
        raise TooLong(param, value, limit)


def check_email(param: str, value: str | None) -> None:
    """Refuse what is no e-mail address.

    Raises:
        InvalidEmail: it is none.
        TooLong: it is too long.
    """
    check_text(param, value, limit=512)
    if value is not None and not EMAIL.match(value):
        raise InvalidEmail(param, value)


def check_currency(param: str, value: str) -> None:
    """Refuse what is no currency's code: three letters, in lower case.

    Raises:
        InvalidCurrency: it is none.
    """
    if not CURRENCY.fullmatch(value):
        raise InvalidCurrency(param, value)


def check_choice(param: str, value: str | None, choices: tuple[str, ...]) -> None:
    """Refuse a value that is none of the choices.

    Raises:
        UnknownChoice: it is none of them.
    """
    if value is not None and value not in choices:
        raise UnknownChoice(param, choices)


def merged_metadata(current: Mapping[str, str], change: Metadata) -> dict[str, str]:
    """Return metadata after a change: keys given replace, keys given as "" go, "" clears all.

    Raises:
        MetadataKeyTooLong: a key is too long.
        MetadataValueTooLong: a value is too long.
        MetadataTooMany: too many keys would be kept.
        InvalidText: text that no store keeps.
    """
    if change == "":
        return {}
    kept = dict(current)
    for key, value in (change or {}).items():
        check_text(f"metadata[{key}]", key + value, limit=len(key + value))
        if len(key) > METADATA_KEY_LENGTH:
            raise MetadataKeyTooLong(key, METADATA_KEY_LENGTH)
        if len(value) > METADATA_VALUE_LENGTH:
            raise MetadataValueTooLong(key, value, METADATA_VALUE_LENGTH)
        if value:
            kept[key] = value
        else:
            kept.pop(key, None)
    if len(kept) > METADATA_KEYS:
        raise MetadataTooMany(METADATA_KEYS)
    return kept
