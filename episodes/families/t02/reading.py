"""The slow reading: which work items meet a wish, told by plain loops over rows.

Nothing here knows the query language: what a field holds, what it was and when it changed is read
from the rows themselves.

A condition is {"side": all or any, "about", "test", "values", "days", "words"}. A row is what is
known of one work item: `space` (key), `category`, `resolution`, `type`, `priority`, `assignee` as
texts ("" where there is none), `labels`, `components`, `unreleased` and `sprints` as lists,
`created`, `due` (a day or None), `past` (every value that status and assignee had) and `repriced`
(when its priority changed).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta, tzinfo
from typing import Any, Final

from clones.tracker.models import (
    ChangeItem,
    Issue,
    IssueComponent,
    IssueLabel,
    IssueSprint,
    IssueVersion,
)
from clones.tracker.queries.rights import Rights, visible_issues

Condition = Mapping[str, Any]
Row = Mapping[str, Any]
# Histories that conditions ask about.
TOLD: Final = ("status", "assignee", "priority")


def holds(condition: Condition, row: Row, now: datetime, zone: tzinfo) -> bool:
    """Tell whether a work item meets one condition at a moment, by a viewer's calendar."""
    about, values = condition["about"], condition["values"]
    if condition["days"] is not None:
        return _in_time(condition, row, now, zone)
    match condition["test"]:
        case "one_of":
            found = row[about] in values
        case "none_of":
            found = row[about] not in values
        case "blank":
            found = not row[about]
        case "filled":
            found = bool(row[about])
        case "some_of":
            found = any(one in values for one in row[about])
        case "was":
            found = any(one in values for one in row["past"][about])
        case other:
            raise ValueError(other)
    return found


def _in_time(condition: Condition, row: Row, now: datetime, zone: tzinfo) -> bool:
    """Tell whether something lies within so many days: changed, created, or due."""
    days = timedelta(days=condition["days"])
    if condition["test"] == "due":
        last = (now + days).astimezone(zone).date()
        return row["due"] is not None and row["due"] <= last
    if condition["test"] == "changed":
        return any(moment > now - days for moment in row["repriced"])
    return bool(row["created"] >= now - days)


def belongs(conditions: Iterable[Condition], row: Row, now: datetime, zone: tzinfo) -> bool:
    """Tell whether a work item meets all that must hold, and one of those of which one must."""
    verdicts = [(each["side"], holds(each, row, now, zone)) for each in conditions]
    some = [verdict for side, verdict in verdicts if side == "any"]
    return all(verdict for side, verdict in verdicts if side == "all") and (not some or any(some))


def skill(pairs: Iterable[tuple[bool, bool]]) -> float:
    """Return J = TPR + TNR - 1 of (should be in, is in); a side without any counts as right."""
    found = list(pairs)
    inside = [is_in for should, is_in in found if should]
    outside = [not is_in for should, is_in in found if not should]
    rates = [sum(side) / len(side) if side else 1.0 for side in (inside, outside)]
    return rates[0] + rates[1] - 1.0


def rows_for(viewer: Rights) -> dict[int, dict[str, Any]]:
    """Return the rows of all work items that somebody sees, by id."""
    rows = visible_issues(viewer).select_related("project", "status", "assignee")
    seen = list(rows.order_by("id"))
    lists = _lists()
    histories: dict[int, list[ChangeItem]] = defaultdict(list)
    for item in ChangeItem.objects.filter(field_id__in=TOLD).order_by("created", "id"):
        histories[item.issue_id].append(item)
    return {
        issue.id: _row(issue, {name: of[issue.id] for name, of in lists.items()}, histories)
        for issue in seen
    }


def _row(
    issue: Issue, lists: Mapping[str, list[str]], histories: Mapping[int, Sequence[ChangeItem]]
) -> dict[str, Any]:
    entries = histories.get(issue.id, ())
    assignee = "" if issue.assignee is None else issue.assignee.account_id
    present = {"status": str(issue.status_id), "assignee": assignee}
    return {
        "space": issue.project.key,
        "category": issue.status.category,
        "resolution": str(issue.resolution_id or ""),
        "type": str(issue.issue_type_id),
        "priority": str(issue.priority_id or ""),
        "assignee": assignee,
        **lists,
        "created": issue.created,
        "due": issue.due_date,
        "past": {name: _past(entries, name, value) for name, value in present.items()},
        "repriced": [item.created for item in entries if item.field_id == "priority"],
    }


def _past(entries: Sequence[ChangeItem], name: str, present: str) -> list[str]:
    """Return every value that a field had, the first before its first change."""
    mine = [item for item in entries if item.field_id == name]
    if not mine:
        return [present]
    return [mine[0].old or "", *(item.new or "" for item in mine)]


def _lists() -> dict[str, dict[int, list[str]]]:
    """Return, for each list that work items have, its entries by work item."""
    found: dict[str, dict[int, list[str]]] = {
        name: defaultdict(list) for name in ("labels", "components", "unreleased", "sprints")
    }
    for label in IssueLabel.objects.order_by("id"):
        found["labels"][label.issue_id].append(label.label)
    for part in IssueComponent.objects.order_by("id"):
        found["components"][part.issue_id].append(str(part.component_id))
    for link in IssueVersion.objects.select_related("version").order_by("id"):
        version = link.version
        if link.kind == "fix" and not version.released and not version.archived:
            found["unreleased"][link.issue_id].append(str(version.id))
    for place in IssueSprint.objects.select_related("sprint").order_by("id"):
        if place.sprint.state == "active":
            found["sprints"][place.issue_id].append(str(place.sprint_id))
    return found
