"""Moving some things of an ordered list: behind another, to the front, to the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

FIRST: Final = "First"
LAST: Final = "Last"
Place = Literal["First", "Last"]


def moved(
    order: Sequence[int], ids: Sequence[int], *, after: int | None = None, place: Place = FIRST
) -> list[int]:
    """Return an order in which `ids` stand together, in the order given.

    They stand behind `after` (one of the order that does not move), or at one end.

    >>> moved([1, 2, 3, 4], [4, 1], after=2)
    [2, 4, 1, 3]
    >>> moved([1, 2, 3], [2], place="Last")
    [1, 3, 2]
    """
    moving = set(ids)
    rest = [one for one in order if one not in moving]
    at_end = 0 if place == FIRST else len(rest)
    index = at_end if after is None else rest.index(after) + 1
    return [*rest[:index], *ids, *rest[index:]]


def stepped(order: Sequence[int], id: int, *, down: bool) -> list[int]:
    """Return an order in which one changed places with its neighbour; at an end it stays.

    >>> stepped([1, 2, 3], 2, down=True)
    [1, 3, 2]
    >>> stepped([1, 2, 3], 1, down=False)
    [1, 2, 3]
    """
    found = list(order)
    at = found.index(id)
    to = at + 1 if down else at - 1
    if 0 <= to < len(found):
        found[at], found[to] = found[to], found[at]
    return found
