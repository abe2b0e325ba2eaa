"""The numbers of keys: rising with time, with gaps; those of incidents as the desk has them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from random import Random

from seeds.draw import Draws
from seeds.kestrel.engineering.model import Work

# How many numbers there are for each issue: the rest were deleted, or moved to other spaces.
WITH_GAPS = 1.35


@dataclass(slots=True)
class KeySpan:
    """A number that a piece of work has, or had, in a space from some time on."""

    space: str
    created: datetime
    index: int
    incident: int | None
    number: int = 0


def number_work(draws: Draws, work: list[Work], keys: dict[int, str]) -> dict[str, int]:
    """Give every piece of work its number; return the last one of each space.

    `keys` are the keys of incidents, which tickets name: their bugs have these. Others lie between
    them in time where there is room; where there is none an incident's number is out of turn, as
    numbers of moved work are.
    """
    now = {item.index: KeySpan(item.space, _came(item), item.index, item.incident) for item in work}
    before = {
        item.index: KeySpan(item.former[0], item.created, item.index, None)
        for item in work
        if item.former is not None
    }
    places = [*now.values(), *before.values()]
    last: dict[str, int] = {}
    for space in sorted({place.space for place in places}):
        rng = draws.rng("numbers", space)
        mine = sorted(
            (place for place in places if place.space == space),
            key=lambda place: (place.created, place.index),
        )
        fixed = {
            place.index: int(keys[place.incident].partition("-")[2])
            for place in mine
            if place.incident is not None and keys[place.incident].startswith(f"{space}-")
        }
        last[space] = _number(rng, mine, fixed)
    for item in work:
        item.number = now[item.index].number
        if item.former is not None:
            item.former = (item.former[0], before[item.index].number)
    return last


def _came(item: Work) -> datetime:
    """Return when work came into the space in which it is."""
    return next((move.at for move in item.moves if "space" in move.changes), item.created)


def _number(rng: Random, mine: list[KeySpan], fixed: dict[int, int]) -> int:
    reserved = set(fixed.values())
    anchors = _in_turn(mine, fixed)
    span: list[KeySpan] = []
    low = 0
    for item in mine:
        if item.index not in anchors:
            span.append(item)
            if item.index in fixed:
                item.number = fixed[item.index]
                span.pop()
            continue
        _spread(rng, span, low, fixed[item.index], reserved)
        item.number = low = fixed[item.index]
        span = []
    high = low + int(len(span) * WITH_GAPS) + len(reserved) + 2
    _spread(rng, span, low, high, reserved)
    return high + rng.randrange(1, 4)


def _in_turn(mine: list[KeySpan], fixed: dict[int, int]) -> set[int]:
    """Return the incidents whose numbers lie where their times do."""
    found: set[int] = set()
    low, waiting = 0, 0
    for item in mine:
        if item.index not in fixed:
            waiting += 1
        elif fixed[item.index] - low - 1 - len(fixed) >= waiting:
            found.add(item.index)
            low, waiting = fixed[item.index], 0
    return found


def _spread(rng: Random, items: list[KeySpan], low: int, high: int, reserved: set[int]) -> None:
    """Give items rising numbers between two, none of them reserved."""
    room = [number for number in range(low + 1, high) if number not in reserved]
    # Old work without a place below the first incident begins close to it.
    most = int(len(items) * (WITH_GAPS + 0.1)) + 3
    room = room[-most:] if low == 0 and len(room) > most * 4 else room
    for item, number in zip(items, sorted(rng.sample(room, len(items))), strict=True):
        item.number = number
