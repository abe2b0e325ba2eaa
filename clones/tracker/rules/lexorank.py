"""Ranks: texts whose order is the order of issues, with room for another between any two.

`0|i00007:` is a bucket (0 to 2), six digits to the base of 36, a colon, and more digits where
somebody was put between two neighbours. Ranks compare as plain bytes: the colon lies between digits
and letters and stands at the same place in all, so a rank is the fraction that its digits write.
No rank ends in a zero after the colon, hence no two write the same fraction.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
BASE: Final = 36
WHOLE: Final = 6  # digits before the colon
STEP: Final = 8  # between a rank and the next one at either end
LONG: Final = 128  # characters after which neighbours are spread anew, as the vendor's server does
BUCKETS: Final = 3
FORM: Final = re.compile(r"([012])\|([0-9a-z]{6}):([0-9a-z]*[1-9a-z])?")

_TOP: Final = BASE**WHOLE
# Where the first rank of all lies: a step below the middle of the letters, `hzzzzz`.
_MIDDLE: Final = int("hzzzzz", BASE)


def is_rank(text: str) -> bool:
    """Tell whether a text is a rank."""
    return FORM.fullmatch(text) is not None


def first(bucket: int = 0) -> str:
    """Return the rank of the first issue of a site."""
    return _written(bucket, _MIDDLE, WHOLE)


def after(rank: str) -> str:
    """Return a rank after one that is the last.

    Raises:
        ValueError: it is no rank.
    """
    bucket, digits = _read(rank)
    whole = int(digits[:WHOLE], BASE) + STEP
    return _written(bucket, whole, WHOLE) if whole < _TOP else between(rank, None)


def before(rank: str) -> str:
    """Return a rank before one that is the first.

    Raises:
        ValueError: it is no rank.
    """
    bucket, digits = _read(rank)
    whole = int(digits[:WHOLE], BASE) - STEP
    return _written(bucket, whole, WHOLE) if whole > 0 else between(None, rank)


def between(low: str | None, high: str | None, *, bucket: int = 0) -> str:
    """Return a rank between two, as short as there is; None stands for either end.

    Raises:
        ValueError: one of them is no rank, or the first is not before the second.
    """
    return _evenly(low, high, 1, bucket)[0]


def spread(low: str | None, high: str | None, count: int, *, bucket: int = 0) -> list[str]:
    """Return so many ranks between two, rising: evenly spread, at an open end in steps.

    Args:
        low: the neighbour before them, None for none.
        high: the neighbour after them, None for none.
        count: how many are wanted.
        bucket: which bucket they lie in, where neither neighbour says.

    Raises:
        ValueError: one of them is no rank, or the first is not before the second.
    """
    if (low is None) == (high is None):
        return _evenly(low, high, count, bucket)
    found: list[str] = []
    step, at = (after, low) if low is not None else (before, high)
    while len(found) < count:
        at = step(at or "")
        found.append(at)
    return found if low is not None else found[::-1]


def _evenly(low: str | None, high: str | None, count: int, bucket: int) -> list[str]:
    floor, ceiling = "", ""
    if low is not None:
        bucket, floor = _read(low)
    if high is not None:
        bucket, ceiling = _read(high)
    if low is not None and high is not None:
        if low >= high:
            raise ValueError(f"{low} is not before {high}")
        if low[0] != high[0]:
            bucket, ceiling = int(low[0]), ""  # the end of the lower bucket comes first
    if high is not None and ceiling and not ceiling.strip("0"):
        raise ValueError(f"nothing lies before {high}")
    width = WHOLE
    while True:
        # Numbers of so many digits that lie strictly between the neighbours.
        bottom = _scaled(floor, width) + 1
        top = _scaled(ceiling, width) if ceiling else BASE**width
        if len(ceiling) <= width:
            top -= 1
        room = top - bottom + 1
        if room >= count:
            numbers = [bottom + (2 * place + 1) * room // (2 * count) for place in range(count)]
            return [_written(bucket, number, width) for number in numbers]
        width += 1


def rebalanced(count: int, bucket: int) -> list[str]:
    """Return ranks for all issues, in their order, in the bucket after this one."""
    return _evenly(None, None, count, (bucket + 1) % BUCKETS)


def too_long(ranks: Sequence[str]) -> bool:
    """Tell whether one of these is so long that its neighbours should be spread anew."""
    return any(len(rank) > LONG for rank in ranks)


def _read(rank: str) -> tuple[int, str]:
    """Return a rank's bucket and its digits.

    Raises:
        ValueError: it is no rank.
    """
    found = FORM.fullmatch(rank)
    if found is None:
        raise ValueError(f"{rank!r} is no rank")
    return int(found[1]), found[2] + (found[3] or "")


def _scaled(digits: str, width: int) -> int:
    """Return the first digits of a fraction as a number; none there count as zeros."""
    return int(digits[:width].ljust(width, "0") or "0", BASE)


def _written(bucket: int, number: int, width: int) -> str:
    """Return the rank of a number of so many digits."""
    digits = ""
    for _ in range(width):
        number, digit = divmod(number, BASE)
        digits = DIGITS[digit] + digits
    return f"{bucket}|{digits[:WHOLE]}:{digits[WHOLE:].rstrip('0')}"
