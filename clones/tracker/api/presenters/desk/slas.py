"""How SLAs stand, counted at the moment of looking."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.desk.basics import (
    Json,
    present_date,
    present_duration,
    self_link,
)
from clones.tracker.models import SlaCycle
from clones.tracker.queries.slas import Standing, clock_of, is_breached


def present_standing(issue: int, standing: Standing, show: Show) -> Json:
    """Return how an SLA stands for a request, as desks and the SLA fields of issues show it."""
    metric, now = standing.metric, show.reader.asked_at
    found: Json = {
        "id": str(metric.id),
        "name": metric.name,
        "_links": self_link(f"request/{issue}/sla/{metric.id}", show),
        "completedCycles": [_completed(cycle, show) for cycle in standing.completed],
    }
    if standing.ongoing is not None:
        found["ongoingCycle"] = _ongoing(standing.ongoing, show, now)
    found["slaDisplayFormat"] = "NEW_SLA_FORMAT"
    return found


def present_standings(issue: int, standings: Sequence[Standing], show: Show) -> list[Json]:
    """Return how SLAs stand for a request."""
    return [present_standing(issue, standing, show) for standing in standings]


def _completed(cycle: SlaCycle, show: Show) -> Json:
    stopped = cycle.stopped_at or cycle.counted_at
    found: Json = {
        "startTime": present_date(cycle.started_at, show),
        "stopTime": present_date(stopped, show),
    }
    if cycle.breach_at is not None:
        found["breachTime"] = present_date(cycle.breach_at, show)
    return found | _measures(cycle, show, stopped)


def _ongoing(cycle: SlaCycle, show: Show, now: datetime) -> Json:
    found: Json = {"startTime": present_date(cycle.started_at, show)}
    if cycle.breach_at is not None:
        found["breachTime"] = present_date(cycle.breach_at, show)
    runs = clock_of(cycle)
    return found | {
        **_measures(cycle, show, now),
        "paused": cycle.paused_at is not None,
        "withinCalendarHours": runs.calendar.is_open(now),
    }


def _measures(cycle: SlaCycle, show: Show, moment: datetime) -> Json:
    runs = clock_of(cycle)
    elapsed = runs.elapsed_at(moment)
    goal = cycle.goal or 0
    return {
        "breached": is_breached(cycle, moment),
        "goalDuration": present_duration(goal),
        "elapsedTime": present_duration(elapsed),
        "remainingTime": present_duration(goal - elapsed),
    }
