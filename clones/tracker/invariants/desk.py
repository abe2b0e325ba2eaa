"""Service desks: requests, the clocks of SLAs, and approvals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from clones.core import clock
from clones.core.invariants import wrong_timers
from clones.tracker.domain.slas import JOB
from clones.tracker.models import Approval, Approver, Request, SlaCycle
from clones.tracker.queries.slas import clock_of
from clones.tracker.rules.desk import conditions


def requests() -> Iterator[str]:
    """Check that a request's type is of the desk of its space.

    Source: `domain.requests.make_request`, `domain.request_details`.
    """
    rows = Request.objects.exclude(request_type=None).order_by("id")
    for key, space, desks in rows.values_list(
        "issue__key", "issue__project_id", "request_type__desk__project_id"
    ):
        if space != desks:
            yield f"request {key} is of a type of another desk"


def clocks() -> Iterator[str]:
    """Check that an SLA has one running clock, and that clocks say what follows from them.

    Source: `rules.desk.clocks.Clock` (a pause counts nothing, a missed goal is one that is used
    up), `domain.slas` (`_follow`: one ongoing run of an SLA; paused while its conditions hold).
    """
    present = clock.now()
    ongoing: Counter[tuple[int, int]] = Counter()
    rows = SlaCycle.objects.select_related("calendar", "metric", "issue").order_by("id")
    for cycle in rows:
        name = f"clock {cycle.id} of request {cycle.issue.key}"
        if cycle.started_at > cycle.counted_at or cycle.counted_at > present:
            yield f"{name} counts from {cycle.started_at} to {cycle.counted_at}"
        if cycle.stopped_at is not None:
            if cycle.paused_at is not None or cycle.stopped_at != cycle.counted_at:
                yield f"{name} stopped at {cycle.stopped_at} and went on"
            continue
        ongoing[cycle.issue_id, cycle.metric_id] += 1
        state = conditions.state(
            status=cycle.issue.status_id,
            has_assignee=cycle.issue.assignee_id is not None,
            has_resolution=cycle.issue.resolution_id is not None,
        )
        if bool(state.intersection(cycle.metric.pause)) != (cycle.paused_at is not None):
            yield f"{name} is paused since {cycle.paused_at}, in the states {sorted(state)}"
        yield from _breach(name, cycle, present)
    for (issue, metric), count in sorted(ongoing.items()):
        if count > 1:
            yield f"issue {issue} has {count} running clocks of SLA {metric}"


def _breach(name: str, cycle: SlaCycle, present: datetime) -> Iterator[str]:
    """Check that a clock that goes on is missed if and only if its goal is used up."""
    told = clock_of(cycle)
    if cycle.breached:
        if cycle.breach_at is None or cycle.breach_at > present:
            yield f"{name} is missed before its time, {cycle.breach_at}"
    elif told.is_breached_at(present):
        yield f"{name} is not missed, its goal is used up"
    elif cycle.breach_at != told.breaks_at():
        yield f"{name} is missed at {cycle.breach_at}, not at {told.breaks_at()}"


def timers() -> Iterator[str]:
    """Check that clocks that run to their goal have one timer each, and no others have.

    Source: `domain.slas._set_timer`.
    """
    running = SlaCycle.objects.filter(stopped_at=None, breached=False).exclude(breach_at=None)
    wanted = dict(running.values_list("id", "breach_at"))
    return wrong_timers(JOB, key="cycle", wanted=wanted, called="SLA clock")


def approvals() -> Iterator[str]:
    """Check that approvals are decided by those who answered, and wait in their status only.

    Source: `domain.approvals`: one that a request leaves goes; one decline decides, or as many
    approvals as are needed.
    """
    answers: dict[int, Counter[str | None]] = {}
    for approval, answer, at in Approver.objects.order_by("id").values_list(
        "approval_id", "decision", "decided"
    ):
        answers.setdefault(approval, Counter())[answer] += 1
        if (answer is None) != (at is None):
            yield f"an answer to approval {approval} is {answer}, given at {at}"
    waiting: Counter[int] = Counter()
    for row in Approval.objects.select_related("issue").order_by("id"):
        name, said = f"approval {row.id} of request {row.issue.key}", answers.get(row.id, Counter())
        if (row.decision is None) != (row.completed is None):
            yield f"{name} is {row.decision}, completed at {row.completed}"
        if row.decision is None:
            waiting[row.issue_id] += 1
            if row.status_id != row.issue.status_id:
                yield f"{name} waits in status {row.status_id}, which the request left"
            if said["declined"]:
                yield f"{name} waits, and somebody declined"
        elif row.decision == "declined" and not said["declined"]:
            yield f"{name} is declined by nobody"
        elif row.decision == "approved" and said["approved"] < row.needed:
            yield f"{name} is approved by {said['approved']} of {row.needed}"
    for issue, count in sorted(waiting.items()):
        if count > 1:
            yield f"issue {issue} waits for {count} approvals"
