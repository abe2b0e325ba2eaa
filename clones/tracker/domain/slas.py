"""The clocks of SLAs: they follow what happens to a request, and the sandbox's clock.

Each run is a row; the moment at which it is missed if nothing changes is a job. Remaining and
elapsed time are not kept: they are counted when somebody looks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

from clones.core import clock, jobs
from clones.tracker import models
from clones.tracker.domain.events import Event, listen, publish
from clones.tracker.domain.numbering import next_id
from clones.tracker.models import ChangeGroup, Comment, Issue, SlaCycle, SlaGoal, SlaMetric
from clones.tracker.queries import searching
from clones.tracker.queries.desks import AGENT, PortalRights
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.slas import clock_of, hours_of, metrics_of, ongoing_cycles
from clones.tracker.rules.desk import conditions
from clones.tracker.rules.desk.clocks import Clock, Terms, acts, fresh
from clones.tracker.rules.jql import JqlError

JOB: Final = "tracker.sla_breach"
Aim = tuple[int | None, models.Calendar | None]


@listen("issue_created", "request_created")
def start_clocks(event: Event) -> None:
    """Start the clocks that a new request starts.

    What comes through a portal is a request only after the issue is made: goals are chosen then.
    """
    by_portal = event.kind == "issue_created" and isinstance(event.actor, PortalRights)
    if event.issue is not None and _is_desks(event.issue) and not by_portal:
        _follow(event.issue, frozenset({conditions.ISSUE_CREATED}), aims=False)


@listen("issue_updated")
def follow_changes(event: Event) -> None:
    """Let clocks follow the change of a request's fields, a transition too."""
    if event.issue is not None and event.changes is not None and _is_desks(event.issue):
        _follow(event.issue, _happened(event.changes), aims=True)


@listen("comment_created")
def follow_comment(event: Event) -> None:
    """Let clocks follow a public comment."""
    if event.issue is None or event.comment is None or not _is_desks(event.issue):
        return
    said = _comment_condition(event.issue, event.comment)
    if said:
        _follow(event.issue, frozenset({said}), aims=False)


@listen("issue_deleted")
def drop_timers(event: Event) -> None:
    """Drop the timers of a request that goes."""
    if event.issue is not None and _is_desks(event.issue):
        for cycle in ongoing_cycles(event.issue).values():
            jobs.cancel(f"{JOB}:{cycle.id}")


@listen("project_deleted")
def drop_timers_of_space(event: Event) -> None:
    """Drop the timers of all requests of a space that goes: they are still there by now."""
    rows = SlaCycle.objects.filter(issue__project=event.project, stopped_at=None).order_by("id")
    for cycle in rows.values_list("id", flat=True):
        jobs.cancel(f"{JOB}:{cycle}")


def _is_desks(issue: Issue) -> bool:
    return issue.project.type == "service_desk"


def _happened(changes: ChangeGroup) -> frozenset[str]:
    found: set[str] = set()
    for field, old, new in changes.items.values_list("field_id", "old", "new"):
        found |= conditions.of_change(field, old, new)
    return frozenset(found)


def _comment_condition(issue: Issue, comment: Comment) -> str | None:
    """Return the condition that a comment meets: internal ones meet none."""
    if not comment.public or comment.visibility is not None or comment.author is None:
        return None
    if comment.author_id == issue.reporter_id:
        return conditions.COMMENT_BY_CUSTOMER
    works = Rights(comment.author).may(AGENT, issue.project)
    return conditions.COMMENT_FOR_CUSTOMERS if works else conditions.COMMENT_BY_CUSTOMER


def _follow(issue: Issue, happened: frozenset[str], *, aims: bool) -> None:
    """Do with each clock of a request what a moment asks for; `aims`: goals may be others now."""
    now = clock.now()
    metrics = list(metrics_of([issue.project_id]))
    running = ongoing_cycles(issue) if metrics else {}
    state = conditions.state(
        status=issue.status_id,
        has_assignee=issue.assignee_id is not None,
        has_resolution=issue.resolution_id is not None,
    )
    steps: list[tuple[SlaMetric, list[str]]] = []
    for metric in metrics:
        cycle = running.get(metric.id)
        terms = Terms(metric.start, metric.pause, metric.stop)
        ongoing = None if cycle is None else clock_of(cycle)
        steps.append((metric, list(acts(terms, ongoing, happened=happened, state=state))))
    aimed = [metric for metric, todo in steps if "start" in todo or (aims and metric.id in running)]
    goals = _goals(aimed, issue) if aimed else {}
    for metric, todo in steps:
        cycle = running.get(metric.id)
        if cycle is None and "start" not in todo:
            continue
        if cycle is None:
            cycle = _start(metric, issue, goals[metric.id], now)
        elif aims and "stop" not in todo:
            _aim(cycle, goals[metric.id], now)
        _carry_out(cycle, todo, now)


def aim_anew(metric: SlaMetric) -> None:
    """Give the running clocks of an SLA the goals that it has now; what has passed stays."""
    now = clock.now()
    rows = SlaCycle.objects.filter(metric=metric, stopped_at=None)
    for cycle in rows.select_related("calendar", "issue__project").order_by("id"):
        _aim(cycle, _goals([metric], cycle.issue)[metric.id], now)


