"""Merging records of one object: one stays, gets what the others had, and they go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from clones.core import clock
from clones.crm.domain.access.checking import no_access
from clones.crm.domain.approvals.locks import check_unlocked
from clones.crm.domain.duplicates.asked import without_duplicate_rules
from clones.crm.domain.recycling import throw_away
from clones.crm.domain.saving import update_record
from clones.crm.domain.saving.histories import note_event
from clones.crm.domain.saving.reaching import check_delete, check_reach
from clones.crm.domain.saving.stages import tell_recycled
from clones.crm.errors import RecordError
from clones.crm.models import SObjectRow
from clones.crm.queries.access.viewing import system_mode
from clones.crm.queries.custom_values import children_of, keep_values, read_values
from clones.crm.queries.records import find_record
from clones.crm.rules.access.sharing import Level
from clones.crm.rules.schema import SObject
from clones.crm.rules.tracked_fields import is_history

MERGEABLE: Final = ("Account", "Contact", "Lead", "Case")
_STAYS: Final = frozenset({"DuplicateRecordItem"})  # what says of a record that it is like others
MOST: Final = 2  # records that go into another by one call


@dataclass(frozen=True, slots=True)
class Merged:
    """What a merge did: the ids of the records that went, and of those that were moved."""

    row: SObjectRow
    merged: list[str]
    moved: list[str]


def merge_records(
    of: SObject, id: str, others: Sequence[str], said: Mapping[str, Any], *, actor: str
) -> Merged:
    """Merge records (by their ids) into one, which gets the values that are said.

    What refers to the others refers to it then; they go to the recycle bin and name it as their
    master.

    Raises:
        NotFound: one of them is not there.
        IsDeleted: one lies in the recycle bin.
        RecordError: they cannot be merged, or a value is refused.
    """
    if of.name not in MERGEABLE:
        raise RecordError("INVALID_OPERATION", f"merge is not supported for {of.name}")
    if not of.abilities["deletable"]:
        raise no_access()
    if not others or len(others) > MOST or len(set(others)) < len(others) or id in others:
        raise RecordError("INVALID_ID_FIELD", "invalid record to merge: specify one or two others")
    with system_mode() as asking:
        of = of.whole
        check_reach(asking, find_record(of, id), Level.EDIT)
        going = [find_record(of, other) for other in others]
        for row in going:
            check_delete(asking, row)
            check_unlocked(row.pk, actor=actor)
        with without_duplicate_rules():
            return _merge(of, id, going, said, actor)


def _merge(
    of: SObject, id: str, going: Sequence[SObjectRow], said: Mapping[str, Any], actor: str
) -> Merged:
    for row in going:
        if getattr(row, "IsConverted", False):
            raise RecordError("CANNOT_UPDATE_CONVERTED_LEAD", "cannot reference converted lead")
    if said:
        update_record(of, id, said, actor=actor)
    now = clock.now().replace(microsecond=0)
    moved: list[str] = []
    for row in going:
        moved += move_children(row, id, actor=actor)
        if of.field("MasterRecordId") is not None:
            row.MasterRecordId = id
        throw_away(row, actor=actor, now=now)
    master = find_record(of, id)
    note_event(master, f"{of.name.lower()}Merged", by=actor, at=now)
    return Merged(master, [str(row.pk) for row in going], moved)


def move_children(row: SObjectRow, to: str, *, actor: str) -> list[str]:
    """Let what refers to a record refer to another one (by id), and return the ids of that."""
    now, moved, changed = clock.now().replace(microsecond=0), [], []
    for relationship in row.sobject.schema.children(row.sobject):
        of = relationship.child
        if is_history(of) or of.name in _STAYS or not of.has_records:
            continue  # what was done to a record stays with it
        for each in children_of(relationship, row.pk).order_by("Id"):
            if each.pk in {to, row.pk}:
                continue
            each.sobject = of
            read_values(each)
            setattr(each, relationship.field.name, to)
            if of.field("SystemModstamp") is not None:
                each.SystemModstamp = now
            if of.field("LastModifiedById") is not None:
                each.LastModifiedDate, each.LastModifiedById = now, actor
            each.save()
            keep_values(each, is_new=False)
            changed.append(each)
            if not getattr(each, "IsDeleted", False):
                moved.append(str(each.pk))
    tell_recycled(changed, actor=actor)
    return moved
