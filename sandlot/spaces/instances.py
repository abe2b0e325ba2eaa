"""The tasks of a server's families, by split."""

from __future__ import annotations

from collections.abc import Sequence

from sandlot.client import ControlClient
from sandlot.service.splits import INSTANCES, instances_among


def instances_of(
    client: ControlClient, families: Sequence[str] | None, split: str, count: int = INSTANCES
) -> list[str]:
    """Return the ids of a split's instances, of the families that a server has.

    Raises:
        ValueError: there is no such family or split, or nothing to play.
    """
    return instances_among(client.get("/v1/tasks")["tasks"], families, split, count)
