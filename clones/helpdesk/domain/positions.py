"""The order in which an account keeps its fields, forms, workspaces and policies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from clones.core import clock
from clones.helpdesk.domain.errors import RecordNotFound


def set_order(rows: QuerySet[Any], order: Sequence[object], kind: str) -> None:
    """Give rows the positions 1, 2, 3... in an order of keys; those not named come after.

    Raises:
        RecordNotFound: one does not exist.
    """
    known = dict(rows.order_by("position", "id").values_list("id", "position"))
    for key in order:
        if key not in known:
            raise RecordNotFound(kind, key)
    named = dict.fromkeys(order)
    for position, key in enumerate([*named, *(key for key in known if key not in named)], 1):
        if known[key] != position:
            rows.filter(id=key).update(position=position, updated_at=clock.now())
