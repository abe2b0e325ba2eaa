"""How SLAs stand for requests, in the words of pages."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from clones.tracker.models import SlaCycle, SlaMetric
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.slas import Standing, clock_of, is_breached, standings_of
from clones.tracker.rules.desk.wording import friendly_duration, friendly_moment


@dataclass(frozen=True, slots=True)
class SlaStatus:
    """An SLA as people read it.

    `state` is running, paused, met or breached; `text` the time that is left, or was left when it
    ended; `goal` the length of its goal; `due` when it is breached if nothing changes.
    """

    name: str
    state: str
    text: str
    goal: str
    due: str = ""
    ended: bool = False
    closed: bool = False

    @property
    def said(self) -> str:
        """The state in words."""
        words = {"running": "running", "paused": "paused", "met": "met", "breached": "breached"}
        return "outside working hours" if self.closed else words[self.state]


def shown_of(standing: Standing, rights: Rights) -> SlaStatus | None:
    """Return how an SLA stands: its present run, else the last one; None where it has none."""
    cycle = standing.ongoing or (standing.completed[-1] if standing.completed else None)
    if cycle is None:
        return None
    now = rights.asked_at
    moment = now if cycle.stopped_at is None else cycle.stopped_at
    runs = clock_of(cycle)
    left = (cycle.goal or 0) - runs.elapsed_at(moment)
    return SlaStatus(
        standing.metric.name,
        _state(cycle, moment),
        friendly_duration(left),
        friendly_duration(cycle.goal or 0),
        _due(cycle, rights),
        ended=cycle.stopped_at is not None,
        closed=cycle.stopped_at is None
        and cycle.paused_at is None
        and not is_breached(cycle, now)
        and not runs.calendar.is_open(now),
    )


def _state(cycle: SlaCycle, moment: datetime) -> str:
    if is_breached(cycle, moment):
        return "breached"
    if cycle.stopped_at is not None:
        return "met"
    return "running" if cycle.paused_at is None else "paused"


def _due(cycle: SlaCycle, rights: Rights) -> str:
    if cycle.breach_at is None or cycle.stopped_at is not None:
        return ""
    zone = rights.zone
    return friendly_moment(cycle.breach_at.astimezone(zone), rights.asked_at.astimezone(zone))


def standings_by_issue(
    issues: Collection[int], metrics: Iterable[SlaMetric], rights: Rights
) -> dict[int, dict[int, SlaStatus]]:
    """Return how SLAs stand for requests, by request and SLA: one statement."""
    found: dict[int, dict[int, SlaStatus]] = {}
    for issue, standings in standings_of(issues, metrics).items():
        for metric, standing in standings.items():
            shown = shown_of(standing, rights)
            if shown is not None:
                found.setdefault(issue, {})[metric] = shown
    return found
