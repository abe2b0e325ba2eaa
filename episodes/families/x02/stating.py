"""Which facts a text states: codes, versions, serial numbers, working days. Where a link leads."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

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
# The desk in a sandbox, or published on a port of its own.
DESK: Final = re.compile(r"helpdesk\.sb-[a-z2-7]{10}\..+|localhost|[\d.]+|[\da-f:]*:[\da-f:]*")


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


def leads_to(url: str, ticket: int) -> bool:
    """Tell whether an address is that of a ticket at the desk, whatever is asked of its page."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    path = re.fullmatch(rf"(?:/[\w.-]+)*/(?:tickets|requests)/{ticket}(?:\.json)?/?", parts.path)
    at_the_desk = DESK.fullmatch(parts.hostname or "") is not None
    return parts.scheme in ("http", "https") and at_the_desk and path is not None
