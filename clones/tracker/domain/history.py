"""The history of issues: one entry for each request, an item in it for each field that changed."""

from __future__ import annotations

from typing import Any

from clones.core import clock
from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.models import ChangeGroup, ChangeItem, Issue
from clones.tracker.queries.rights import Rights


class Changes:
    """What one request changes in an issue: noted field by field, written once."""

    def __init__(self, issue: Issue, actor: Rights) -> None:
        self.issue = issue
        self.actor = actor
        self.items: list[ChangeItem] = []

    def note(  # noqa: PLR0917 - the columns of an item of a history, in their order
        self,
        field: str,
        field_id: str,
        old: str | None,
        old_string: str | None,
        new: str | None,
        new_string: str | None,
        *,
        custom: bool = False,
    ) -> None:
        """Note that a field changed; equal values are no change.

        Args:
            field: the vendor's name of the field in histories ("Fix Version", "status").
            field_id: the field's id ("fixVersions", "customfield_10016").
            old: the id of the value before, for fields whose values have such.
            old_string: what people read of it.
            new: the id of the value after.
            new_string: what people read of it.
            custom: whether it is a custom field.
        """
        if (old, old_string) == (new, new_string):
            return
        self.items.append(
            ChangeItem(
                field=field,
                field_type="custom" if custom else "jira",
                field_id=field_id,
                old=old,
                old_string=old_string,
                new=new,
                new_string=new_string,
            )
        )

    def __bool__(self) -> bool:
        return bool(self.items)

    def save(self, metadata: dict[str, Any] | None = None) -> ChangeGroup | None:
        """Write the entry and return it, None if nothing changed.

        The issue's time is set too, not written: its writer does that with its other columns.
        """
        if not self.items:
            return None
        now = clock.now()
        user = self.actor.user
        group = ChangeGroup.objects.create(
            id=next_id(ChangeGroup),
            issue=self.issue,
            author=user,
            created=now,
            metadata=metadata,
        )
        for position, (key, item) in enumerate(
            zip(next_ids(ChangeItem, len(self.items)), self.items, strict=True)
        ):
            item.id = key
            item.group = group
            item.issue = self.issue
            item.created = now
            item.position = position
        ChangeItem.objects.bulk_create(self.items)
        self.issue.updated = now
        self.items = []
        return group
