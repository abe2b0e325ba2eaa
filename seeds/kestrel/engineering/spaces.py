"""The spaces of the tracker, read from `spaces.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from seeds.kestrel.engineering.model import Area, Space

LEVELS = ("Lowest", "Low", "Medium", "High", "Highest")
FILE = Path(__file__).with_name("spaces.toml")


@cache
def spaces() -> tuple[Space, ...]:
    """Return the spaces, in file order."""
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return tuple(
        Space(
            key=row["key"],
            name=row["name"],
            type=row["type"],
            way=row["way"],
            share=row["share"],
            lead=row["lead"],
            versions=row["versions"],
            inflated=row.get("inflated", False),
            review=row.get("review", False),
            levels=tuple(row.get("levels", LEVELS)),
            secret=row.get("secret", 0.0),
            fate=row.get("fate", ""),
            areas=tuple(
                Area(
                    area["name"],
                    tuple(area["things"]),
                    tuple(area["symptoms"]),
                    tuple(area["wishes"]),
                )
                for area in row.get("area", ())
            ),
        )
        for row in data["space"]
    )


def space_of(key: str) -> Space:
    """Return the space with a key.

    Raises:
        StopIteration: there is none.
    """
    return next(space for space in spaces() if space.key == key)
