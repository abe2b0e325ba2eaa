"""When work is planned: start and due dates, sprints and releases of a space in a span of days."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet

from clones.core.lookups import key_list
from clones.tracker.models import (
    CustomField,
    FieldValue,
    Issue,
    IssueSprint,
    Project,
    Sprint,
    Version,
)
from clones.tracker.queries.boards import visible_boards
from clones.tracker.queries.rights import Rights, visible_issues

START: Final = "Start date"
DAY_FIELD: Final = "com.atlassian.jira.plugin.system.customfieldtypes:datepicker"
FAMILY: Final = ("project", "issue_type", "status", "assignee")


@dataclass(frozen=True, slots=True)
class PlannedDays:
    """From which day to which something is planned; either may be unknown."""

    first: date | None = None
    last: date | None = None

    @property
    def is_known(self) -> bool:
        """Whether it can be drawn."""
        return self.first is not None or self.last is not None

    def joined(self, other: PlannedDays) -> PlannedDays:
        """Return the span of both."""
        firsts = [day for day in (self.first, other.first) if day is not None]
        lasts = [day for day in (self.last, other.last) if day is not None]
        return PlannedDays(min(firsts, default=None), max(lasts, default=None))


def start_field() -> CustomField | None:
    """Return the field that says when work is to begin."""
    rows = CustomField.objects.filter(name=START, type=DAY_FIELD, trashed_at=None)
    return rows.order_by("id").first()


def spans_of(issues: Sequence[Issue], field: CustomField | None) -> dict[int, PlannedDays]:
    """Return the dates that issues themselves have, by issue."""
    starts: dict[int, date | None] = {}
    if field is not None and issues:
        rows = FieldValue.objects.filter(
            issue__in_csv=key_list(issue.id for issue in issues), field=field
        )
        starts = dict(rows.order_by("issue_id", "-position").values_list("issue_id", "day"))
    return {issue.id: PlannedDays(starts.get(issue.id), issue.due_date) for issue in issues}


def sprint_spans(issues: Iterable[int], zone: ZoneInfo) -> dict[int, PlannedDays]:
    """Return the days of the sprints that issues are in, by issue."""
    found: dict[int, PlannedDays] = defaultdict(PlannedDays)
    rows = IssueSprint.objects.filter(issue__in_csv=key_list(issues)).select_related("sprint")
    for link in rows.order_by("issue_id", "id"):
        found[link.issue_id] = found[link.issue_id].joined(days_of(link.sprint, zone))
    return dict(found)


def days_of(sprint: Sprint, zone: ZoneInfo) -> PlannedDays:
    """Return the days of a sprint: until it was completed, else as planned."""
    return PlannedDays(
        _day(sprint.start_date, zone), _day(sprint.complete_date or sprint.end_date, zone)
    )


def _day(moment: datetime | None, zone: ZoneInfo) -> date | None:
    return None if moment is None else moment.astimezone(zone).date()


def epics_in(project: Project, rights: Rights, *, done: bool) -> QuerySet[Issue]:
    """Return the epics of a space by rank, with `done` also those that are done."""
    rows = visible_issues(rights).filter(project=project, issue_type__hierarchy_level=1)
    if not done:
        rows = rows.exclude(status__category="done")
    return rows.select_related(*FAMILY).order_by("rank", "id")


def children_of(parents: Collection[int], rights: Rights) -> dict[int, list[Issue]]:
    """Return the issues below some others that somebody sees, by rank, by the parent."""
    found: dict[int, list[Issue]] = defaultdict(list)
    rows = visible_issues(rights).filter(parent__in_csv=key_list(parents))
    for issue in rows.select_related(*FAMILY).order_by("rank", "id"):
        found[issue.parent_id or 0].append(issue)
    return found


def sprints_between(
    project: Project, rights: Rights, first: date, last: date
) -> list[tuple[Sprint, PlannedDays]]:
    """Return the sprints of a space's boards that touch some days, by their start."""
    zone = rights.zone
    begin = datetime.combine(first, time.min, zone)
    end = datetime.combine(last + timedelta(days=1), time.min, zone)
    boards = visible_boards(rights).filter(project=project).order_by().values("id")
    over = Q(complete_date=None, end_date__gte=begin) | Q(complete_date__gte=begin)
    rows = Sprint.objects.filter(over, board__in=boards, start_date__lt=end)
    return [
        (sprint, days_of(sprint, zone))
        for sprint in rows.select_related("board__project").order_by("start_date", "id")
    ]


def releases_between(project: Project, first: date, last: date) -> QuerySet[Version]:
    """Return the versions of a space that are to be, or were, released on some days."""
    rows = Version.objects.filter(project=project, archived=False)
    rows = rows.filter(release_date__gte=first, release_date__lte=last)
    return rows.select_related("project").order_by("release_date", "position", "id")


def due_between(project: Project, rights: Rights, first: date, last: date) -> QuerySet[Issue]:
    """Return the issues of a space that are due on some days and that somebody sees, by day."""
    rows = visible_issues(rights).filter(project=project, due_date__gte=first, due_date__lte=last)
    return rows.select_related(*FAMILY).order_by("due_date", "rank", "id")


def without_day(project: Project, rights: Rights) -> QuerySet[Issue]:
    """Return the open issues of a space that have no due date, by rank."""
    rows = visible_issues(rights).filter(project=project, due_date=None)
    rows = rows.exclude(status__category="done").filter(issue_type__hierarchy_level__gte=0)
    return rows.select_related(*FAMILY).order_by("rank", "id")


def rolled_up(children: Iterable[Issue], spans: Mapping[int, PlannedDays]) -> PlannedDays:
    """Return the span of the work below an epic."""
    found = PlannedDays()
    for child in children:
        found = found.joined(spans.get(child.id, PlannedDays()))
    return found
