"""Writing what was planned: columns of the issue, rows of its lists, values of custom fields."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.db.models import Model

from clones.tracker.domain.history import Changes
from clones.tracker.domain.issues.assigning import assignee_of_space
from clones.tracker.domain.issues.history_values import history_value
from clones.tracker.domain.issues.planning import Planned
from clones.tracker.domain.issues.resolving import AUTOMATIC
from clones.tracker.domain.issues.values import ATTRIBUTES, VERSION_KINDS, Stored
from clones.tracker.domain.numbering import next_ids
from clones.tracker.domain.richtext import plain_of
from clones.tracker.domain.sprint_contents import note_sprint
from clones.tracker.domain.texts import drop_text, keep_text
from clones.tracker.models import (
    EpicLook,
    FieldValue,
    Issue,
    IssueComponent,
    IssueLabel,
    IssueVersion,
)
from clones.tracker.queries.fieldsets import IssueField
from clones.tracker.rules.field_kinds.kinds import Estimates

TEXTS: Final = frozenset({"summary", "description", "environment"})
# What histories call a change of the parent: of others, and of sub-tasks.
PARENTAGE: Final = ("IssueParentAssociation", "Parent")


def apply(planned: Planned, issue: Issue, changes: Changes) -> frozenset[str]:
    """Set an issue's fields to what was planned, and note what changed; return the ids of those.

    The columns of `issue` are set and not written: the caller writes them with the history's time.
    Rows of lists and values of custom fields are written at once, so the issue must be there.
    """
    writing = _Writing(issue, changes)
    for id, value in planned.values.items():
        field = planned.fieldset.fields.get(id)
        if field is not None:
            writing.write(field, value)
    return frozenset(writing.changed)


class _Writing:
    """Writes the values of one issue."""

    def __init__(self, issue: Issue, changes: Changes) -> None:
        self.issue = issue
        self.changes = changes
        self.stored = Stored(issue)
        self.changed: set[str] = set()

    def write(self, field: IssueField, value: Any) -> None:
        """Write one field's value and note the change; the same value is none."""
        if field.id == "assignee" and value == AUTOMATIC:
            value = assignee_of_space(self.issue.project, self.stored.components)
        if field.id == "timetracking":
            self._estimates(value)
            return
        old = self.stored.value(field)
        if field.id == "labels":
            value = tuple(sorted(value))
        if _same(field, old, value):
            return
        self.changed.add(field.id)
        if field.kind.name == "sprint":
            note_sprint(self.issue, value, self.changes)
        elif field.id in ATTRIBUTES:
            setattr(self.issue, ATTRIBUTES[field.id], value)
            self._note(field, old, value)
            if field.id in TEXTS:
                self._keep(field.id, self.issue.id, value)
        elif not field.is_custom:
            self._list(field, old, value)
        elif field.kind.name == "epic_name":
            name_epic(self.issue, value)
            self._note(field, old, value)
        elif field.kind.column is not None:
            self._note(field, old, value)
            self._values(field, value)

    def _note(self, field: IssueField, old: Any, new: Any) -> None:
        name = field.history_name
        if field.id == "parent":
            name = PARENTAGE[self.issue.issue_type.subtask]
        self.changes.note(
            name,
            field.id,
            *history_value(field, old),
            *history_value(field, new),
            custom=field.is_custom,
        )

    def _keep(self, name: str, source: int, value: Any) -> None:
        text = plain_of(value) if isinstance(value, dict) else value or ""
        keep_text(self.issue, name, source, text)

    def _estimates(self, value: Estimates) -> None:
        pairs = (
            ("timeoriginalestimate", "original_estimate", value.original),
            ("timeestimate", "remaining_estimate", value.remaining),
        )
        for id, column, new in pairs:
            old = getattr(self.issue, column)
            if new != old:
                self.changed.add("timetracking")
                setattr(self.issue, column, new)
                before = None if old is None else str(old)
                after = None if new is None else str(new)
                self.changes.note(id, id, before, before, after, after)

    def _list(self, field: IssueField, old: Sequence[Any], new: Sequence[Any]) -> None:
        gone = [item for item in old if item not in new]
        come = [item for item in new if item not in old]
        if field.id == "labels":
            IssueLabel.objects.filter(issue=self.issue, label__in=gone).delete()
            self._insert(IssueLabel, [{"label": label} for label in come])
            self._note(field, old, new)
            return
        if field.id == "components":
            IssueComponent.objects.filter(issue=self.issue, component__in=gone).delete()
            self._insert(IssueComponent, [{"component": item} for item in come])
        else:
            kind = VERSION_KINDS[field.id]
            rows = IssueVersion.objects.filter(issue=self.issue, kind=kind)
            rows.filter(version__in=gone).delete()
            self._insert(IssueVersion, [{"version": item, "kind": kind} for item in come])
        # An item for each that went or came, as the vendor has it.
        for item in gone:
            self.changes.note(field.history_name, field.id, str(item.id), item.name, None, None)
        for item in come:
            self.changes.note(field.history_name, field.id, None, None, str(item.id), item.name)

    def _insert(self, model: type[Model], rows: Sequence[dict[str, Any]]) -> None:
        keys = next_ids(model, len(rows))
        model._default_manager.bulk_create(
            [model(id=key, issue=self.issue, **row) for key, row in zip(keys, rows, strict=True)]
        )

    def _values(self, field: IssueField, value: Any) -> None:
        """Write the rows of a custom field: those that are there are used again, in their order."""
        column = str(field.kind.column)
        items: Iterable[Any] = value if field.kind.several else [] if value is None else [value]
        if column == "other":
            items = [item.id for item in items]
        wanted = list(items)
        held = self.stored.rows(field.number)
        for row, item in zip(held, wanted, strict=False):
            setattr(row, column, item)
            row.save(update_fields=[column])
        fresh = [
            FieldValue(
                id=key,
                issue=self.issue,
                field_id=field.number,
                position=len(held) + place,
                **{column: item},
            )
            for place, (key, item) in enumerate(
                zip(
                    next_ids(FieldValue, len(wanted) - len(held)),
                    wanted[len(held) :],
                    strict=True,
                )
            )
        ]
        FieldValue.objects.bulk_create(fresh)
        for row in held[len(wanted) :]:
            drop_text(self.issue, field.id, row.id)
            row.delete()
        if field.kind.has_text:
            for row, item in zip([*held, *fresh], wanted, strict=False):
                self._keep(field.id, row.id, item)


def _same(field: IssueField, old: Any, new: Any) -> bool:
    if field.kind.several and field.kind.name != "options":
        return set(old or ()) == set(new)
    return bool(old == new) and (old is None) is (new is None)


def name_epic(issue: Issue, name: str | None) -> None:
    """Set what boards call an epic."""
    look = EpicLook.objects.filter(id=issue.id).first()
    if look is None:
        EpicLook.objects.create(id=issue.id, name=name or "")
    else:
        look.name = name or ""
        look.save(update_fields=["name"])


def first_text(issue: Issue) -> None:
    """Keep the texts of a new issue's own columns, in which searches look."""
    for name in sorted(TEXTS):
        value = getattr(issue, name)
        text = plain_of(value) if isinstance(value, dict) else value
        if text:
            keep_text(issue, name, issue.id, text)
