"""Releases of the spaces that have versions: on their day, late, or never."""

from __future__ import annotations

from datetime import date, timedelta

from seeds.draw import Draws, chance
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.engineering.model import Release, Space

FIRST = date(2023, 9, 4)
EVERY = 61  # days


def make_releases(draws: Draws, spaces: tuple[Space, ...]) -> list[Release]:
    """Return the releases of every space with versions, by time.

    About one in five whose day has passed was never released: somebody has forgotten it.
    """
    found = []
    for space in spaces:
        if not space.versions:
            continue
        rng = draws.rng("releases", space.key)
        start, number = FIRST + timedelta(days=rng.randrange(30)), 0
        taken: set[str] = set()
        while start < PRESENT.date() + timedelta(days=120):
            due = start + timedelta(days=EVERY + rng.randrange(-9, 10))
            shipped = due + timedelta(days=rng.choice((0, 0, 1, 3, 8, 15, 22)))
            never = chance(rng, 0.19) and due < PRESENT.date() - timedelta(days=50)
            released = None if never or shipped > PRESENT.date() else shipped
            old = released is not None and released < PRESENT.date() - timedelta(days=500)
            name = _name(space, number, start)
            name += ".1" * (name in taken)
            taken.add(name)
            found.append(Release(space.key, name, start, due, released, archived=old))
            start, number = due, number + 1
    return found


def _name(space: Space, number: int, start: date) -> str:
    if space.versions == "2026":
        return f"{start.year}.{(start.month - 1) // 2 + 1}"
    if space.versions == "r":
        return f"R{start:%y}-{start.month:02d}"
    major = int(space.versions) - 1 + number // 9
    return f"{major}.{number % 9}"
