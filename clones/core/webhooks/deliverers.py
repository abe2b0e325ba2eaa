"""What a clone knows of its own webhooks: how its vendor signs, and what it tries again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from clones.core.models import Delivery
from clones.core.webhooks.messages import Header, Outcome


@dataclass(frozen=True, slots=True)
class Deliverer:
    """A clone's way with deliveries.

    `headers` returns what is added when a delivery is sent: credentials, signature, identifiers;
    None if its webhook is gone. `again_after` says how long after the attempt of that number the
    next one is due, None if there is none.
    """

    headers: Callable[[Delivery, str, datetime], tuple[Header, ...] | None]
    again_after: Callable[[int, Outcome], timedelta | None]


_deliverers: dict[str, Deliverer] = {}


def register(clone: str, deliverer: Deliverer) -> None:
    """Make a clone's way known. Called once per clone while Django starts."""
    _deliverers[clone] = deliverer


def deliverer_of(clone: str) -> Deliverer:
    """Return a clone's way.

    Raises:
        KeyError: it registered none.
    """
    return _deliverers[clone]
