"""The clocks of the desk's SLAs, as they follow what happens to a request."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from clones.tracker import models as tracker
from clones.tracker.queries.slas import hours_of
from clones.tracker.rules.desk import conditions
from clones.tracker.rules.desk.clocks import Clock, Terms, acts
from seeds.bulk import BulkWriter
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.projection.tracker.site import Numbers

PRIORITY = "priority = "


@dataclass(frozen=True, slots=True)
class Goal:
    """How long an SLA takes; `priority` is for whose requests, "" for all others."""

    priority: str
    milliseconds: int | None
    calendar: tracker.Calendar | None


@dataclass(frozen=True, slots=True)
class Sla:
    """An SLA of a desk with its goals, the first that fits counts."""

    id: int
    terms: Terms
    goals: tuple[Goal, ...]

    def goal(self, priority: str) -> Goal:
        """Return the goal of a request of a priority."""
        return next(goal for goal in self.goals if goal.priority in ("", priority))


@dataclass(slots=True)
class Cycle:
    """One run of an SLA, as its row has it."""

    id: int
    issue: int
    sla: Sla
    goal: Goal
    clock: Clock
    breach_at: datetime | None
    breached: bool = False

    def pass_until(self, at: datetime) -> None:
        """Let time pass: a goal that is used up by then is missed."""
        if self.clock.runs and self.breach_at is not None and self.breach_at <= at:
            self.breached = True

    def keep(self, later: Clock, at: datetime, *, missed_before: bool = True) -> None:
        """Take another state of the clock, as the domain writes it."""
        missed = (missed_before and self.breached) or later.is_breached_at(at)
        if not missed:
            self.breach_at = later.breaks_at()
        elif not self.breached and (self.breach_at is None or self.breach_at > at):
            self.breach_at = at
        self.breached, self.clock = missed, later


@dataclass(frozen=True, slots=True)
class Standing:
    """What a request is at a moment, as far as SLAs go by it."""

    status: int
    priority: str
    has_assignee: bool
    has_resolution: bool


class SlaClocks:
    """Follows the clocks of all requests; rows are written at the end."""

    def __init__(self, writer: BulkWriter, numbers: Numbers) -> None:
        self.writer, self.numbers = writer, numbers
        self.slas = [
            Sla(
                metric.id,
                Terms(metric.start, metric.pause, metric.stop),
                tuple(
                    Goal(goal.jql.removeprefix(PRIORITY), goal.milliseconds, goal.calendar)
                    for goal in metric.goals.select_related("calendar").order_by("position", "id")
                ),
            )
            for metric in tracker.SlaMetric.objects.order_by("position", "id")
        ]
        self.running: dict[tuple[int, int], Cycle] = {}
        self.every: list[Cycle] = []

    def follow(
        self,
        issue: int,
        standing: Standing,
        happened: frozenset[str],
        at: datetime,
        *,
        aims: bool,
    ) -> None:
        """Do with each clock of a request what a moment asks for; `aims`: goals may be others."""
        state = conditions.state(
            status=standing.status,
            has_assignee=standing.has_assignee,
            has_resolution=standing.has_resolution,
        )
        for sla in self.slas:
            cycle = self.running.get((issue, sla.id))
            if cycle is not None:
                cycle.pass_until(at)
            ongoing = None if cycle is None else cycle.clock
            todo = acts(sla.terms, ongoing, happened=happened, state=state)
            goal = sla.goal(standing.priority)
            if cycle is None:
                if "start" not in todo:
                    continue
                cycle = self._start(issue, sla, goal, at)
            elif aims and "stop" not in todo and goal != cycle.goal:
                later = cycle.clock.aimed(at, goal.milliseconds, hours_of(goal.calendar))
                cycle.goal = goal
                cycle.keep(later, at, missed_before=False)
            self._carry_out(cycle, todo, at)

    def _start(self, issue: int, sla: Sla, goal: Goal, at: datetime) -> Cycle:
        clock = Clock(at, at, goal.milliseconds, hours_of(goal.calendar))
        number = self.numbers.take(tracker.SlaCycle)
        cycle = Cycle(number, issue, sla, goal, clock, clock.breaks_at())
        self.running[issue, sla.id] = cycle
        self.every.append(cycle)
        return cycle

    def _carry_out(self, cycle: Cycle, todo: Iterable[str], at: datetime) -> None:
        for step in todo:
            if step == "pause":
                cycle.keep(cycle.clock.paused(at), at)
            elif step == "resume":
                cycle.keep(cycle.clock.resumed(at), at)
            elif step == "stop":
                cycle.keep(cycle.clock.stopped(at), at)
                del self.running[cycle.issue, cycle.sla.id]

    def write(self) -> list[tuple[int, datetime]]:
        """Write all rows; return the runs that go on, with when each will be missed."""
        timers = []
        for cycle in self.every:
            cycle.pass_until(PRESENT)
            clock = cycle.clock
            self.writer.add(
                tracker.SlaCycle,
                {
                    "id": cycle.id,
                    "issue_id": cycle.issue,
                    "metric_id": cycle.sla.id,
                    "goal": clock.goal,
                    "calendar_id": None if cycle.goal.calendar is None else cycle.goal.calendar.id,
                    "started_at": clock.started_at,
                    "stopped_at": clock.stopped_at,
                    "paused_at": clock.paused_at,
                    "counted_at": clock.counted_at,
                    "elapsed": clock.elapsed,
                    "breach_at": cycle.breach_at,
                    "breached": cycle.breached,
                },
            )
            if clock.runs and not cycle.breached and cycle.breach_at is not None:
                timers.append((cycle.id, cycle.breach_at))
        return timers
