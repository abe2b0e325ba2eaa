"""The tasks of a server's families, by split."""

from __future__ import annotations

from collections.abc import Sequence

from sandlot.client import ControlClient
from sandlot.service.splits import INSTANCES, instance_of


def instances_of(
    client: ControlClient, families: Sequence[str] | None, split: str, count: int = INSTANCES
) -> list[str]:
    """Return the ids of a split's instances: each family's first, then each one's second...

    Without `families` they are of all that are played by API.

    Raises:
        ValueError: there is no such family or split, or nothing to play.
    """
    cards = {card["id"]: card for card in client.get("/v1/tasks")["tasks"]}
    unknown = [name for name in families or () if name not in cards]
    if unknown:
        raise ValueError(f"there is no family {unknown[0]}: choose of {', '.join(cards)}")
    chosen = [cards[name] for name in families or cards if "api" in cards[name]["spaces"]]
    found = [instance_of(card, split, number) for number in range(count) for card in chosen]
    if not found:
        raise ValueError("there is nothing to play: these families are played in the browser only")
    return found
