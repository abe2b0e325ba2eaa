"""Small records as smart values: somebody, a comment, a space, a version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.tracker.domain.richtext import markup_of, plain_of
from clones.tracker.domain.settings import setting
from clones.tracker.models import (
    Attachment,
    Comment,
    Project,
    Sprint,
    Status,
    User,
    Version,
    Worklog,
)
from clones.tracker.queries.work_time import work_time
from clones.tracker.rules.automation.smart import SmartRecord
from clones.tracker.rules.durations_of_work import text_of

HOME: Final = "https://tracker.example"
_CATEGORIES: Final = {
    "new": ("new", "To Do"),
    "indeterminate": ("indeterminate", "In Progress"),
    "done": ("done", "Done"),
}


def home() -> str:
    """Return the address of the site, without a slash at its end."""
    return str(setting("jira.baseurl", HOME)).rstrip("/")


class NamedParts(SmartRecord):
    """A record with named parts; those that are functions are read once, when they are named."""

    def __init__(self, shown: str, parts: Mapping[str, Any]) -> None:
        self._shown = shown
        self._parts = {name.lower(): part for name, part in parts.items()}

    @property
    def shown(self) -> str:
        """What a text says where it names the record itself."""
        return self._shown

    def part(self, name: str) -> Any:
        """Return a part, None where there is none."""
        key = name.lower()
        found = self._parts.get(key)
        if callable(found) and not isinstance(found, SmartRecord):
            found = found()
            self._parts[key] = found
        return found


def person(user: User | None) -> NamedParts | None:
    """Return somebody."""
    if user is None:
        return None
    return NamedParts(
        user.display_name,
        {
            "displayName": user.display_name,
            "name": user.display_name,
            "accountId": user.account_id,
            "emailAddress": user.email,
            "email": user.email,
            "active": user.active,
            "accountType": user.account_type,
            "timeZone": user.time_zone,
            "locale": user.locale,
            "url": f"{home()}/jira/people/{user.account_id}",
        },
    )


def named(row: Any, **more: Any) -> NamedParts | None:
    """Return a row that has a name, a priority or a component."""
    if row is None:
        return None
    return NamedParts(row.name, {"name": row.name, "value": row.name, "id": str(row.id), **more})


def status_of(status: Status) -> NamedParts | None:
    """Return a status."""
    key, name = _CATEGORIES.get(status.category, (status.category, status.category))
    return named(status, statusCategory=NamedParts(name, {"name": name, "key": key}))


def project_of(project: Project) -> NamedParts:
    """Return a space."""
    return NamedParts(
        project.name,
        {
            "key": project.key,
            "name": project.name,
            "id": str(project.id),
            "description": project.description,
            "projectTypeKey": project.type,
            "projectType": project.type,
            "style": project.style,
            "lead": lambda: person(project.lead),
            "category": lambda: named(project.category),
            "url": f"{home()}/browse/{project.key}",
            "versions": lambda: [version_of(one) for one in _versions(project)],
            "unreleasedVersions": lambda: [
                version_of(one) for one in _versions(project) if not one.released
            ],
            "releasedVersions": lambda: [
                version_of(one) for one in _versions(project) if one.released
            ],
        },
    )


def _versions(project: Project) -> list[Version]:
    rows = Version.objects.filter(project=project, archived=False)
    return list(rows.order_by("position", "id"))


def version_of(version: Version) -> NamedParts:
    """Return a version."""
    return NamedParts(
        version.name,
        {
            "name": version.name,
            "id": str(version.id),
            "description": version.description,
            "startDate": version.start_date,
            "releaseDate": version.release_date,
            "released": version.released,
            "archived": version.archived,
            "project": lambda: project_of(version.project),
            "url": f"{home()}/projects/versions/{version.id}",
        },
    )


def sprint_of(sprint: Sprint) -> NamedParts:
    """Return a sprint."""
    return NamedParts(
        sprint.name,
        {
            "name": sprint.name,
            "id": str(sprint.id),
            "goal": sprint.goal,
            "state": sprint.state,
            "startDate": sprint.start_date,
            "endDate": sprint.end_date,
            "completeDate": sprint.complete_date,
            "isStarted": sprint.state == "active",
            "isClosed": sprint.state == "closed",
            "originBoardId": sprint.board_id,
        },
    )


def comment_of(comment: Comment) -> NamedParts:
    """Return a comment; its body is markup, as the second version of the API has it."""
    return NamedParts(
        plain_of(comment.body),
        {
            "body": lambda: markup_of(comment.body),
            "id": str(comment.id),
            "author": lambda: person(comment.author),
            "updateAuthor": lambda: person(comment.update_author),
            "created": comment.created,
            "updated": comment.updated,
            "internal": not comment.public,
            "isPublic": comment.public,
            "visibility": comment.visibility,
            "plainText": lambda: plain_of(comment.body),
        },
    )


def worklog_of(worklog: Worklog) -> NamedParts:
    """Return a work log."""
    spent = text_of(worklog.seconds, work_time())
    return NamedParts(
        spent,
        {
            "author": lambda: person(worklog.author),
            "comment": lambda: plain_of(worklog.comment),
            "created": worklog.created,
            "started": worklog.started,
            "timeSpent": spent,
            "timeSpentSeconds": worklog.seconds,
            "id": str(worklog.id),
        },
    )


def attachment_of(attachment: Attachment) -> NamedParts:
    """Return a file."""
    return NamedParts(
        attachment.filename,
        {
            "filename": attachment.filename,
            "id": str(attachment.id),
            "author": lambda: person(attachment.author),
            "created": attachment.created,
            "size": attachment.size,
            "mimeType": attachment.mime_type,
        },
    )
