"""The instances of each split: a pure function of a family and a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


def instances_among(
    cards: Sequence[Mapping[str, Any]],
    families: Sequence[str] | None,
    split: str,
    count: int = INSTANCES,
) -> list[str]:
    """Return the ids of a split's instances: each family's first, then each one's second...

    Without `families` they are of all `cards` that are played by API.

    Raises:
        ValueError: there is no such family or split, or nothing to play.
    """
    known = {card["id"]: card for card in cards}
    unknown = [name for name in families or () if name not in known]
    if unknown:
        raise ValueError(f"there is no family {unknown[0]}: choose of {', '.join(known)}")
    chosen = [known[name] for name in families or known if "api" in known[name]["spaces"]]
    found = [instance_of(card, split, number) for number in range(count) for card in chosen]
    if not found:
        raise ValueError("there is nothing to play: these families are played in the browser only")
    return found
