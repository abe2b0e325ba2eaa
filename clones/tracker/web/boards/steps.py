"""Steps in the order of a list: to its top, up, down, to its bottom."""

from __future__ import annotations

from typing import Final

from django.db.models import QuerySet

from clones.tracker.domain.ranking import RankPosition
from clones.tracker.models import Issue

# The steps, and what menus call them.
STEPS: Final = {"top": "to top", "up": "up", "down": "down", "bottom": "to bottom"}


def place_of_step(others: QuerySet[Issue], issue: Issue, step: str) -> RankPosition | None:
    """Return where a step takes an issue; None: it stands there already.

    Args:
        others: the issues of the list but this one, in any order.
        issue: what is moved.
        step: one of `STEPS`.
    """
    above = others.filter(rank__lt=issue.rank)
    below = others.filter(rank__gt=issue.rank)
    match step:
        case "top":
            found = above.order_by("rank", "id").first()
        case "up":
            found = above.order_by("-rank", "-id").first()
        case "down":
            found = below.order_by("rank", "id").first()
        case _:
            found = below.order_by("-rank", "-id").first()
    return None if found is None else RankPosition(found, after=step in ("down", "bottom"))
