"""Patterns of validators: whether one is found in a text, without ever taking long.

Admins write them and anybody the texts; some pairs would keep our engine busy for ever. A pattern
that might is taken as one that cannot be read.
"""

from __future__ import annotations

import math
import re
from typing import Final

STEPS: Final = 5_000_000
_CLASS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_VARIABLE = re.compile(r"[*+]|\{\d*,\d*\}")
_FIXED = re.compile(r"\{(\d+)\}")
_REPEATED_GROUP = re.compile(r"\)(?:[*+]|\{)")


def is_readable(pattern: str) -> bool:
    """Tell whether a text is a pattern of which short texts can be searched in time."""
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return _steps(pattern, 255) <= STEPS


def is_searchable(pattern: str, length: int, *, steps: int = STEPS) -> bool:
    """Tell whether a pattern can be searched for in a text of a length in so many steps."""
    return _steps(pattern, length) <= steps


def is_found(pattern: str, text: str) -> bool:
    """Tell whether a pattern is found in a text; where that might take too long, it is not."""
    try:
        read = re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return _steps(pattern, len(text)) <= STEPS and read.search(text) is not None


def _steps(pattern: str, length: int) -> int:
    """Return a bound of what a search may take."""
    bare = _CLASS.sub("x", pattern)
    repeats, maybes = len(_VARIABLE.findall(bare)), bare.count("?")
    if _REPEATED_GROUP.search(bare) and (repeats or maybes or "|" in bare):
        return STEPS * 1000  # nobody waits for so many
    fixed = math.prod(int(number) for number in _FIXED.findall(bare))
    choices = maybes + bare.count("|")
    return int((length + 1) ** (repeats + 1) * min(fixed, length + 1) * 2**choices)
