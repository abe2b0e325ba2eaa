"""Measures of the tracker's issues: talk, links, sprints, mix, and what lies about.

Sprints are measured by the histories of the issues in them, as a report on a sprint is.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Any

from clones.core import clock
from clones.tracker.models import (
    ChangeItem,
    Comment,
    FieldValue,
    Issue,
    IssueLabel,
    IssueLink,
    IssueSprint,
    Sprint,
    Version,
)
from seeds.measures.statistics import quantile
from seeds.measures.texts import near_duplicate_groups

# The numbers on the cards that teams estimate with.
CARDS = frozenset({0.5, 1, 2, 3, 5, 8, 13, 20, 21, 34, 40, 100})
SPRINT, POINTS = "Sprint", "Story Points"
Timeline = list[tuple[datetime, Any]]


class Tracker:
    """Everything that the measures need of a store, read once."""

    def __init__(self) -> None:
        columns = (
            "id",
            "created",
            "updated",
            "assignee_id",
            "description",
            "status__category",
            "issue_type__name",
            "issue_type__hierarchy_level",
            "priority__name",
            "project__type",
        )
        live = Issue.objects.filter(project__archived_at=None, project__deleted_at=None)
        self.issues = {row["id"]: row for row in live.values(*columns)}
        self.software = [row for row in self.issues.values() if row["project__type"] == "software"]
        self.now = clock.now()
        self.changes: dict[str, dict[int, Timeline]] = defaultdict(lambda: defaultdict(list))
        wanted = ("status", "priority", SPRINT, "resolution")
        rows = ChangeItem.objects.filter(field__in=wanted).order_by("created", "id")
        for field, issue, at, new in rows.values_list("field", "issue_id", "created", "new"):
            self.changes[field][issue].append((at, new))

    def of_software(self, ids: Iterable[int]) -> list[int]:
        """Return those ids that are software's."""
        known = {row["id"] for row in self.software}
        return [key for key in ids if key in known]

    def talk(self) -> tuple[float, float, float]:
        """Return the share of issues without a comment, and median and 95th percentile of them."""
        counts = Counter(Comment.objects.values_list("issue_id", flat=True))
        found = [counts[key] for key in self.issues]
        return (
            sum(count == 0 for count in found) / len(found),
            quantile(found, 0.5),
            quantile(found, 0.95),
        )

    def links(self) -> tuple[float, float, float]:
        """Return the share of issues without a link, of "relates" links, and the most on one."""
        degree: Counter[int] = Counter()
        kinds: Counter[str] = Counter()
        for kind, *ends in IssueLink.objects.values_list("type__name", "source", "destination"):
            degree.update(ends)
            kinds[kind] += 1
        none = sum(key not in degree for key in self.issues) / len(self.issues)
        return none, kinds["Relates"] / kinds.total(), float(max(degree.values()))

    def sprints(self) -> tuple[float, float]:
        """Return the share of closed sprints that ended with less than promised, and churn.

        Churn is what was added to them after their start, of what they began with: the median.
        """
        rows = Sprint.objects.filter(state="closed", start_date__isnull=False)
        short, churn = [], []
        links: dict[int, list[int]] = defaultdict(list)
        for issue, number in self._ever_in():
            links[number].append(issue)
        done = self._done_statuses()
        for sprint in rows.order_by("id"):
            start, end = sprint.start_date, sprint.complete_date
            if start is None or end is None:
                continue
            begun = {key for key in links[sprint.id] if self._in_sprint(key, sprint.id, start)}
            if len(begun) < 3:
                continue
            last = {
                key
                for key in links[sprint.id]
                if self._in_sprint(key, sprint.id, end - timedelta(seconds=1))
            }
            finished = sum(self._status(key, end) in done for key in last)
            short.append(finished < len(begun))
            churn.append(len(last - begun) / len(begun))
        return sum(short) / max(len(short), 1), quantile(churn or [0.0], 0.5)

    def _ever_in(self) -> set[tuple[int, int]]:
        found = {
            (issue, int(key))
            for issue, line in self.changes[SPRINT].items()
            for _, new in line
            for key in (new or "").split(", ")
            if key
        }
        parts = IssueSprint.objects.filter(issue__issue_type__hierarchy_level__gte=0)
        return found | set(parts.values_list("issue_id", "sprint_id"))

    def _done_statuses(self) -> set[str]:
        rows = Issue.objects.filter(status__category="done").values_list("status_id", flat=True)
        return {str(key) for key in rows.distinct()}

    def _in_sprint(self, issue: int, sprint: int, at: datetime) -> bool:
        value = _at(self.changes[SPRINT].get(issue, []), at)
        return str(sprint) in (value or "").split(", ")

    def _status(self, issue: int, at: datetime) -> str | None:
        found: str | None = _at(self.changes["status"].get(issue, []), at)
        return found

    def reopened(self) -> float:
        """Return the share of issues once resolved whose resolution was taken back."""
        lines = [self.changes["resolution"].get(row["id"], []) for row in self.software]
        resolved = [line for line in lines if any(new for _, new in line)]
        return sum(any(not new for _, new in line) for line in resolved) / len(resolved)

    def reprioritized(self) -> float:
        """Return the share of issues whose priority was changed."""
        changed = self.of_software(self.changes["priority"])
        return len(changed) / len(self.software)

    def stale_epics(self) -> float:
        """Return the share of open epics that nobody touched for 180 days."""
        past = self.now - timedelta(days=180)
        rows = [
            row["updated"] < past
            for row in self.software
            if row["issue_type__name"] == "Epic" and row["status__category"] != "done"
        ]
        return float(sum(rows) / max(len(rows), 1))

    def old_backlog(self) -> float:
        """Return the share of open work that was made more than a year ago."""
        rows = [
            row["created"] < self.now - timedelta(days=365)
            for row in self.software
            if row["status__category"] != "done"
        ]
        return float(sum(rows) / len(rows))


