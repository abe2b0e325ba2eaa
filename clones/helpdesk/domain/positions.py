"""The order in which an account keeps its rules, fields, forms, workspaces and policies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import QuerySet

from clones.core import clock
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.errors import RecordInvalid, RecordNotFound
from clones.helpdesk.models import User

LAST: Final = 2**31 - 1


def position_of(value: int) -> int:
    """Return a record's place among the others.

    Raises:
        RecordInvalid: no record can have it.
    """
    if not 0 <= value <= LAST:
        raise RecordInvalid.of("position", "Position: is invalid", "InvalidValue")
    return value


def set_order(rows: QuerySet[Any], order: Sequence[object], kind: str, *, actor: User) -> None:
    """Give rows the positions 1, 2, 3... in an order of keys; those not named come after.

    Raises:
        RecordNotFound: one does not exist.
    """
    known = {row.pk: row for row in rows.order_by("position", "id")}
    for key in order:
        if key not in known:
            raise RecordNotFound(kind, key)
    named = dict.fromkeys(order)
    for position, key in enumerate([*named, *(key for key in known if key not in named)], 1):
        if known[key].position != position:
            move(known[key], position, actor=actor)


@logged("update")
def move(row: Any, position: int, *, actor: User) -> None:
    """Give a row another position; it counts as updated."""
    row.position = position
    row.updated_at = clock.now()
    row.save(update_fields=["position", "updated_at"])
