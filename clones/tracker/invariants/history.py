"""The histories of issues: entries that belong together, and end where the issues stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from clones.tracker.models import ChangeGroup, ChangeItem, Issue

# The fields whose changes all are in the history, with the issue's column and what names its value.
COLUMNS: Final = {
    "status": "status_id",
    "resolution": "resolution_id",
    "priority": "priority_id",
    "issuetype": "issue_type_id",
    "project": "project_id",
    "assignee": "assignee__account_id",
    "reporter": "reporter__account_id",
}


def entries() -> Iterator[str]:
    """Check that an entry has items, which repeat its issue and time, and is not after `updated`.

    Source: `models.ChangeItem` ("The issue and the time are repeated here"), `domain.history`:
    nothing is written where nothing changed, and an issue's time is set with its entry.
    """
    rows = ChangeGroup.objects.order_by("id")
    groups = {
        id: (issue, at, key)
        for id, issue, at, key, updated in rows.values_list(
            "id", "issue_id", "created", "issue__key", "issue__updated"
        )
    }
    for key, at, updated in rows.values_list("issue__key", "created", "issue__updated"):
        if at > updated:
            yield f"issue {key} changed at {at}, after it was updated at {updated}"
    filled = set()
    for id, group, issue, at in ChangeItem.objects.order_by("id").values_list(
        "id", "group_id", "issue_id", "created"
    ):
        filled.add(group)
        if (issue, at) != groups[group][:2]:
            key = groups[group][2]
            yield f"item {id} of the history of {key} is not of its entry's time or issue"
    for id in sorted(groups.keys() - filled):
        yield f"entry {id} of the history of {groups[id][2]} has no items"


def histories() -> Iterator[str]:
    """Check that each change of a field begins where the one before ended, the last at the issue.

    Source: `domain.history.Changes`, through which every change of these fields goes; reference
    tracker.md, changelog: `from` and `to` of an item are the ids before and after.
    """
    rows = Issue.objects.order_by("id").values("id", "key", "created", *COLUMNS.values())
    issues = {row["id"]: row for row in rows}
    last: dict[tuple[int, str], str | None] = {}
    items = ChangeItem.objects.filter(field_id__in=COLUMNS).order_by(
        "created", "group_id", "position", "id"
    )
    for issue, field, old, new in items.values_list("issue_id", "field_id", "old", "new"):
        known = last.get((issue, field), old)
        if (old or None) != (known or None):
            yield f"issue {issues[issue]['key']}: {field} was {known}, not {old}, before it changed"
        last[issue, field] = new
    for (issue, field), new in last.items():
        held = _history_value(issues[issue][COLUMNS[field]])
        if (new or None) != held:
            yield f"issue {issues[issue]['key']}: its history says {field} is {new}, the row {held}"


def _history_value(value: Any) -> str | None:
    """Return a value as items of histories have it."""
    return None if value is None else str(value)
