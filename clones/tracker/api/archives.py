"""The archive of issues: putting them in, taking them out, listing what is there."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call
from clones.tracker.api.operations import Body, actor, operation, show
from clones.tracker.domain.issues.archiving import (
    MESSAGES,
    ArchiveOutcome,
    archive_by_query,
    archive_named,
    export_archived,
)

Json = dict[str, Any]


class ArchiveBody(Body):
    """The ids or keys of issues to archive or to restore."""

    issueIdsOrKeys: list[str] = Field(default_factory=list)


class QueryBody(Body):
    """The JQL query of the issues to archive."""

    jql: str


class DayRange(Body):
    """A range of days: the first and the last."""

    dateAfter: str
    dateBefore: str


class ExportBody(Body):
    """Filters of the archived issues to export."""

    archivedBy: list[str] | None = None
    archivedDateRange: DayRange | None = None
    issueTypes: list[str] | None = None
    projects: list[str] | None = None
    reporters: list[str] | None = None


def _present(outcome: ArchiveOutcome) -> Json:
    refused = {
        reason: {"count": len(names), "issueIdsOrKeys": names, "message": MESSAGES[reason]}
        for reason, names in outcome.refused.items()
    }
    return {"errors": refused, "numberOfIssuesUpdated": outcome.number}


@operation(
    "archiveIssues",
    "PUT",
    "/rest/api/3/issue/archive",
    summary="Archive up to 1000 issues, with their sub-tasks.",
    body=ArchiveBody,
)
def archive(call: Call) -> Json:
    """Archive issues."""
    return _present(archive_named(call.body.issueIdsOrKeys, actor=actor(call), archived=True))


@operation(
    "unarchiveIssues",
    "PUT",
    "/rest/api/3/issue/unarchive",
    summary="Take up to 1000 issues out of the archive, with their sub-tasks.",
    body=ArchiveBody,
)
def unarchive(call: Call) -> Json:
    """Take issues out of the archive."""
    return _present(archive_named(call.body.issueIdsOrKeys, actor=actor(call), archived=False))


@operation(
    "archiveIssuesAsync",
    "POST",
    "/rest/api/3/issue/archive",
    summary="Archive all issues that a query finds, by a long task.",
    body=QueryBody,
    status=202,
)
def archive_async(call: Call) -> str:
    """Begin to archive what a query finds; return the task's address."""
    task = archive_by_query(call.body.jql, actor=actor(call))
    return show(call).url(f"task/{task.id}")


@operation(
    "exportArchivedIssues",
    "PUT",
    "/rest/api/3/issues/archive/export",
    summary="Mail a list of archived issues to the caller, by a long task.",
    body=ExportBody,
    status=202,
)
def export(call: Call) -> Json:
    """Begin to list the archive."""
    wanted = call.body.model_dump(exclude_none=True)
    task = export_archived(wanted, actor=actor(call))
    said = ", ".join(f"{name}={value}" for name, value in wanted.items())
    return {
        "payload": f"{{{said}}}",
        "progress": task.progress,
        "status": task.status,
        "submittedTime": show(call).when(task.submitted),
        "taskId": str(task.id),
    }
