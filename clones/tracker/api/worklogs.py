"""Work logs of issues."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList
from clones.tracker.api.operations import (
    Body,
    Query,
    actor,
    document,
    flag,
    operation,
    show,
)
from clones.tracker.api.paging import named_list
from clones.tracker.api.presenters.worklogs import present_worklog, present_worklogs
from clones.tracker.domain import worklog_moves, worklogs
from clones.tracker.domain.editable import require_editable
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.worklogs import KEPT, Work, read_adjustment, require_tracking
from clones.tracker.models import Issue, Worklog
from clones.tracker.queries.recipients import are_told
from clones.tracker.queries.rights import find_issue
from clones.tracker.queries.worklogs import find_worklog, worklogs_of

Json = dict[str, Any]
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MOST: Final = 5000


class ExpandQuery(Query):
    """The expansions of a worklog."""

    expand: CommaList[str] = Field([], description="properties")


class WorklogList(ExpandQuery):
    """Times and paging of an issue's worklogs: milliseconds since 1970."""

    startAt: str | None = None
    maxResults: str | None = Field(None, description="5000 unless said")
    startedAfter: int | None = None
    startedBefore: int | None = None


class AdjustQuery(ExpandQuery):
    """What becomes of an issue's remaining estimate when a worklog changes."""

    notifyUsers: str | None = None
    adjustEstimate: str | None = Field(None, description="auto, leave, new or manual")
    newEstimate: str | None = Field(None, description="a duration, for new")
    reduceBy: str | None = Field(None, description="a duration, for manual")
    increaseBy: str | None = Field(None, description="the same, at deletion")
    overrideEditableFlag: str | None = None


class ManyQuery(Query):
    """What becomes of remaining estimates when many worklogs are deleted or moved."""

    adjustEstimate: str | None = Field(None, description="auto or leave")
    overrideEditableFlag: str | None = None


class WorklogWrite(Body):
    """A worklog: comment, start, visibility, and time as a duration (`3h 20m`) or seconds."""

    comment: Any = None
    visibility: Any = None
    started: str | None = None
    timeSpent: str | None = None
    timeSpentSeconds: int | None = None
    properties: list[Any] | None = None


class WorklogIds(Body):
    """The ids of worklogs to delete or to move."""

    ids: list[int]


class WorklogMove(WorklogIds):
    """The ids of work logs, and the issue to which they go."""

    issueIdOrKey: str


@operation(
    "getIssueWorklog",
    "GET",
    "/rest/api/3/issue/{key}/worklog",
    summary="List the work logs of an issue.",
    query=WorklogList,
    access="anyone",
)
def list_worklogs(call: Call) -> Json:
    """List the work logs that the caller sees."""
    rows = worklogs_of(_issue(call), actor(call))
    if call.query.startedAfter is not None:
        rows = rows.filter(started__gte=_moment(call.query.startedAfter))
    if call.query.startedBefore is not None:
        rows = rows.filter(started__lt=_moment(call.query.startedBefore))
    view = show(call)
    properties = "properties" in call.query.expand
    return named_list(
        call,
        rows,
        lambda found: present_worklogs(found, view, properties=properties),
        "worklogs",
        max_results=MOST,
        limit=MOST,
    )


@operation(
    "addWorklog",
    "POST",
    "/rest/api/3/issue/{key}/worklog",
    summary="Log work on an issue.",
    query=AdjustQuery,
    body=WorklogWrite,
    access="anyone",
    status=201,
)
def add_worklog(call: Call) -> Json:
    """Log work."""
    adjustment = read_adjustment(
        call.query.adjustEstimate,
        new=call.query.newEstimate,
        amount=call.query.reduceBy,
        by="reduceBy",
    )
    issue = _editable(call, _issue(call))
    worklog = worklogs.add_worklog(
        issue,
        _work(call),
        actor=actor(call),
        adjustment=adjustment,
        notify=are_told(call.query.notifyUsers, issue, actor(call)),
    )
    return _shown(call, worklog)


