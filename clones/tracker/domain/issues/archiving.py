"""Archiving issues: they are kept, can be looked at, and are in no search.

Sub-tasks go with their parents and cannot go alone. Long archiving, and the list of what is in the
archive, are tasks; the list comes by mail as a CSV file, as the vendor's does.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from io import StringIO
from typing import Any, Final

from django.db.models import Q, QuerySet

from clones.core import clock, post
from clones.tracker.domain.errors import Forbidden, Invalid, TrackerError
from clones.tracker.domain.issues.named import key_of
from clones.tracker.domain.notifications import SENDER
from clones.tracker.domain.tasks import carries_out, start_task
from clones.tracker.models import Issue, Task
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.searching import search

MOST: Final = 1000
MOST_BY_QUERY: Final = 100_000
ARCHIVE: Final = "archive_issues"
EXPORT: Final = "export_archived_issues"
NOT_ADMIN: Final = "Only admins can archive or unarchive issues. Access denied."
NONE_VALID: Final = "No valid issue to archive or unarchive. Bad request."
TOO_MANY: Final = (
    f"The number of issues to archive or unarchive exceeds the hard limit of {MOST}."
    " Precondition failed."
)
SUBTASK: Final = "issueIsSubtask"
IN_ARCHIVED_SPACE: Final = "issuesInArchivedProjects"
NOT_FOUND: Final = "issuesNotFound"
MESSAGES: Final = {
    SUBTASK: "Issue is subtask.",
    IN_ARCHIVED_SPACE: "Issue exists in archived project.",
    NOT_FOUND: "Issue not found.",
}
_COLUMNS: Final = (
    "Issue key", "Issue id", "Issue Type", "Summary", "Status", "Project key", "Reporter",
    "Created", "Updated", "ArchivedBy", "ArchivedDate",
)  # fmt: skip


class PreconditionFailed(TrackerError):
    """Raised when a request is too large, or one of its kind goes on."""

    status = 412


@dataclass(slots=True)
class ArchiveOutcome:
    """How many issues went into the archive or out of it, and which names could not, by reason."""

    number: int = 0
    refused: dict[str, list[str]] = field(default_factory=dict)


def archive_named(named: Sequence[str], *, actor: Rights, archived: bool) -> ArchiveOutcome:
    """Put the issues of ids or keys into the archive, or take them out of it.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: none of them can be.
        PreconditionFailed: they are too many.
    """
    if not actor.is_admin:
        raise Forbidden(NOT_ADMIN)
    if len(named) > MOST:
        raise PreconditionFailed(TOO_MANY)
    outcome = ArchiveOutcome()
    found: list[Issue] = []
    known = _issues_named(named)
    for name in dict.fromkeys(named):
        issue = known.get(name.upper())
        reason = _reason(issue)
        if issue is None or reason is not None:
            outcome.refused.setdefault(reason or NOT_FOUND, []).append(name)
        else:
            found.append(issue)
    if not found:
        raise Invalid(NONE_VALID)
    change = archive_issues if archived else unarchive_issues
    outcome.number = change(found, actor=actor)
    return outcome


def _issues_named(named: Sequence[str]) -> dict[str, Issue]:
    """Return issues by their ids and keys, as texts."""
    ids = [key for text in named if (key := key_of(text)) is not None]
    keys = [text.upper() for text in named]
    rows = Issue.objects.filter(Q(id__in=ids) | Q(key__in=keys))
    found: dict[str, Issue] = {}
    for issue in rows.select_related("project", "issue_type").order_by("id"):
        found |= {str(issue.id): issue, issue.key: issue}
    return found


def _reason(issue: Issue | None) -> str | None:
    if issue is None or issue.project.deleted_at is not None:
        return NOT_FOUND
    if issue.issue_type.subtask:
        return SUBTASK
    return IN_ARCHIVED_SPACE if issue.project.archived_at is not None else None


def archive_issues(issues: Iterable[Issue], *, actor: Rights) -> int:
    """Archive issues and their sub-tasks; return how many were not archived before."""
    rows = _families(issues).filter(archived_at=None)
    return rows.update(archived_at=clock.now(), archived_by=actor.user)


def unarchive_issues(issues: Iterable[Issue], *, actor: Rights) -> int:
    """Take issues and their sub-tasks out of the archive; return how many were in it."""
    rows = _families(issues).filter(archived_at__isnull=False)
    return rows.update(archived_at=None, archived_by=None)


def _families(issues: Iterable[Issue]) -> QuerySet[Issue]:
    ids = sorted({issue.id for issue in issues})
    parts = Issue.objects.filter(parent__in=ids, issue_type__hierarchy_level__lt=0)
    return Issue.objects.filter(Q(id__in=ids) | Q(id__in=parts.values("id")))


def _begin(kind: str, payload: dict[str, Any], actor: Rights, description: str) -> Task:
    """Begin a task of a kind of which only one may go on."""
    going = Task.objects.filter(kind=kind, status__in=("ENQUEUED", "RUNNING")).order_by("id")
    running = going.first()
    if running is not None:
        raise PreconditionFailed(
            f"An issue archival task is already running with ID {running.id}."
            " To start a new one, cancel the task or wait for it to finish."
        )
    return start_task(kind, payload, actor=actor, description=description)


def archive_by_query(jql: str, *, actor: Rights) -> Task:
    """Begin to archive what a query finds.

    Raises:
        Forbidden: the actor is no admin.
        JqlError: the query cannot be run.
        PreconditionFailed: another such task goes on.
    """
    if not actor.is_admin:
        raise Forbidden(NOT_ADMIN)
    search(jql, actor)
    return _begin(ARCHIVE, {"jql": jql}, actor, "Archive issues")


@carries_out(ARCHIVE)
def _archive(task: Task, rights: Rights) -> dict[str, Any]:
    """Archive what a query finds; sub-tasks among it go only with their parents."""
    rows = search(task.payload["jql"], rights).select_related("project", "issue_type")
    found = [issue for issue in rows[:MOST_BY_QUERY] if _reason(issue) is None]
    return {"numberOfIssuesUpdated": archive_issues(found, actor=rights)}


def export_archived(wanted: Mapping[str, Any], *, actor: Rights) -> Task:
    """Begin to list what is in the archive.

    Args:
        wanted: {"projects": keys, "issueTypes": ids, "reporters" and "archivedBy": account ids,
            "archivedDateRange": {"dateAfter", "dateBefore"}}, each of which may be left out.
        actor: an admin, to whom the list is mailed.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a day is none.
        PreconditionFailed: another such task goes on.
    """
    if not actor.is_admin:
        raise Forbidden("User is not an admin.")
    _condition(wanted)
    return _begin(EXPORT, dict(wanted), actor, "Export archived issues")


@carries_out(EXPORT)
def _export(task: Task, rights: Rights) -> dict[str, Any]:
    rows = Issue.objects.filter(_condition(task.payload), archived_at__isnull=False)
    related = ("issue_type", "status", "project", "reporter", "archived_by")
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(_COLUMNS)
    number = 0
    for issue in rows.select_related(*related).order_by("id"):
        writer.writerow(_line(issue))
        number += 1
    if rights.user is not None and rights.user.email:
        file = post.File("archived-issues.csv", "text/csv", text.getvalue().encode())
        draft = post.Draft(
            sender=SENDER,
            recipients=[rights.user.email],
            subject="Your export of archived work items is ready",
            text=f"The attached file lists {number} archived work items.",
            files=[file],
        )
        post.post(draft, clone="tracker")
    return {"numberOfIssues": number}


def _line(issue: Issue) -> list[str]:
    def of(user: Any) -> str:
        return "" if user is None else str(user.account_id)

    archived = issue.archived_at
    return [
        issue.key,
        str(issue.id),
        issue.issue_type.name,
        issue.summary,
        issue.status.name,
        issue.project.key,
        of(issue.reporter),
        issue.created.isoformat(),
        issue.updated.isoformat(),
        of(issue.archived_by),
        "" if archived is None else archived.isoformat(),
    ]


def _condition(wanted: Mapping[str, Any]) -> Q:
    """Return the condition of the archived issues that a filter wants.

    Raises:
        Invalid: a day is none.
    """
    found = Q()
    for name, column in (
        ("projects", "project__key__in"),
        ("reporters", "reporter__account_id__in"),
        ("archivedBy", "archived_by__account_id__in"),
    ):
        if wanted.get(name):
            found &= Q(**{column: list(wanted[name])})
    if wanted.get("issueTypes"):
        found &= Q(issue_type__in=[key_of(one) or 0 for one in wanted["issueTypes"]])
    days = wanted.get("archivedDateRange") or {}
    if days.get("dateAfter"):
        found &= Q(archived_at__gte=_day(days["dateAfter"]))
    if days.get("dateBefore"):
        found &= Q(archived_at__lt=_day(days["dateBefore"]) + timedelta(days=1))
    return found


def _day(text: Any) -> datetime:
    try:
        return datetime.combine(date.fromisoformat(str(text)), time(), UTC)
    except ValueError as error:
        raise Invalid(f"Your filter contains invalid values {text}") from error
