"""What people choose from for fields: each list is read once for a page, when a field asks."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, Final

from django.db.models import QuerySet

from clones.core.web.inputs import Choice
from clones.tracker.models import Group, Issue, IssueType, Project, Sprint, User
from clones.tracker.queries.allowed_values import AllowedValues
from clones.tracker.queries.fieldsets import Fieldset, IssueField
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.people import holding
from clones.tracker.queries.rights import Rights, visible_issues, visible_projects

__all__ = ["Choice", "Choices", "parents_of"]

PEOPLE: Final = 500
PARENTS: Final = 100


class Choices:
    """What somebody can choose for the fields of issues of a type in a space.

    Args:
        fieldset: the fields that count.
        rights: of the one who chooses.
        issue: what is changed; None for an issue yet to be made.
    """

    def __init__(self, fieldset: Fieldset, rights: Rights, issue: Issue | None = None) -> None:
        self.fieldset = fieldset
        self.rights = rights
        self.issue = issue
        self._allowed = AllowedValues(rights, [fieldset.project])

    @property
    def _project(self) -> Project:
        return self.fieldset.project

    def of(self, field: IssueField) -> list[tuple[str, str]]:
        """Return the values and names to choose from for a field, in their order."""
        kind = field.kind.name
        if kind in ("option", "options", "cascade"):
            return self.options(field)
        if kind in ("user", "users"):
            return self.assignable if field.id == "assignee" else self.people
        if kind in ("version", "versions"):
            return _named(self._allowed.versions(self._project))
        return self._lists(kind)

    def _lists(self, kind: str) -> list[tuple[str, str]]:
        allowed, project = self._allowed, self._project
        match kind:
            case "components":
                rows: Iterable[Any] = allowed.components(project)
            case "priority":
                rows = allowed.priorities(project)
            case "resolution":
                rows = allowed.resolutions(project)
            case "security":
                rows = allowed.levels(project)
            case "project":
                rows = visible_projects(self.rights).filter(archived_at=None)
            case "group" | "groups":
                return [(row.uuid, row.name) for row in Group.objects.order_by("name", "id")]
            case "sprint" | "issuetype":
                return self.sprints if kind == "sprint" else self.types
            case _:
                rows = ()
        return _named(rows)

    def options(self, field: IssueField, below: int | None = None) -> list[tuple[str, str]]:
        """Return the options of a field, or of those the ones below another."""
        return [
            (str(option.id), option.value)
            for option in self.fieldset.options(field)
            if option.parent_id == below and not option.disabled
        ]

    def below(self, field: IssueField) -> list[tuple[str, str, str]]:
        """Return the options of a tree's second level: id, name, and the name of the one above."""
        options = {option.id: option for option in self.fieldset.options(field)}
        return [
            (str(option.id), option.value, options[option.parent_id].value)
            for option in options.values()
            if option.parent_id in options and not option.disabled
        ]

    @cached_property
    def assignable(self) -> list[tuple[str, str]]:
        """Those who can have issues of the space."""
        rule = holding(
            "ASSIGNABLE_USER",
            self._project,
            issue=self.issue,
            products=self.rights.product_groups,
        )
        return _people(User.objects.filter(rule, active=True))

    @cached_property
    def people(self) -> list[tuple[str, str]]:
        """Those who have an account and are no customers, but on desks customers too."""
        rows = User.objects.filter(active=True)
        if self._project.type != "service_desk":
            rows = rows.exclude(account_type="customer")
        return _people(rows)

    @cached_property
    def sprints(self) -> list[tuple[str, str]]:
        """The sprints of the space's boards that run or are to come."""
        rows = Sprint.objects.filter(board__project=self._project).exclude(state="closed")
        return _named(rows.order_by("state", "position", "id"))

    @cached_property
    def types(self) -> list[tuple[str, str]]:
        """The types of the space, on the level of the fields' own type."""
        level = self.fieldset.issue_type.hierarchy_level
        return _named(one for one in types_of(self._project) if one.hierarchy_level == level)

    @cached_property
    def parents(self) -> list[tuple[str, str]]:
        """Issues of the space one level above, the latest first: suggestions, no more."""
        return parents_of(self._project, self.fieldset.issue_type, self.rights)


def parents_of(project: Project, kind: IssueType, rights: Rights) -> list[tuple[str, str]]:
    """Return the keys and names of issues that could be the parent of those of a type."""
    rows = visible_issues(rights).filter(
        project=project, issue_type__hierarchy_level=kind.hierarchy_level + 1
    )
    rows = rows.exclude(status__category="done").order_by("-created", "-id")
    return list(rows.values_list("key", "summary")[:PARENTS])


def _named(rows: Iterable[Any]) -> list[tuple[str, str]]:
    return [(str(row.id), row.name) for row in rows]


def _people(rows: QuerySet[User]) -> list[tuple[str, str]]:
    found = rows.order_by("display_name", "id")
    return list(found.values_list("account_id", "display_name")[:PEOPLE])