@operation(
    "bulkDeleteWorklogs",
    "DELETE",
    "/rest/api/3/issue/{key}/worklog",
    summary="Delete several work logs of an issue; nobody is told.",
    query=ManyQuery,
    body=WorklogIds,
    status=204,
)
def delete_worklogs(call: Call) -> None:
    """Delete work logs."""
    worklog_moves.delete_worklogs(
        _issue(call), call.body.ids, actor=actor(call), adjustment=_way(call)
    )


@operation(
    "bulkMoveWorklogs",
    "POST",
    "/rest/api/3/issue/{key}/worklog/move",
    summary="Move several work logs to another issue; nobody is told.",
    query=ManyQuery,
    body=WorklogMove,
    status=204,
)
def move_worklogs(call: Call) -> Reply:
    """Move work logs."""
    rights = actor(call)
    worklog_moves.move_worklogs(
        _issue(call),
        find_issue(rights, call.body.issueIdOrKey),
        call.body.ids,
        actor=rights,
        adjustment=_way(call),
    )
    return Reply(None, 204)


@operation(
    "getWorklog",
    "GET",
    "/rest/api/3/issue/{key}/worklog/{id}",
    summary="Show a work log.",
    query=ExpandQuery,
    access="anyone",
)
def show_worklog(call: Call) -> Json:
    """Show a work log that the caller sees."""
    return _shown(call, _found(call))


@operation(
    "updateWorklog",
    "PUT",
    "/rest/api/3/issue/{key}/worklog/{id}",
    summary="Change a work log; what is not named stays.",
    query=AdjustQuery,
    body=WorklogWrite,
    access="anyone",
)
def update_worklog(call: Call) -> Json:
    """Change a work log."""
    adjustment = read_adjustment(call.query.adjustEstimate, new=call.query.newEstimate)
    found = _found(call)
    _editable(call, found.issue)
    worklog = worklogs.edit_worklog(
        found,
        _work(call),
        actor=actor(call),
        adjustment=adjustment,
        notify=are_told(call.query.notifyUsers, found.issue, actor(call)),
    )
    return _shown(call, worklog)


@operation(
    "deleteWorklog",
    "DELETE",
    "/rest/api/3/issue/{key}/worklog/{id}",
    summary="Delete a work log.",
    query=AdjustQuery,
    access="anyone",
    status=204,
)
def delete_worklog(call: Call) -> None:
    """Delete a work log."""
    adjustment = read_adjustment(
        call.query.adjustEstimate,
        new=call.query.newEstimate,
        amount=call.query.increaseBy,
        by="increaseBy",
    )
    found = _found(call)
    _editable(call, found.issue)
    worklogs.delete_worklog(
        found,
        actor=actor(call),
        adjustment=adjustment,
        notify=are_told(call.query.notifyUsers, found.issue, actor(call)),
    )


def _issue(call: Call) -> Issue:
    issue = find_issue(actor(call), call.path["key"])
    require_tracking()
    return issue


def _editable(call: Call, issue: Issue) -> Issue:
    """Return an issue whose work logs can be changed where it is."""
    require_editable(issue, actor(call), override=flag(call.query.overrideEditableFlag))
    return issue


def _found(call: Call) -> Worklog:
    return find_worklog(actor(call), call.path["id"], _issue(call))


def _moment(milliseconds: int) -> datetime:
    try:
        return EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError as error:
        raise Invalid(f"The value '{milliseconds}' is not a valid timestamp.") from error


def _work(call: Call) -> Work:
    said = call.body.model_fields_set
    return Work(
        seconds=worklogs.read_seconds(call.body.timeSpent, call.body.timeSpentSeconds),
        started=worklogs.read_started(call.body.started),
        comment=document(call, call.body.comment, "comment") if "comment" in said else KEPT,
        visibility=call.body.visibility if "visibility" in said else KEPT,
        properties=call.body.properties or (),
    )


def _way(call: Call) -> Literal["auto", "leave"]:
    way = (call.query.adjustEstimate or "auto").lower()
    if way not in ("auto", "leave"):
        raise Invalid(f"The value '{way}' is invalid for the parameter 'adjustEstimate'.")
    return "leave" if way == "leave" else "auto"


def _shown(call: Call, worklog: Worklog) -> Json:
    properties = "properties" in call.query.expand
    return present_worklog(worklog, show(call), properties=properties)