@contextmanager
def counted_anew(calendar: models.Calendar) -> Iterator[None]:
    """Count the running clocks of a calendar until now, and set their timers by what it becomes."""
    now = clock.now()
    rows = SlaCycle.objects.filter(calendar=calendar, stopped_at=None)
    cycles = list(rows.select_related("calendar", "issue__project").order_by("id"))
    counted = [(cycle, clock_of(cycle).counted(now)) for cycle in cycles if cycle.paused_at is None]
    yield
    for cycle, before in counted:
        cycle.calendar = calendar
        later = before.aimed(now, cycle.goal, hours_of(calendar))
        _keep(cycle, later, now)


def _goals(metrics: Sequence[SlaMetric], issue: Issue) -> Mapping[int, Aim]:
    """Return the goal of a request for each SLA: the first whose query finds it."""
    rows: dict[int, list[SlaGoal]] = defaultdict(list)
    chosen = SlaGoal.objects.filter(metric__in=metrics).select_related("calendar")
    for goal in chosen.order_by("metric_id", "position", "id"):
        rows[goal.metric_id].append(goal)
    fits = _Fitting(issue)
    found: dict[int, Aim] = {}
    for metric in metrics:
        first = next((goal for goal in rows[metric.id] if fits(goal.jql)), None)
        found[metric.id] = (None, None) if first is None else (first.milliseconds, first.calendar)
    return found


class _Fitting:
    """Whether a request is found by queries; each is asked once."""

    def __init__(self, issue: Issue) -> None:
        self._issue = issue
        self._site = searching.site_of(None)
        self._known: dict[str, bool] = {"": True}

    def __call__(self, jql: str) -> bool:
        text = jql.strip()
        if text not in self._known:
            try:
                found = searching.planned_search(text, self._site).found
                self._known[text] = found.filter(id=self._issue.id).exists()
            except JqlError:
                # It names what is gone: the goal is nobody's until somebody mends it.
                self._known[text] = False
        return self._known[text]


def _start(metric: SlaMetric, issue: Issue, aim: Aim, now: datetime) -> SlaCycle:
    goal, calendar = aim
    first = fresh(now, goal, hours_of(calendar))
    return SlaCycle.objects.create(
        id=next_id(SlaCycle),
        issue=issue,
        metric=metric,
        goal=goal,
        calendar=calendar,
        started_at=now,
        counted_at=now,
        breach_at=first.breaks_at(),
    )


def _aim(cycle: SlaCycle, aim: Aim, now: datetime) -> None:
    """Give a running clock another goal: what has passed stays passed."""
    goal, calendar = aim
    if (goal, calendar and calendar.id) == (cycle.goal, cycle.calendar_id):
        return
    later = clock_of(cycle).aimed(now, goal, hours_of(calendar))
    cycle.goal, cycle.calendar = goal, calendar
    _keep(cycle, later, now, missed_before=False)


def _carry_out(cycle: SlaCycle, todo: Iterable[str], now: datetime) -> None:
    for step in todo:
        present = clock_of(cycle)
        match step:
            case "pause":
                _keep(cycle, present.paused(now), now)
            case "resume":
                _keep(cycle, present.resumed(now), now)
            case "stop":
                _keep(cycle, present.stopped(now), now)
            case _:
                _set_timer(cycle)


def _keep(cycle: SlaCycle, later: Clock, now: datetime, *, missed_before: bool = True) -> None:
    """Write a clock into its row, and set its timer anew."""
    missed = (missed_before and cycle.breached) or later.is_breached_at(now)
    if not missed:
        cycle.breach_at = later.breaks_at()
    elif not cycle.breached and (cycle.breach_at is None or cycle.breach_at > now):
        cycle.breach_at = now  # another goal, which was used up already
    cycle.breached = missed
    cycle.elapsed = later.elapsed
    cycle.counted_at = later.counted_at
    cycle.paused_at = later.paused_at
    cycle.stopped_at = later.stopped_at
    cycle.save()
    _set_timer(cycle)


def _set_timer(cycle: SlaCycle) -> None:
    key = f"{JOB}:{cycle.id}"
    jobs.cancel(key)
    waits = cycle.stopped_at is None and not cycle.breached and cycle.breach_at is not None
    if waits and cycle.breach_at is not None:
        jobs.enqueue(JOB, due=cycle.breach_at, payload={"cycle": cycle.id}, key=key)


@jobs.handles(JOB)
def _miss(payload: dict[str, Any]) -> None:
    """Note that a goal is missed, and tell of it."""
    rows = SlaCycle.objects.select_related("issue__project", "metric")
    cycle = rows.filter(id=payload["cycle"], stopped_at=None, paused_at=None).first()
    if cycle is None or cycle.breached or cycle.breach_at is None:
        return
    if cycle.breach_at > clock.now():
        return
    cycle.breached = True
    cycle.save(update_fields=["breached"])
    details = {"metric": cycle.metric.name, "cycle": cycle.id}
    publish(Event("sla_breached", Rights(None), issue=cycle.issue, details=details))
