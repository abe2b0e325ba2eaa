"""What a space's summary counts: its issues by status, priority, type, person and epic.

Everything is of the issues that the viewer sees; the number of statements does not grow with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, Q, QuerySet

from clones.tracker.models import Issue, IssueType, Priority, Project, Status, User
from clones.tracker.queries.releases import Progress
from clones.tracker.queries.rights import Rights, visible_issues

WEEK: Final = timedelta(days=7)
EPICS: Final = 8
PEOPLE: Final = 10
OPEN: Final = ~Q(status__category="done")


@dataclass(frozen=True, slots=True)
class SummaryShare:
    """A part of all: its row (None for nothing), how many, and how much of a hundred."""

    row: Status | Priority | IssueType | User | None
    count: int
    percent: int


@dataclass(frozen=True, slots=True)
class EpicProgress:
    """An epic and how far its children are."""

    issue: Issue
    progress: Progress


@dataclass(frozen=True, slots=True)
class Week:
    """What happened in the last seven days, and what is due in the next."""

    completed: int
    updated: int
    created: int
    due: int


def issues_in(project: Project, rights: Rights) -> QuerySet[Issue]:
    """Return the issues of a space that somebody sees, in no order."""
    return visible_issues(rights).filter(project=project)


def week_of(issues: QuerySet[Issue], now: datetime, rights: Rights) -> Week:
    """Return what happened in a week, with one statement."""
    today = now.astimezone(rights.zone).date()
    since = now - WEEK
    found = issues.aggregate(
        completed=Count(
            "id", filter=Q(status__category="done", status_category_changed__gte=since)
        ),
        updated=Count("id", filter=Q(updated__gte=since)),
        created=Count("id", filter=Q(created__gte=since)),
        due=Count("id", filter=OPEN & Q(due_date__gte=today, due_date__lte=today + WEEK)),
    )
    return Week(**found)


def _counts(issues: QuerySet[Issue], column: str) -> dict[int | None, int]:
    rows = issues.order_by().values_list(column).annotate(count=Count("id"))
    return dict(rows)


def _shares(
    counts: dict[int | None, int], rows: Sequence[Status | Priority | IssueType | User | None]
) -> list[SummaryShare]:
    total = sum(counts.values())
    found = []
    for row in rows:
        count = counts.get(None if row is None else row.id, 0)
        found.append(SummaryShare(row, count, round(100 * count / total) if total else 0))
    return found


def by_status(issues: QuerySet[Issue]) -> list[SummaryShare]:
    """Return how many issues are in each status that any is in, by category and name."""
    counts = _counts(issues, "status_id")
    order = {"undefined": 0, "new": 1, "indeterminate": 2, "done": 3}
    rows = sorted(
        Status.objects.filter(id__in=[key for key in counts if key]),
        key=lambda row: (order.get(row.category, 0), row.name, row.id),
    )
    return _shares(counts, rows)


def by_priority(issues: QuerySet[Issue]) -> list[SummaryShare]:
    """Return how many open issues have each priority that any has, in their order."""
    counts = _counts(issues.filter(OPEN), "priority_id")
    rows: list[Priority | None] = list(
        Priority.objects.filter(id__in=[key for key in counts if key]).order_by("position", "id")
    )
    return _shares(counts, [*rows, None] if None in counts else rows)


def by_type(issues: QuerySet[Issue]) -> list[SummaryShare]:
    """Return how many issues are of each type, the most first."""
    counts = _counts(issues, "issue_type_id")
    rows = sorted(
        IssueType.objects.filter(id__in=[key for key in counts if key]),
        key=lambda row: (-counts[row.id], row.name, row.id),
    )
    return _shares(counts, rows)


def by_person(issues: QuerySet[Issue]) -> list[SummaryShare]:
    """Return how many open issues somebody has, the most first, nobody's last."""
    counts = _counts(issues.filter(OPEN), "assignee_id")
    people = sorted(
        User.objects.filter(id__in=[key for key in counts if key]),
        key=lambda row: (-counts[row.id], row.display_name, row.id),
    )
    rows: list[User | None] = [*people[:PEOPLE]]
    return _shares(counts, [*rows, None] if None in counts else rows)


def epics_of(project: Project, rights: Rights) -> list[EpicProgress]:
    """Return open epics of a space, the latest first, with how far their children are."""
    rows = issues_in(project, rights).filter(OPEN, issue_type__hierarchy_level=1)
    rows = rows.select_related("project", "issue_type", "status")
    epics = list(rows.order_by("-updated", "-id")[:EPICS])
    progress = children_progress([epic.id for epic in epics], rights)
    return [EpicProgress(epic, progress.get(epic.id, Progress())) for epic in epics]


def children_progress(parents: Sequence[int], rights: Rights) -> dict[int, Progress]:
    """Return how far the children of issues are, by the parent."""
    rows = (
        visible_issues(rights)
        .filter(parent__in=parents)
        .order_by()
        .values_list("parent_id", "status__category")
        .annotate(count=Count("id"))
    )
    found: dict[int, dict[str, int]] = {}
    for parent, category, count in rows:
        found.setdefault(parent, {})[category] = count
    return {
        parent: Progress(
            counts.get("new", 0) + counts.get("undefined", 0),
            counts.get("indeterminate", 0),
            counts.get("done", 0),
        )
        for parent, counts in found.items()
    }
