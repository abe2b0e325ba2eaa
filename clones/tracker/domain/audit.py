"""The site's record of what admins did."""

from __future__ import annotations

from collections.abc import Sequence

from clones.core import clock
from clones.tracker.domain.numbering import next_id
from clones.tracker.models import AuditRecord
from clones.tracker.queries.rights import Rights

Item = tuple[str, str, str]  # type (USER, PROJECT, SCHEME...), id, name


def record(
    summary: str,
    category: str,
    *,
    actor: Rights,
    object: Item | None = None,  # noqa: A002 - the vendor's word
    changes: Sequence[tuple[str, str | None, str | None]] = (),
    associated: Sequence[Item] = (),
    description: str = "",
) -> AuditRecord:
    """Record an admin's act.

    Args:
        summary: what was done, in the vendor's words ("Project created").
        category: the vendor's category ("projects", "user management", "permissions"...).
        actor: who did it.
        object: what it was done to.
        changes: field, value before, value after.
        associated: what else it concerns.
        description: more about it.
    """
    return AuditRecord.objects.create(
        id=next_id(AuditRecord),
        summary=summary[:255],
        category=category,
        author=actor.user,
        created=clock.now(),
        description=description,
        object_item={} if object is None else _item(object),
        changed_values=[_change(*change) for change in changes],
        associated_items=[_item(item) for item in associated],
    )


def _item(item: Item) -> dict[str, str]:
    kind, id, name = item
    return {"typeName": kind, "id": id, "name": name}


def _change(field: str, before: str | None, after: str | None) -> dict[str, str]:
    found = {"fieldName": field}
    if before is not None:
        found["changedFrom"] = before
    if after is not None:
        found["changedTo"] = after
    return found
