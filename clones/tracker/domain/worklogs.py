"""Work logs: time that people spent on issues, and what it does to estimates.

    add_worklog(issue, work, *, actor, adjustment=AUTO, notify=True) -> Worklog
    edit_worklog(worklog, work, *, actor, adjustment=AUTO, notify=True) -> Worklog
    delete_worklog(worklog, *, actor, adjustment=AUTO, notify=True) -> None

`Work` is what clients send: what `worklog_input` reads of it. Each change of the time is one
entry of the issue's history, as the vendor's: WorklogId, timeestimate, timespent.
"""

from __future__ import annotations

from typing import Final, Literal

from clones.core import clock
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound, TooLarge
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.history import Changes
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.properties import (
    checked_properties,
    forget_properties,
    set_properties,
)
from clones.tracker.domain.visibility import read_visibility
from clones.tracker.domain.worklog_input import (
    KEPT,
    MISSING,
    Work,
    read_adjustment,
    read_seconds,
    read_started,
)
from clones.tracker.models import ChangeGroup, DeletedWorklog, Issue, Worklog
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.work_time import is_tracked
from clones.tracker.rules.estimates import AUTO, Adjustment, remaining

__all__ = [
    "KEPT",
    "Work",
    "add_worklog",
    "delete_worklog",
    "edit_worklog",
    "read_adjustment",
    "read_seconds",
    "read_started",
]

DISABLED: Final = "Time Tracking is currently disabled."
LIMIT: Final = 10_000


def require_tracking() -> None:
    """Hold the site to tracking time.

    Raises:
        NotFound: it does not (the vendor answers 404).
    """
    if not is_tracked():
        raise NotFound(DISABLED)


def add_worklog(
    issue: Issue,
    work: Work,
    *,
    actor: Rights,
    adjustment: Adjustment = AUTO,
    notify: bool = True,
) -> Worklog:
    """Log work on an issue.

    Raises:
        Invalid: no permission (the vendor answers 400), no time, a restriction that is none.
        TooLarge: the issue has as many work logs as it may have.
    """
    if not actor.may_on("WORK_ON_ISSUES", issue):
        raise Invalid(_refusal(actor, "associate a worklog to this issue"))
    if work.seconds is None:
        wrong = {"timeLogged": "You must indicate the time spent working."}
        raise Invalid(MISSING, fields=wrong)
    visibility = None if work.visibility is KEPT else work.visibility
    restriction = read_visibility(visibility, issue, actor)
    pairs = checked_properties(work.properties)
    if Worklog.objects.filter(issue=issue).count() >= LIMIT:
        raise TooLarge(f"The limit of {LIMIT} worklogs for this issue has been reached.")
    now = clock.now()
    worklog = Worklog.objects.create(
        id=next_id(Worklog),
        issue=issue,
        author=actor.user,
        update_author=actor.user,
        comment=None if work.comment is KEPT else work.comment,
        visibility=restriction,
        started=work.started or now,
        seconds=work.seconds,
        created=now,
        updated=now,
    )
    set_properties("worklog", str(worklog.id), pairs)
    changes = Changes(issue, actor)
    changes.note("WorklogId", "", None, None, str(worklog.id), str(worklog.id))
    group = change_times(issue, changes, spent=work.seconds, adjustment=adjustment)
    publish(
        Event("worklog_created", actor, issue=issue, worklog=worklog, changes=group, notify=notify)
    )
    return worklog


