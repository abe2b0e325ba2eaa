"""Reads of tags."""

from __future__ import annotations

from collections import Counter

from clones.helpdesk import queries
from clones.helpdesk.models import User


def tag_counts(actor: User) -> list[tuple[str, int]]:
    """Return the tags of tickets with how often they occur, most frequent first."""
    found: Counter[str] = Counter()
    rows = queries.visible_tickets(actor).exclude(tags=[]).order_by()
    for tags in rows.values_list("tags", flat=True):
        found.update(tags)
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))
