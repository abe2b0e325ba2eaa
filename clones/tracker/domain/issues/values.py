"""What the fields of one issue hold, as `domain.fieldset` says values are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from typing import Any, Final

from clones.tracker.models import (
    Component,
    EpicLook,
    FieldValue,
    Issue,
    IssueComponent,
    IssueLabel,
    IssueSprint,
    IssueVersion,
    Project,
    Sprint,
    Version,
)
from clones.tracker.queries.fieldsets import IssueField
from clones.tracker.rules.field_kinds.kinds import Estimates

# System fields that are a column of the issue: the attribute that holds their value.
ATTRIBUTES: Final = {
    "summary": "summary",
    "description": "description",
    "environment": "environment",
    "priority": "priority",
    "resolution": "resolution",
    "assignee": "assignee",
    "reporter": "reporter",
    "parent": "parent",
    "security": "security_level",
    "duedate": "due_date",
    "issuetype": "issue_type",
    "project": "project",
    "status": "status",
    "creator": "creator",
    "created": "created",
    "updated": "updated",
    "resolutiondate": "resolution_date",
    "statuscategorychangedate": "status_category_changed",
    "timespent": "time_spent",
    "timeestimate": "remaining_estimate",
    "timeoriginalestimate": "original_estimate",
}
# Custom fields whose values boards keep elsewhere.
_BOARD: Final = frozenset({"sprint", "epic_link", "epic_name", "rank"})
VERSION_KINDS: Final = {"fixVersions": "fix", "versions": "affects"}


class Stored:
    """The values of an issue as the store has them, read as they are asked for."""

    def __init__(self, issue: Issue) -> None:
        self.issue = issue

    def value(self, field: IssueField) -> Any:
        """Return the value of a field."""
        id = field.id
        if id in ATTRIBUTES:
            return getattr(self.issue, ATTRIBUTES[id])
        if id in VERSION_KINDS:
            return self.versions(VERSION_KINDS[id])
        known = self._others.get(field.kind.name if field.kind.name in _BOARD else id)
        if known is not None:
            return known()
        return value_of_rows(field, self.rows(field.number)) if field.is_custom else None

    @cached_property
    def _others(self) -> dict[str, Callable[[], Any]]:
        """What holds values that are no column, by the field's id or a custom one's kind."""
        return {
            "labels": lambda: self.labels,
            "components": lambda: self.components,
            "timetracking": lambda: Estimates(
                self.issue.original_estimate, self.issue.remaining_estimate
            ),
            "sprint": lambda: self.open_sprint,
            "epic_link": lambda: self.issue.parent,
            "epic_name": lambda: self.epic_name,
            "rank": lambda: self.issue.rank,
        }

    @cached_property
    def _rows(self) -> dict[int, list[FieldValue]]:
        found: dict[int, list[FieldValue]] = defaultdict(list)
        rows = FieldValue.objects.filter(issue=self.issue)
        for row in rows.select_related("option__parent", "user", "group").order_by("position"):
            found[row.field_id].append(row)
        return found

    def rows(self, number: int) -> list[FieldValue]:
        """Return the rows of a custom field, in their order."""
        return self._rows.get(number, [])

    def versions(self, kind: str) -> tuple[Version, ...]:
        """Return the versions of a kind (fix, affects) in the order in which they were set."""
        rows = IssueVersion.objects.filter(issue=self.issue, kind=kind)
        return tuple(row.version for row in rows.select_related("version").order_by("id"))

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, by name."""
        rows = IssueLabel.objects.filter(issue=self.issue).order_by("label")
        return tuple(rows.values_list("label", flat=True))

    @property
    def components(self) -> tuple[Component, ...]:
        """The components in the order in which they were set."""
        rows = IssueComponent.objects.filter(issue=self.issue)
        return tuple(row.component for row in rows.select_related("component").order_by("id"))

    @cached_property
    def sprints(self) -> tuple[Sprint, ...]:
        """The sprints that the issue is and was in, by their keys."""
        rows = IssueSprint.objects.filter(issue=self.issue).select_related("sprint")
        return tuple(row.sprint for row in rows.order_by("sprint_id"))

    @property
    def open_sprint(self) -> Sprint | None:
        """The sprint that the issue is in: one that is to come, or that runs."""
        return next((sprint for sprint in self.sprints if sprint.state != "closed"), None)

    @property
    def epic_name(self) -> str | None:
        """What boards call an epic."""
        names = EpicLook.objects.filter(id=self.issue.id).values_list("name", flat=True)
        return names.first() or None


def value_of_rows(field: IssueField, rows: list[FieldValue]) -> Any:
    """Return the value that a custom field's rows say."""
    column = field.kind.column
    if column is None:
        return () if field.kind.several else None
    if column == "other":
        model = Project if field.kind.name == "project" else Version
        known = model.objects.in_bulk([row.other for row in rows]) if rows else {}
        found: list[Any] = [known[row.other] for row in rows if row.other in known]
    else:
        found = [getattr(row, column) for row in rows]
    if field.kind.several:
        return tuple(found)
    return found[0] if found else None