def edit_worklog(
    worklog: Worklog,
    work: Work,
    *,
    actor: Rights,
    adjustment: Adjustment = AUTO,
    notify: bool = True,
) -> Worklog:
    """Change a work log; what `work` does not say stays.

    Raises:
        Invalid: no permission (the vendor answers 400), a restriction that is none, or an
            adjustment by hand, which there is none of here.
    """
    if not may_touch("EDIT", worklog, actor):
        raise Invalid(_refusal(actor, "edit this worklog"))
    if adjustment.way == "manual":
        raise Invalid("The value 'manual' is invalid for the parameter 'adjustEstimate'.")
    issue = worklog.issue
    if work.visibility is not KEPT:
        worklog.visibility = read_visibility(work.visibility, issue, actor)
    pairs = checked_properties(work.properties)
    spent = 0
    if work.seconds is not None:
        spent = work.seconds - worklog.seconds
        worklog.seconds = work.seconds
    worklog.started = work.started or worklog.started
    if work.comment is not KEPT:
        worklog.comment = work.comment
    worklog.update_author = actor.user
    worklog.updated = clock.now()
    worklog.save()
    set_properties("worklog", str(worklog.id), pairs)
    changes = Changes(issue, actor)
    group = change_times(issue, changes, spent=spent, adjustment=adjustment)
    publish(
        Event("worklog_updated", actor, issue=issue, worklog=worklog, changes=group, notify=notify)
    )
    return worklog


def delete_worklog(
    worklog: Worklog, *, actor: Rights, adjustment: Adjustment = AUTO, notify: bool = True
) -> None:
    """Delete a work log; that it was deleted stays known.

    Raises:
        Invalid: no permission (the vendor answers 400).
    """
    if not may_touch("DELETE", worklog, actor):
        raise Invalid(_refusal(actor, "delete this worklog"))
    issue = worklog.issue
    id = str(worklog.id)
    changes = Changes(issue, actor)
    changes.note("WorklogId", "", id, id, None, None)
    spent = -worklog.seconds
    group = change_times(issue, changes, spent=spent, adjustment=adjustment, deleting=True)
    publish(
        Event("worklog_deleted", actor, issue=issue, worklog=worklog, changes=group, notify=notify)
    )
    bury_worklog(worklog)


def bury_worklog(worklog: Worklog) -> None:
    """Delete a work log's row, and keep that it was there."""
    forget_properties("worklog", [str(worklog.id)])
    DeletedWorklog.objects.create(id=worklog.id, at=clock.now())
    worklog.delete()


def require_editable(worklog: Worklog, *, actor: Rights) -> None:
    """Hold somebody to the permission that a work log's properties are changed with.

    Raises:
        Forbidden: they may not change the work log.
    """
    if not may_touch("EDIT", worklog, actor):
        raise Forbidden(_refusal(actor, "edit this worklog"))


def may_touch(verb: str, worklog: Worklog, actor: Rights) -> bool:
    """Tell whether somebody may EDIT or DELETE a work log."""
    mine = actor.user is not None and worklog.author_id == actor.user.id
    if mine and actor.may_on(f"{verb}_OWN_WORKLOGS", worklog.issue):
        return True
    return actor.may_on(f"{verb}_ALL_WORKLOGS", worklog.issue)


def change_times(
    issue: Issue,
    changes: Changes,
    *,
    spent: int,
    adjustment: Adjustment,
    deleting: bool = False,
    recorded: bool = True,
) -> ChangeGroup | None:
    """Set an issue's spent and remaining time, with its history unless it is not `recorded`.

    `spent` is how many seconds more were spent than before.
    """
    before = issue.remaining_estimate
    if spent or adjustment.way != "auto":
        sign: Literal[-1, 1] = 1 if deleting else -1
        issue.remaining_estimate = remaining(before, adjustment, spent=spent, sign=sign)
    changes.note("timeestimate", "timeestimate", *_pair(before), *_pair(issue.remaining_estimate))
    total = max(0, (issue.time_spent or 0) + spent)
    if spent:
        changes.note("timespent", "timespent", *_pair(issue.time_spent), *_pair(total))
        issue.time_spent = total
    issue.updated = clock.now()
    group = changes.save() if recorded else None
    issue.save(update_fields=["remaining_estimate", "time_spent", "updated"])
    return group


def _pair(seconds: int | None) -> tuple[str | None, str | None]:
    text = None if seconds is None else str(seconds)
    return text, text


def _refusal(actor: Rights, what: str) -> str:
    if actor.user is None:
        return f"You do not have the permission to {what}."
    return f"{actor.user.display_name}, you do not have the permission to {what}."
