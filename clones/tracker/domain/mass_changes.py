"""The history of many issues that one act changes alike: an entry for each, in two statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clones.core import clock
from clones.tracker.domain.numbering import next_ids
from clones.tracker.models import ChangeGroup, ChangeItem, Issue
from clones.tracker.queries.rights import Rights


@dataclass(frozen=True, slots=True)
class Alteration:
    """A field that changed, as histories have it: ids and what people read."""

    field: str
    field_id: str
    old: str | None
    old_string: str | None
    new: str | None
    new_string: str | None
    custom: bool = False


def note_changes(changed: Mapping[int, Sequence[Alteration]], *, actor: Rights) -> None:
    """Write a history entry for each issue, given by id, and set when they were updated."""
    if not changed:
        return
    now = clock.now()
    keys = next_ids(ChangeGroup, len(changed))
    groups = [
        ChangeGroup(id=key, issue_id=issue, author=actor.user, created=now)
        for key, issue in zip(keys, changed, strict=True)
    ]
    items = [
        ChangeItem(
            group=group,
            issue_id=group.issue_id,
            created=now,
            position=position,
            field=one.field,
            field_type="custom" if one.custom else "jira",
            field_id=one.field_id,
            old=one.old,
            old_string=one.old_string,
            new=one.new,
            new_string=one.new_string,
        )
        for group in groups
        for position, one in enumerate(changed[group.issue_id])
    ]
    for item, key in zip(items, next_ids(ChangeItem, len(items)), strict=True):
        item.id = key
    ChangeGroup.objects.bulk_create(groups)
    ChangeItem.objects.bulk_create(items)
    Issue.objects.filter(id__in=list(changed)).update(updated=now)
