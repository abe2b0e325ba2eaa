"""What can be chosen for fields of issues in spaces: each list is read once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from clones.tracker.models import (
    Component,
    IssueType,
    Priority,
    Project,
    Resolution,
    SecurityLevel,
    Version,
)
from clones.tracker.queries.kinds import default_priority, priorities_of, resolutions, types_of
from clones.tracker.queries.rights import Rights


class AllowedValues:
    """What somebody can choose."""

    def __init__(self, rights: Rights) -> None:
        self.rights = rights
        self._types: dict[int, list[IssueType]] = {}
        self._priorities: dict[int, list[Priority]] = {}
        self._defaults: dict[int, Priority | None] = {}
        self._components: dict[int, list[Component]] = {}
        self._versions: dict[int, list[Version]] = {}
        self._levels: dict[int, list[SecurityLevel]] = {}

    def types(self, project: Project) -> Sequence[IssueType]:
        """Return the types that a space offers."""
        if project.id not in self._types:
            self._types[project.id] = types_of(project)
        return self._types[project.id]

    def priorities(self, project: Project) -> Sequence[Priority]:
        """Return the priorities that a space offers."""
        key = project.priority_scheme_id
        if key not in self._priorities:
            self._priorities[key] = priorities_of(project)
        return self._priorities[key]

    def default_priority(self, project: Project) -> Priority | None:
        """Return the priority of new issues."""
        key = project.priority_scheme_id
        if key not in self._defaults:
            self._defaults[key] = default_priority(project)
        return self._defaults[key]

    @cached_property
    def _resolutions(self) -> list[Resolution]:
        return list(resolutions())

    def resolutions(self, project: Project) -> Sequence[Resolution]:
        """Return the resolutions, which are the site's."""
        return self._resolutions

    def components(self, project: Project) -> Sequence[Component]:
        """Return the components of a space, by name."""
        if project.id not in self._components:
            rows = Component.objects.filter(project=project).order_by("name", "id")
            self._components[project.id] = list(rows)
        return self._components[project.id]

    def versions(self, project: Project) -> Sequence[Version]:
        """Return the versions of a space that are not archived, in their order."""
        if project.id not in self._versions:
            rows = Version.objects.filter(project=project, archived=False)
            self._versions[project.id] = list(rows.order_by("position", "id"))
        return self._versions[project.id]

    def levels(self, project: Project) -> Sequence[SecurityLevel]:
        """Return the security levels of a space that he is a member of."""
        if project.id not in self._levels:
            rows = SecurityLevel.objects.filter(scheme=project.security_scheme_id)
            self._levels[project.id] = [
                level for level in rows.order_by("id") if self.rights.sees_level(level.id, project)
            ]
        return self._levels[project.id]
