"""Patterns that admins write: whether they can be read, and whether a text fits one.

A pattern comes from an account and a text from anybody, and our engine may need longer than the
world lasts for an unlucky pair. What could take too long is not looked at.
"""

from __future__ import annotations

import math
import re

STEPS = 5_000_000
_CLASS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_VARIABLE = re.compile(r"[*+]|\{\d*,\d*\}")
_FIXED = re.compile(r"\{(\d+)\}")
_REPEATED_GROUP = re.compile(r"\)(?:[*+]|\{)")


def readable(pattern: str) -> bool:
    """Tell whether a text is a pattern."""
    try:
        re.compile(_in_our_words(pattern))
    except (re.error, OverflowError, RecursionError):
        return False
    return True


def fits(pattern: str, text: str) -> bool:
    """Tell whether a pattern is found in a text; one that could take too long always is."""
    if not readable(pattern) or _steps(pattern, len(text)) > STEPS:
        return True
    return re.search(_in_our_words(pattern), text) is not None


def _in_our_words(pattern: str) -> str:
    """Return a pattern of the vendor's engine as ours writes it."""
    return pattern.replace(r"\A", "^").replace(r"\z", r"\Z").replace(r"\h", "[0-9a-fA-F]")


def _steps(pattern: str, length: int) -> int:
    """Return a bound of what a search may take."""
    bare = _CLASS.sub("x", pattern)
    repeats = len(_VARIABLE.findall(bare))
    maybes = bare.count("?")
    if _REPEATED_GROUP.search(bare) and (repeats or maybes or "|" in bare):
        return STEPS + 1
    fixed = math.prod(int(number) for number in _FIXED.findall(bare))
    choices = maybes + bare.count("|")
    return int((length + 1) ** (repeats + 1) * min(fixed, length + 1) * 2**choices)
