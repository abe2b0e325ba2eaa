"""Issues as smart values: every field by its id or its name, and what hangs on the issue."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Final

from clones.tracker.domain.properties import values_of as properties_of
from clones.tracker.domain.richtext import markup_of
from clones.tracker.models import (
    Attachment,
    Comment,
    CustomField,
    FieldOption,
    FieldValue,
    Issue,
    IssueComponent,
    IssueLabel,
    IssueLink,
    IssueSprint,
    IssueVersion,
    User,
    Vote,
    Watcher,
    Worklog,
)
from clones.tracker.queries.agile_fields import SPRINT
from clones.tracker.queries.automation_values.rows import (
    NamedParts,
    attachment_of,
    comment_of,
    home,
    named,
    person,
    project_of,
    sprint_of,
    status_of,
    version_of,
    worklog_of,
)
from clones.tracker.queries.work_time import work_time
from clones.tracker.rules.automation.smart import SmartRecord
from clones.tracker.rules.durations_of_work import text_of
from clones.tracker.rules.field_kinds.kinds import kind_of

MOST: Final = 1000  # comments, links and the like that one text reads
WITH: Final = (
    "project__lead",
    "issue_type",
    "status",
    "priority",
    "resolution",
    "assignee",
    "reporter",
    "creator",
    "security_level",
)
# What people call fields beside their ids.
_ALIASES: Final = {
    "affectsversions": "versions",
    "affectedversions": "versions",
    "comment": "comments",
    "duedate": "duedate",
    "due date": "duedate",
    "epic link": "parent",
    "fix versions": "fixversions",
    "attachments": "attachment",
    "issue type": "issuetype",
    "links": "issuelinks",
    "resolution date": "resolutiondate",
    "resolved": "resolutiondate",
    "security level": "security",
    "sprints": "sprint",
    "subtask": "subtasks",
    "type": "issuetype",
    "space": "project",
    "work type": "issuetype",
    "worklogs": "worklog",
    "request type": "requesttype",
}


class IssueThing(SmartRecord):
    """An issue in a text."""

    def __init__(self, issue: Issue) -> None:
        self.issue = issue
        self._known: dict[str, Any] = {}

    @property
    def shown(self) -> str:
        """The key."""
        return self.issue.key

    def part(self, name: str) -> Any:
        """Return a field, or what hangs on the issue; None where there is no such thing."""
        key = name.strip().lower()
        key = _ALIASES.get(key, key)
        if key not in self._known:
            self._known[key] = self._read(key, name)
        return self._known[key]

    def _read(self, key: str, name: str) -> Any:
        reader = _READERS.get(key)
        if reader is not None:
            return reader(self.issue)
        if key == "fields":
            return self
        if key == "properties":
            entity = str(self.issue.id)
            return properties_of("issue", [entity]).get(entity, {})
        return self._custom(name)

    @cached_property
    def _customs(self) -> dict[str, CustomField]:
        rows = CustomField.objects.filter(trashed_at=None).order_by("-id")
        found = {row.name.lower(): row for row in rows}
        return found | {row.key: row for row in rows}

    def _custom(self, name: str) -> Any:
        wanted = name.strip().lower()
        field = self._customs.get(wanted)
        if field is None:  # camel case: {{issue.storyPoints}}
            plain = wanted.replace(" ", "")
            field = next(
                (one for key, one in self._customs.items() if key.replace(" ", "") == plain), None
            )
        if field is None:
            return None
        if field.type == SPRINT:
            return self.part("sprint")
        rows = FieldValue.objects.filter(issue=self.issue, field=field)
        rows = rows.select_related("option__parent", "user", "group").order_by("position", "id")
        values = [_value(row) for row in rows]
        if kind_of(field.type).several:
            return values
        return values[0] if values else None


def things_of(issues: Iterable[Issue]) -> list[IssueThing]:
    """Return issues as smart values."""
    return [IssueThing(issue) for issue in issues]


def link_of(link: IssueLink, issue: Issue) -> NamedParts:
    """Return a link as it is seen from one of its ends."""
    outward = link.source_id == issue.id
    other = link.destination if outward else link.source
    words = link.type.outward if outward else link.type.inward
    end = "outwardIssue" if outward else "inwardIssue"
    kind = named(link.type, inward=link.type.inward, outward=link.type.outward)
    return NamedParts(
        f"{words} {other.key}",
        {"id": str(link.id), "type": kind, end: IssueThing(other), "issue": IssueThing(other)},
    )


def _option(option: FieldOption) -> NamedParts:
    """Return a choice; of a cascading one the upper one, with the one below it."""
    if option.parent is None:
        return NamedParts(option.value, {"value": option.value, "id": str(option.id)})
    top = option.parent
    child = NamedParts(option.value, {"value": option.value, "id": str(option.id)})
    return NamedParts(
        f"{top.value} - {option.value}", {"value": top.value, "id": str(top.id), "child": child}
    )


def _value(row: FieldValue) -> Any:
    if row.option is not None:
        return _option(row.option)
    if row.user is not None:
        return person(row.user)
    if row.group is not None:
        return NamedParts(row.group.name, {"name": row.group.name, "groupId": row.group.uuid})
    if row.document is not None:
        return markup_of(row.document)
    for value in (row.number, row.moment, row.day, row.other):
        if value is not None:
            return value
    return row.text


def _links(issue: Issue) -> list[NamedParts]:
    rows = IssueLink.objects.select_related("type", *(
        f"{end}__{name}" for end in ("source", "destination") for name in WITH
    ))  # fmt: skip
    found = [*rows.filter(source=issue).order_by("id"), *rows.filter(destination=issue)]
    found.sort(key=lambda link: link.id)
    return [link_of(link, issue) for link in found[:MOST]]


def _comments(issue: Issue) -> list[NamedParts]:
    rows = Comment.objects.filter(issue=issue).select_related("author", "update_author")
    return [comment_of(row) for row in rows.order_by("created", "id")[:MOST]]


def _children(issue: Issue, *, subtasks: bool) -> list[IssueThing]:
    level = {
        "issue_type__hierarchy_level__lt" if subtasks else "issue_type__hierarchy_level__gte": 0
    }
    rows = Issue.objects.filter(parent=issue, archived_at=None, **level)
    return things_of(rows.select_related(*WITH).order_by("rank", "id")[:MOST])


def _parent(issue: Issue) -> IssueThing | None:
    if issue.parent_id is None:
        return None
    return IssueThing(Issue.objects.select_related(*WITH).get(id=issue.parent_id))


def _epic(issue: Issue) -> IssueThing | None:
    found = _parent(issue)
    while found is not None and found.issue.issue_type.hierarchy_level < 1:
        found = _parent(found.issue)
    return found


def _versions(issue: Issue, kind: str) -> list[NamedParts]:
    rows = IssueVersion.objects.filter(issue=issue, kind=kind).select_related("version__project")
    return [version_of(row.version) for row in rows.order_by("id")]


def _components(issue: Issue) -> list[Any]:
    rows = IssueComponent.objects.filter(issue=issue).select_related("component__lead")
    return [
        named(row.component, lead=person(row.component.lead), description=row.component.description)
        for row in rows.order_by("id")
    ]


def _sprints(issue: Issue) -> list[NamedParts]:
    rows = IssueSprint.objects.filter(issue=issue).select_related("sprint").order_by("id")
    return [sprint_of(row.sprint) for row in rows]


def _worklogs(issue: Issue) -> list[NamedParts]:
    rows = Worklog.objects.filter(issue=issue).select_related("author").order_by("started", "id")
    return [worklog_of(row) for row in rows[:MOST]]


def _attachments(issue: Issue) -> list[NamedParts]:
    rows = Attachment.objects.filter(issue=issue).select_related("author").order_by("id")
    return [attachment_of(row) for row in rows[:MOST]]


def _watchers(issue: Issue) -> list[Any]:
    rows = User.objects.filter(id__in=Watcher.objects.filter(issue=issue).values("user"))
    return [person(user) for user in rows.order_by("display_name", "id")[:MOST]]


def _time(issue: Issue) -> NamedParts:
    work = work_time()
    parts: dict[str, Any] = {}
    for name, seconds in (
        ("originalEstimate", issue.original_estimate),
        ("remainingEstimate", issue.remaining_estimate),
        ("timeSpent", issue.time_spent),
    ):
        if seconds is not None:
            parts |= {name: text_of(seconds, work), f"{name}Seconds": seconds}
    return NamedParts(", ".join(str(one) for one in parts.values()), parts)


def _request_type(issue: Issue) -> Any:
    request = getattr(issue, "request", None)
    return None if request is None else named(request.request_type)


def _address(issue: Issue) -> NamedParts:
    at = f"{home()}/browse/{issue.key}"
    return NamedParts(at, {"customer": f"{home()}/servicedesk/customer/portal/{issue.key}"})


_READERS: Final[dict[str, Callable[[Issue], Any]]] = {
    "key": lambda issue: issue.key,
    "id": lambda issue: str(issue.id),
    "issuekey": lambda issue: issue.key,
    "url": _address,
    "summary": lambda issue: issue.summary,
    "description": lambda issue: markup_of(issue.description),
    "environment": lambda issue: markup_of(issue.environment),
    "issuetype": lambda issue: named(
        issue.issue_type,
        subtask=issue.issue_type.subtask,
        hierarchyLevel=issue.issue_type.hierarchy_level,
        description=issue.issue_type.description,
    ),
    "status": lambda issue: status_of(issue.status),
    "statuscategory": lambda issue: (status_of(issue.status) or NamedParts("", {})).part(
        "statusCategory"
    ),
    "statuscategorychangedate": lambda issue: issue.status_category_changed,
    "project": lambda issue: project_of(issue.project),
    "priority": lambda issue: named(issue.priority),
    "resolution": lambda issue: named(issue.resolution),
    "resolutiondate": lambda issue: issue.resolution_date,
    "assignee": lambda issue: person(issue.assignee),
    "reporter": lambda issue: person(issue.reporter),
    "creator": lambda issue: person(issue.creator),
    "created": lambda issue: issue.created,
    "updated": lambda issue: issue.updated,
    "duedate": lambda issue: issue.due_date,
    "security": lambda issue: named(issue.security_level),
    "parent": _parent,
    "epic": _epic,
    "subtasks": lambda issue: _children(issue, subtasks=True),
    "stories": lambda issue: _children(issue, subtasks=False),
    "labels": lambda issue: list(
        IssueLabel.objects.filter(issue=issue).order_by("label").values_list("label", flat=True)
    ),
    "components": _components,
    "fixversions": lambda issue: _versions(issue, "fix"),
    "versions": lambda issue: _versions(issue, "affects"),
    "comments": _comments,
    "attachment": _attachments,
    "issuelinks": _links,
    "worklog": _worklogs,
    "watchers": _watchers,
    "watches": lambda issue: Watcher.objects.filter(issue=issue).count(),
    "votes": lambda issue: Vote.objects.filter(issue=issue).count(),
    "timetracking": _time,
    "timespent": lambda issue: issue.time_spent,
    "timeestimate": lambda issue: issue.remaining_estimate,
    "timeoriginalestimate": lambda issue: issue.original_estimate,
    "originalestimate": lambda issue: issue.original_estimate,
    "remainingestimate": lambda issue: issue.remaining_estimate,
    "sprint": _sprints,
    "requesttype": _request_type,
    "rank": lambda issue: issue.rank,
}
