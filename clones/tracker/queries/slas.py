"""Reading SLAs and their runs."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from django.db.models import QuerySet

from clones.tracker import models
from clones.tracker.models import (
    Issue,
    Project,
    ServiceDesk,
    SlaCycle,
    SlaMetric,
    Status,
    WorkflowStatus,
)
from clones.tracker.rules.desk import conditions
from clones.tracker.rules.desk.calendars import AllTime, Calendar, WorkingTime
from clones.tracker.rules.desk.clocks import Clock


@dataclass(slots=True)
class Standing:
    """How one SLA stands for one request: its ended runs, the oldest first, and the present."""

    metric: SlaMetric
    completed: list[SlaCycle] = field(default_factory=list)
    ongoing: SlaCycle | None = None


def metrics_of(projects: Collection[int]) -> QuerySet[SlaMetric]:
    """Return the SLAs of the desks of spaces, in their order."""
    return SlaMetric.objects.filter(desk__project__in=projects).order_by("position", "id")


def ongoing_cycles(issue: Issue) -> dict[int, SlaCycle]:
    """Return the runs of a request that have not stopped, by SLA."""
    rows = SlaCycle.objects.filter(issue=issue, stopped_at=None).select_related("calendar")
    return {row.metric_id: row for row in rows.order_by("id")}


def standings_of(
    issues: Collection[int], metrics: Iterable[SlaMetric]
) -> dict[int, dict[int, Standing]]:
    """Return how SLAs stand for requests, by request and SLA: one statement.

    Runs without a goal are left out: they cannot be missed.
    """
    named = {metric.id: metric for metric in metrics}
    found: dict[int, dict[int, Standing]] = defaultdict(dict)
    if not issues or not named:
        return found
    rows = SlaCycle.objects.filter(issue__in=issues, metric__in=named, goal__isnull=False)
    for row in rows.select_related("calendar").order_by("started_at", "id"):
        stands = found[row.issue_id].setdefault(row.metric_id, Standing(named[row.metric_id]))
        if row.stopped_at is None:
            stands.ongoing = row
        else:
            stands.completed.append(row)
    return found


def clock_of(cycle: SlaCycle) -> Clock:
    """Return the clock of a run."""
    return Clock(
        cycle.started_at,
        cycle.counted_at,
        cycle.goal,
        hours_of(cycle.calendar),
        cycle.elapsed,
        cycle.paused_at,
        cycle.stopped_at,
    )


def hours_of(calendar: models.Calendar | None) -> Calendar:
    """Return the working time of a calendar; without one all time counts."""
    if calendar is None:
        return AllTime()
    return _parsed(calendar.time_zone, json.dumps(calendar.hours), json.dumps(calendar.holidays))


@lru_cache(maxsize=64)
def _parsed(time_zone: str, hours: str, holidays: str) -> WorkingTime:
    return WorkingTime.parse(time_zone, json.loads(hours), json.loads(holidays))


def is_breached(cycle: SlaCycle, moment: datetime) -> bool:
    """Tell whether a run missed its goal."""
    return cycle.breached or clock_of(cycle).is_breached_at(moment)


def condition_names(desk: ServiceDesk) -> dict[str, dict[str, str]]:
    """Return the conditions that SLAs of a desk can have, by part: start, pause and stop.

    Each part has the words of `rules.desk.conditions`, with what people read of them.
    """
    statuses = statuses_of(desk.project)
    happened = {
        **conditions.NAMES,
        **{conditions.entered(row.id): f"Entered Status: {row.name}" for row in statuses},
        **{conditions.left(row.id): f"Left Status: {row.name}" for row in statuses},
    }
    states = {
        **conditions.STATES,
        **{conditions.in_status(row.id): f"Status: {row.name}" for row in statuses},
    }
    return {"start": happened, "pause": states, "stop": happened}


def statuses_of(project: Project) -> list[Status]:
    """Return the statuses of the workflows of a space, each once, by name."""
    scheme = project.workflow_scheme
    flows = [scheme.default_workflow_id, *scheme.items.values_list("workflow_id", flat=True)]
    rows = WorkflowStatus.objects.filter(workflow__in=flows).values("status_id")
    return list(Status.objects.filter(id__in=rows).order_by("name", "id"))
