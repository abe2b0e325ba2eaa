"""The recycle bin: what goes with a record that is deleted, and what holds it."""

from __future__ import annotations

from datetime import datetime

from clones.crm.domain.saving.stages import tell_recycled
from clones.crm.errors import RecordError
from clones.crm.models import SObjectRow
from clones.crm.queries.custom_values import children_of, read_values


def check_can_go(row: SObjectRow) -> None:
    """See that no record holds this one.

    Raises:
        RecordError: others refer to it that would be left without it.
    """
    for one in row.sobject.schema.children(row.sobject):
        if not one.seen.restricts or one.child.field("IsDeleted") is None:
            continue
        rows = children_of(one, row.pk).filter(IsDeleted=False)
        held = one.child.name_field
        names = [str(getattr(each, held.name if held else "Id")) for each in rows[:10]]
        if not names:
            continue
        own = row.sobject.name_field
        name = row.pk if own is None else getattr(row, own.name)
        raise RecordError(
            "DELETE_FAILED",
            f"Your attempt to delete {name} could not be completed because it is associated with"
            f" the following {one.child.plural.lower()}.: {', '.join(names)}\n",
        )


def throw_away(row: SObjectRow, *, actor: str, now: datetime) -> None:
    """Mark a record as deleted, and the children that go with it; others lose their reference."""
    if row.sobject.field("IsDeleted") is None:
        read_values(row)
        row.delete()
        tell_recycled([row], actor=actor)
        return
    waiting, seen, gone = [row], {row.pk}, []
    while waiting:
        one = waiting.pop()
        gone.append(one)
        one.IsDeleted = True
        one.LastModifiedDate = one.SystemModstamp = now
        one.LastModifiedById = actor
        one.save()
        for child in one.sobject.schema.children(one.sobject):
            is_held = child.seen.cascades and child.child.has_records
            if not is_held or child.child.field("IsDeleted") is None:
                continue
            found = children_of(child, one.pk)
            for each in found.filter(IsDeleted=False):
                if each.pk not in seen:
                    each.sobject = child.child
                    seen.add(each.pk)
                    waiting.append(each)
    tell_recycled(gone, actor=actor)
