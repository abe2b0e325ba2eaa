"""Work logs: time that people spent on issues, and what it does to estimates.

    add_worklog(issue, work, *, actor, adjustment=AUTO, notify=True) -> Worklog
    edit_worklog(worklog, work, *, actor, adjustment=AUTO, notify=True) -> Worklog
    delete_worklog(worklog, *, actor, adjustment=AUTO, notify=True) -> None

`Work` is what clients send: read_work and read_adjustment make it. Each change of the time is one
entry of the issue's history, as the vendor's: WorklogId, timeestimate, timespent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast

from clones.core import clock
from clones.core.rows import insert_row, update_row
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
from clones.tracker.models import ChangeGroup, DeletedWorklog, Issue, Worklog
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.work_time import is_tracked, work_time
from clones.tracker.rules.durations_of_work import NotADuration, parse
from clones.tracker.rules.estimates import AUTO, Adjustment, Way, remaining

MISSING: Final = "Worklog must not be null."
DISABLED: Final = "Time Tracking is currently disabled."
LIMIT: Final = 10_000
LONGEST: Final = 2**53
KEPT: Final = object()  # what is not to be changed
WAYS: Final = ("new", "leave", "manual", "auto")
_STARTED: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})"
)


@dataclass(frozen=True, slots=True)
class Work:
    """What a work log is to say; None is what is not said."""

    seconds: int | None = None
    started: datetime | None = None
    comment: Any = KEPT
    visibility: Any = KEPT
    properties: Any = ()


def read_seconds(text: str | None, seconds: int | None) -> int | None:
    """Return the time spent, of which clients say one form or the other.

    Raises:
        Invalid: it says no duration, or nothing was spent.
    """
    if text is None and seconds is None:
        return None
    try:
        found = parse(text, work_time()) if text is not None else int(seconds or 0)
    except NotADuration as error:
        raise Invalid(MISSING, fields={"timeLogged": "Invalid time duration entered."}) from error
    if found <= 0 or found > LONGEST:
        wrong = "Time Spent can not be zero." if found == 0 else "Invalid time duration entered."
        raise Invalid(MISSING, fields={"timeLogged": wrong})
    return found - found % 60 if found >= 60 else 60


def read_started(text: str | None) -> datetime | None:
    """Return the time at which work began.

    Raises:
        Invalid: it is no time with an offset.
    """
    if text is None:
        return None
    try:
        if not _STARTED.fullmatch(text):
            raise ValueError(text)
        return datetime.fromisoformat(text)
    except ValueError as error:
        wrong = "The value must be a date and time of the form yyyy-MM-dd'T'HH:mm:ss.SSSZ."
        raise Invalid(fields={"started": wrong}) from error


def read_adjustment(
    way: str | None, *, new: str | None, amount: str | None = None, by: str = "adjustmentAmount"
) -> Adjustment:
    """Return how the estimate is to be adjusted: `new` and `amount` are durations.

    Raises:
        Invalid: an unknown way, or its duration is missing or says none.
    """
    name = (way or "auto").lower()
    if name not in WAYS:
        raise Invalid(f"The value '{way}' is invalid for the parameter 'adjustEstimate'.")
    if name == "new":
        wrong = {"newEstimate": "You must supply a valid new estimate."}
        return Adjustment("new", _seconds(new, wrong))
    if name == "manual":
        wrong = {by: "You must supply a valid amount of time to adjust the estimate by."}
        return Adjustment("manual", _seconds(amount, wrong))
    return Adjustment(cast(Way, name))


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
    worklog = insert_row(
        Worklog(
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
    update_row(worklog)
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
    insert_row(DeletedWorklog(id=worklog.id, at=clock.now()))
    worklog.delete()


def require_editable(worklog: Worklog, *, actor: Rights) -> None:
    """Hold somebody to the permission that a work log's properties are changed with.

    Raises:
        Forbidden: he may not change the work log.
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
        sign = 1 if deleting else -1
        issue.remaining_estimate = remaining(before, adjustment, spent=spent, sign=sign)
    changes.note("timeestimate", "timeestimate", *_pair(before), *_pair(issue.remaining_estimate))
    total = max(0, (issue.time_spent or 0) + spent)
    if spent:
        changes.note("timespent", "timespent", *_pair(issue.time_spent), *_pair(total))
        issue.time_spent = total
    issue.updated = clock.now()
    group = changes.save() if recorded else None
    update_row(issue, ["remaining_estimate", "time_spent", "updated"])
    return group


def _pair(seconds: int | None) -> tuple[str | None, str | None]:
    text = None if seconds is None else str(seconds)
    return text, text


def _seconds(text: str | None, wrong: dict[str, str]) -> int:
    try:
        return parse(text or "", work_time())
    except NotADuration as error:
        raise Invalid(MISSING, fields=wrong) from error


def _refusal(actor: Rights, what: str) -> str:
    if actor.user is None:
        return f"You do not have the permission to {what}."
    return f"{actor.user.display_name}, you do not have the permission to {what}."
