"""What issues are shown with: rows of their lists and of what they name, for many at once.

Each part is read when it is first asked for, by one prepared statement, whatever the number of
issues. What somebody may not see of it is left out here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, TypeVar

from django.db.models import Count, Model

from clones.core.lookups import key_list
from clones.core.prepared import Prepared
from clones.tracker.models import (
    Attachment,
    Comment,
    Component,
    EpicLook,
    FieldValue,
    Issue,
    IssueComponent,
    IssueLabel,
    IssueLink,
    IssueSprint,
    IssueType,
    IssueVersion,
    IssueView,
    Priority,
    Project,
    Resolution,
    SecurityLevel,
    Sprint,
    Status,
    User,
    Version,
    Vote,
    Watcher,
    Worklog,
)
from clones.tracker.queries.comments import WITH, passes
from clones.tracker.queries.rights import BROWSE, Rights

Row = TypeVar("Row", bound=Model)
_ENDS: Final = tuple(
    f"{end}__{name}"
    for end in ("source", "destination")
    for name in ("project", "issue_type", "status", "priority")
)
FAMILY: Final = ("project", "issue_type", "status", "priority")


def _by_id(model: type[Row], *related: str) -> Prepared[Row]:
    rows = model._default_manager
    return (
        Prepared(
            lambda keys: rows.filter(id__in_csv=keys).select_related(*related).order_by("id"), str
        )
        if related
        else Prepared(lambda keys: rows.filter(id__in_csv=keys).order_by("id"), str)
    )


def _of_issue(model: type[Row], *order: str, related: Sequence[str] = ()) -> Prepared[Row]:
    rows = model._default_manager
    if not related:
        return Prepared(lambda keys: rows.filter(issue__in_csv=keys).order_by(*order), str)
    return Prepared(
        lambda keys: rows.filter(issue__in_csv=keys).select_related(*related).order_by(*order), str
    )


_NAMED: Final[dict[type[Model], Prepared[Any]]] = {
    Project: _by_id(Project, "category"),
    **{
        model: _by_id(model)
        for model in (IssueType, Status, Priority, Resolution, SecurityLevel, User, Version)
    },
}
_FAMILIES: Final = _by_id(Issue, *FAMILY)
_CHILDREN: Final[Prepared[Issue]] = Prepared(
    lambda keys: (
        Issue.objects.filter(parent__in_csv=keys, issue_type__hierarchy_level__lt=0)
        .select_related(*FAMILY)
        .order_by("parent_id", "rank", "id")
    ),
    str,
)
_LABELS: Final[Prepared[tuple[int, str]]] = Prepared(
    lambda keys: (
        IssueLabel.objects.filter(issue__in_csv=keys)
        .order_by("issue_id", "label")
        .values_list("issue_id", "label")
    ),
    str,
)
_COMPONENTS: Final = _of_issue(IssueComponent, "issue_id", "id", related=["component"])
_VERSIONS: Final = _of_issue(IssueVersion, "issue_id", "id", related=["version"])
_SPRINTS: Final = _of_issue(IssueSprint, "issue_id", "sprint_id", related=["sprint"])
_VALUES: Final = _of_issue(
    FieldValue, "issue_id", "field_id", "position", related=["option__parent", "user", "group"]
)
_COMMENTS: Final = _of_issue(Comment, "issue_id", "created", "id", related=WITH)
_WORKLOGS: Final = _of_issue(Worklog, "issue_id", "created", "id", related=WITH)
_ATTACHMENTS: Final = _of_issue(Attachment, "issue_id", "id", related=["author"])
_LINKS: Final[Sequence[Prepared[IssueLink]]] = (
    Prepared(
        lambda keys: (
            IssueLink.objects.filter(source__in_csv=keys)
            .select_related("type", *_ENDS)
            .order_by("id")
        ),
        str,
    ),
    Prepared(
        lambda keys: (
            IssueLink.objects.filter(destination__in_csv=keys)
            .select_related("type", *_ENDS)
            .order_by("id")
        ),
        str,
    ),
)
_LOOKS: Final = _by_id(EpicLook)


def _counts(model: type[Watcher | Vote]) -> Prepared[tuple[int, int]]:
    rows = model.objects
    return Prepared(
        lambda keys: (
            rows.filter(issue__in_csv=keys)
            .order_by("issue_id")
            .values_list("issue_id")
            .annotate(number=Count("id"))
        ),
        str,
    )


def _mine(model: type[Watcher | Vote]) -> Prepared[int]:
    rows = model.objects
    return Prepared(
        lambda keys, user: (
            rows.filter(issue__in_csv=keys, user=user).order_by().values_list("issue_id", flat=True)
        ),
        str,
        int,
    )


_COUNTS: Final = {model: _counts(model) for model in (Watcher, Vote)}
_MINE: Final = {model: _mine(model) for model in (Watcher, Vote)}
_VIEWS: Final[Prepared[IssueView]] = Prepared(
    lambda keys, user: IssueView.objects.filter(issue__in_csv=keys, user=user).order_by("id"),
    str,
    int,
)
_RELATIONS: Final[Mapping[str, type[Model]]] = {
    "project": Project,
    "issue_type": IssueType,
    "status": Status,
    "priority": Priority,
    "resolution": Resolution,
    "security_level": SecurityLevel,
}


class IssueRows:
    """The rows that some issues are shown with to somebody."""

    def __init__(self, issues: Sequence[Issue], rights: Rights) -> None:
        self.issues = issues
        self.rights = rights
        self.keys = key_list(issue.id for issue in issues)
        self._named: dict[str, dict[int, Any]] = {}

    def named(self, issue: Issue, relation: str) -> Any:
        """Return what an issue names by one of its columns: project, status, priority..."""
        key = getattr(issue, f"{relation}_id")
        if key is None:
            return None
        if relation not in self._named:
            model = _RELATIONS[relation]
            keys = key_list(getattr(one, f"{relation}_id") for one in self.issues)
            self._named[relation] = {row.pk: row for row in _NAMED[model].all(keys)}
        return self._named[relation].get(key)

    def user(self, key: int | None) -> User | None:
        """Return a creator, reporter or assignee."""
        return None if key is None else self._users.get(key)

    @cached_property
    def _users(self) -> dict[int, User]:
        columns = ("creator_id", "reporter_id", "assignee_id")
        keys = key_list(getattr(one, column) for one in self.issues for column in columns)
        return {user.id: user for user in _NAMED[User].all(keys)} if keys else {}

    @cached_property
    def parents(self) -> dict[int, Issue]:
        """The parents that they see, by their own ids."""
        keys = key_list(issue.parent_id for issue in self.issues)
        found = _FAMILIES.all(keys) if keys else []
        return {issue.id: issue for issue in found if self.rights.may_on(BROWSE, issue)}

    @cached_property
    def subtasks(self) -> Mapping[int, list[Issue]]:
        """The sub-tasks that they see, by their parent."""
        found: dict[int, list[Issue]] = defaultdict(list)
        for issue in _CHILDREN.all(self.keys):
            if self.rights.may_on(BROWSE, issue):
                found[issue.parent_id or 0].append(issue)
        return found

    @cached_property
    def labels(self) -> Mapping[int, list[str]]:
        """The labels by issue, by name."""
        found: dict[int, list[str]] = defaultdict(list)
        for issue, label in _LABELS.all(self.keys):
            found[issue].append(label)
        return found

    @cached_property
    def components(self) -> Mapping[int, list[Component]]:
        """The components by issue."""
        found: dict[int, list[Component]] = defaultdict(list)
        for row in _COMPONENTS.all(self.keys):
            found[row.issue_id].append(row.component)
        return found

    @cached_property
    def versions(self) -> Mapping[tuple[int, str], list[Version]]:
        """The versions by issue and kind."""
        found: dict[tuple[int, str], list[Version]] = defaultdict(list)
        for row in _VERSIONS.all(self.keys):
            found[row.issue_id, row.kind].append(row.version)
        return found

    @cached_property
    def sprints(self) -> Mapping[int, list[Sprint]]:
        """The sprints by issue, closed ones too."""
        found: dict[int, list[Sprint]] = defaultdict(list)
        for row in _SPRINTS.all(self.keys):
            found[row.issue_id].append(row.sprint)
        return found

    @cached_property
    def values(self) -> Mapping[int, Mapping[int, list[FieldValue]]]:
        """The values of custom fields by issue and the field's number."""
        found: dict[int, dict[int, list[FieldValue]]] = defaultdict(lambda: defaultdict(list))
        for row in _VALUES.all(self.keys):
            found[row.issue_id][row.field_id].append(row)
        return found

    @cached_property
    def others(self) -> tuple[Mapping[int, Project], Mapping[int, Version]]:
        """The spaces and versions of which custom fields have the ids."""
        rows = [row for fields in self.values.values() for kept in fields.values() for row in kept]
        keys = key_list(row.other for row in rows)
        if not keys:
            return {}, {}
        projects = {row.id: row for row in _NAMED[Project].all(keys)}
        return projects, {row.id: row for row in _NAMED[Version].all(keys)}

    @cached_property
    def epic_names(self) -> Mapping[int, str]:
        """What boards call epics, by issue."""
        return {look.id: look.name for look in _LOOKS.all(self.keys)}

    @cached_property
    def links(self) -> Mapping[int, list[IssueLink]]:
        """The links by issue, to issues that they see."""
        found: dict[int, dict[int, IssueLink]] = defaultdict(dict)
        outward, inward = _LINKS
        for link in outward.all(self.keys):
            if self.rights.may_on(BROWSE, link.destination):
                found[link.source_id][link.id] = link
        for link in inward.all(self.keys):
            if self.rights.may_on(BROWSE, link.source):
                found[link.destination_id][link.id] = link
        return {issue: [links[key] for key in sorted(links)] for issue, links in found.items()}

    def _seen(self, rows: Collection[Any]) -> Mapping[int, list[Any]]:
        """Return comments or work logs that they see, by issue."""
        projects = {issue.id: issue.project_id for issue in self.issues}
        found: dict[int, list[Any]] = defaultdict(list)
        for row in rows:
            if passes(self.rights, row.visibility, projects[row.issue_id]):
                found[row.issue_id].append(row)
        return found

    @cached_property
    def comments(self) -> Mapping[int, list[Comment]]:
        """The comments that they see, by issue, the oldest first."""
        return self._seen(_COMMENTS.all(self.keys))

    @cached_property
    def worklogs(self) -> Mapping[int, list[Worklog]]:
        """The work logs that they see, by issue, the oldest first."""
        return self._seen(_WORKLOGS.all(self.keys))

    @cached_property
    def attachments(self) -> Mapping[int, list[Attachment]]:
        """The files by issue."""
        found: dict[int, list[Attachment]] = defaultdict(list)
        for row in _ATTACHMENTS.all(self.keys):
            found[row.issue_id].append(row)
        return found

    @cached_property
    def watching(self) -> tuple[Mapping[int, int], frozenset[int]]:
        """How many watch each issue, and those that they watch."""
        return self._people(Watcher)

    @cached_property
    def voting(self) -> tuple[Mapping[int, int], frozenset[int]]:
        """How many voted for each issue, and those for which they did."""
        return self._people(Vote)

    def _people(self, model: type[Watcher | Vote]) -> tuple[Mapping[int, int], frozenset[int]]:
        counts = dict(_COUNTS[model].all(self.keys))
        user = self.rights.user
        mine = [] if user is None or not counts else _MINE[model].all(self.keys, user.id)
        return counts, frozenset(mine)

    @cached_property
    def views(self) -> Mapping[int, IssueView]:
        """When they last looked at each issue."""
        user = self.rights.user
        rows = [] if user is None else _VIEWS.all(self.keys, user.id)
        return {row.issue_id: row for row in rows}
