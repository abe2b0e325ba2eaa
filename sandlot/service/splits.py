"""The instances of each split: a pure function of a family and a number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

# The world seed of each split. Worlds from 20,000 read pools of names and texts of their own.
WORLDS: Final = {"train": 1, "validation": 10_000, "test": 20_000}
# Instances of a family in each split: their numbers count from 0.
INSTANCES: Final = 20
SIZE: Final = "tiny"


def instance_of(card: Mapping[str, Any], split: str, number: int) -> str:
    """Return the id of a family's instance: `H05@1/kestrel-tiny/1/0003`.

    Raises:
        ValueError: there is no such split.
    """
    if split not in WORLDS:
        raise ValueError(f"there is no split {split!r}: choose one of {', '.join(WORLDS)}")
    world = f"{card['world']}-{SIZE}/{WORLDS[split]}"
    return f"{card['id']}@{card['version']}/{world}/{number:04d}"
