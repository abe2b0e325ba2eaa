"""Whole numbers in texts that come from outside: ids, counts, places."""

from __future__ import annotations

from typing import Final

# What every column of ids holds, and no more: longer texts are no number of ours.
MOST: Final = 18


def is_digits(text: str, most: int = MOST) -> bool:
    """Tell whether a text is a whole number in ASCII digits, with at most so many of them.

    `str.isdigit` is true of "²", `str.isdecimal` of digits that `int` reads and no vendor takes;
    neither bounds what a database is then asked for.
    """
    return text.isascii() and text.isdigit() and len(text) <= most


def whole_number(text: str, *, digits: int = MOST, signed: bool = False) -> int | None:
    """Return the whole number that a text is; None if it is none, or has more digits than that."""
    bare = text.removeprefix("-") if signed else text
    return int(text) if is_digits(bare, digits) else None
