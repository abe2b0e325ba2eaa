"""Which facts a text states: codes, versions, serial numbers, systems, files, working days."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from episodes.checks.text import visible

NUMBERS: Final = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "eight": 8,
    "ten": 10,
    "twelve": 12,
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
}
DAYS: Final = re.compile(
    rf"(?<![\w.,-])(?P<number>\d+|{'|'.join(NUMBERS)})[ \u00a0-]*"
    r"(?:working|business|work)[ -]?days?\b",
    re.IGNORECASE,
)


def states(text: str, value: str) -> bool:
    """Tell whether a text names a value by itself: the version 5.2 is not named by 5.2.1.

    Between its words may stand anything that is no word.
    """
    inner = r"[\s,;:()]+".join(re.escape(word) for word in value.split())
    found = rf"(?<![\w-])(?<!\w\.){inner}(?![\w-])(?!\.\w)"
    return re.search(found, visible(text), re.IGNORECASE) is not None


def states_any(text: str, values: Iterable[str]) -> bool:
    """Tell whether a text names one of the values."""
    return any(states(text, value) for value in values)


def working_days(text: str) -> frozenset[int]:
    """Return the numbers of working days that a text speaks of, in figures or in words."""
    found = [match["number"].casefold() for match in DAYS.finditer(visible(text))]
    return frozenset(NUMBERS[one] if one in NUMBERS else int(one) for one in found)
