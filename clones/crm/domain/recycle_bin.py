"""What lies in the recycle bin: brought back, or gone for good."""

from __future__ import annotations

from typing import Any

from clones.core import clock
from clones.crm.domain.saving.reaching import check_delete
from clones.crm.domain.saving.stages import tell_recycled
from clones.crm.errors import NotFound, RecordError
from clones.crm.models import CustomValues, SObjectRow, rows_of
from clones.crm.queries.access.viewing import Viewer, system_mode
from clones.crm.queries.custom_values import children_of, keep_values, read_values, references
from clones.crm.rules.schema import OrgSchema, SObject

_VALUES: Any = CustomValues


def undelete_record(of: SObject, id: str, *, actor: str) -> SObjectRow:
    """Bring a record back, and what went into the bin with it.

    Raises:
        NotFound: there is no such record.
        RecordError: it does not lie in the bin, or what it belongs to does.
    """
    with system_mode() as asking:
        return _undelete(of.whole, id, actor, asking)


def _undelete(of: SObject, id: str, actor: str, asking: Viewer | None) -> SObjectRow:
    row = _in_bin(of, id, "UNDELETE_FAILED", "Entity is not in the recycle bin")
    check_delete(asking, row)
    for field in of.stored:
        holder = _holder(of.schema, row, field.name)
        if holder is not None and getattr(holder, "IsDeleted", False):
            raise RecordError(
                "UNDELETE_FAILED",
                "Undelete operation failed: the parent record lies in the recycle bin",
            )
    now, together = clock.now().replace(microsecond=0), row.SystemModstamp
    back = []
    for one in _with_children(row):
        if one is not row and getattr(one, "SystemModstamp", together) != together:
            continue
        one.IsDeleted = False
        one.LastModifiedDate = one.SystemModstamp = now
        one.LastModifiedById = actor
        one.save()
        back.append(one)
    tell_recycled(back, actor=actor)
    return row


def purge_record(of: SObject, id: str) -> None:
    """Take a record out of the recycle bin for good, with what went there with it.

    What refers to it refers to nothing then.

    Raises:
        NotFound: there is no such record.
        RecordError: it does not lie in the bin.
    """
    with system_mode() as asking:
        row = _in_bin(of.whole, id, "INVALID_ID_FIELD", "the record is not in the recycle bin")
        check_delete(asking, row)
        for one in _with_children(row):
            forget_references(one)
            _VALUES.objects.filter(Id=one.pk).delete()
            one.delete()


def forget_references(row: SObjectRow) -> None:
    """Take a record out of every field that refers to it."""
    for of in row.sobject.schema:
        for field in of.stored:
            if field.type != "reference" or row.sobject.name not in field.reference_to:
                continue
            found = [one for one, to in references(of, field) if to == row.pk]
            for each in rows_of(of).filter(Id__in=found).order_by("Id"):
                each.sobject = of
                read_values(each)
                setattr(each, field.name, None)
                each.save()
                keep_values(each, is_new=False)


def _in_bin(of: SObject, id: str, code: str, otherwise: str) -> SObjectRow:
    row: SObjectRow | None = rows_of(of).filter(Id=id).first()
    if row is None:
        raise NotFound
    if not getattr(row, "IsDeleted", False):
        raise RecordError(code, otherwise)
    row.sobject = of
    return row


def _with_children(row: SObjectRow) -> list[SObjectRow]:
    """Return a record and all in the bin that belongs to it, parents before children."""
    found, seen = [row], {row.pk}
    for one in found:
        for child in one.sobject.schema.children(one.sobject):
            is_held = child.seen.cascades and child.child.has_records
            if not is_held or child.child.field("IsDeleted") is None:
                continue
            for each in children_of(child, one.pk).filter(IsDeleted=True).order_by("Id"):
                if each.pk not in seen:
                    each.sobject = child.child
                    seen.add(each.pk)
                    found.append(each)
    return found


def _holder(schema: OrgSchema, row: SObjectRow, name: str) -> SObjectRow | None:
    """Return the record that a field refers to, if its children go with it."""
    field = row.sobject.field(name)
    if field is None or field.type != "reference" or field.slot is not None:
        return None
    id = getattr(row, name)
    target = None if id is None else schema.of_id(id)
    if target is None or not (seen := (field.children or {}).get(target.name)) or not seen.cascades:
        return None
    found: SObjectRow | None = rows_of(target).filter(Id=id).first()
    return found