def tracker_properties() -> dict[str, float]:
    """Return the properties of the tracker of the bound store, by name."""
    tracker = Tracker()
    found: dict[str, float] = {}
    talk, links, sprints = tracker.talk(), tracker.links(), tracker.sprints()
    found["37 issues without comments"], found["37 comments p50"], found["37 comments p95"] = talk
    found["38 issues without links"], found["38 relates links"], found["38 most links"] = links
    found["39 sprints under promise"], found["39 scope added"] = sprints
    found["39 points on cards"] = _cards()
    labels = Counter(IssueLabel.objects.values_list("label", flat=True))
    found["29 label singletons"] = sum(count <= 2 for count in labels.values()) / len(labels)
    found["29 near-duplicate labels"] = near_duplicate_groups(labels)
    rows = tracker.software
    count = len(rows)
    found["bugs"] = sum(row["issue_type__name"] == "Bug" for row in rows) / count
    found["sub-tasks"] = sum(row["issue_type__hierarchy_level"] < 0 for row in rows) / count
    kinds = Counter(row["priority__name"] for row in rows)
    found["usual issue priority"] = max(kinds.values()) / count
    found["issues reopened"] = tracker.reopened()
    found["issue priority changed"] = tracker.reprioritized()
    found["issues unassigned"] = sum(row["assignee_id"] is None for row in rows) / count
    found["issues without description"] = sum(row["description"] is None for row in rows) / count
    found["stale epics"] = tracker.stale_epics()
    found["versions never released"] = _never_released(tracker.now.date())
    found["open over a year"] = tracker.old_backlog()
    return found


def _at(line: Timeline, at: datetime) -> Any:
    """Return a field's value at a time, None before its first change."""
    place = bisect_right(line, at, key=lambda change: change[0])
    return line[place - 1][1] if place else None


def _cards() -> float:
    values = FieldValue.objects.filter(field__name=POINTS, number__isnull=False)
    numbers = list(values.values_list("number", flat=True))
    return sum(number in CARDS for number in numbers) / len(numbers)


def _never_released(today: date) -> float:
    rows = Version.objects.filter(release_date__lt=today).values_list("released", flat=True)
    return sum(not released for released in rows) / len(rows)
