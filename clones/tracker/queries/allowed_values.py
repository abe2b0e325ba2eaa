"""What can be chosen for fields of issues in spaces: each list is read once, for all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from clones.tracker.models import (
    Component,
    IssueType,
    Priority,
    PriorityScheme,
    Project,
    Resolution,
    SecurityLevel,
    Version,
)
from clones.tracker.queries.kinds import (
    priorities_of_projects,
    resolutions,
    types_of_projects,
)
from clones.tracker.queries.rights import Rights


class AllowedValues:
    """What somebody can choose in the spaces that are named.

    The number of statements is that of the lists that are asked for, whatever the number of spaces.
    """

    def __init__(self, rights: Rights, projects: Collection[Project]) -> None:
        self.rights = rights
        self._named = {project.id: project for project in projects}

    @cached_property
    def _types(self) -> Mapping[int, list[IssueType]]:
        return types_of_projects(self._named.values())

    def types(self, project: Project) -> Sequence[IssueType]:
        """Return the types that a space offers."""
        return self._types[project.id]

    @cached_property
    def _priorities(self) -> Mapping[int, list[Priority]]:
        return priorities_of_projects(self._named.values())

    def priorities(self, project: Project) -> Sequence[Priority]:
        """Return the priorities that a space offers."""
        return self._priorities[project.id]

    @cached_property
    def _defaults(self) -> Mapping[int, Priority | None]:
        """The default priority of each scheme, else the site's."""
        site = Priority.objects.filter(is_default=True).order_by("position", "id").first()
        schemes = {project.priority_scheme_id for project in self._named.values()}
        rows = PriorityScheme.objects.filter(id__in=schemes).select_related("default_priority")
        return {scheme.id: scheme.default_priority or site for scheme in rows}

    def default_priority(self, project: Project) -> Priority | None:
        """Return the priority of new issues."""
        return self._defaults.get(project.priority_scheme_id)

    @cached_property
    def _resolutions(self) -> list[Resolution]:
        return list(resolutions())

    def resolutions(self, project: Project) -> Sequence[Resolution]:
        """Return the resolutions, which are the site's."""
        return self._resolutions

    @cached_property
    def _components(self) -> Mapping[int, list[Component]]:
        found: dict[int, list[Component]] = defaultdict(list)
        for row in Component.objects.filter(project__in=self._named).order_by("name", "id"):
            found[row.project_id].append(row)
        return found

    def components(self, project: Project) -> Sequence[Component]:
        """Return the components of a space, by name."""
        return self._components[project.id]

    @cached_property
    def _versions(self) -> Mapping[int, list[Version]]:
        found: dict[int, list[Version]] = defaultdict(list)
        rows = Version.objects.filter(project__in=self._named, archived=False)
        for row in rows.order_by("position", "id"):
            found[row.project_id].append(row)
        return found

    def versions(self, project: Project) -> Sequence[Version]:
        """Return the versions of a space that are not archived, in their order."""
        return self._versions[project.id]

    @cached_property
    def _levels(self) -> Mapping[int, list[SecurityLevel]]:
        found: dict[int, list[SecurityLevel]] = defaultdict(list)
        schemes = {project.security_scheme_id for project in self._named.values()} - {None}
        for row in SecurityLevel.objects.filter(scheme__in=schemes).order_by("id"):
            found[row.scheme_id].append(row)
        return found

    def levels(self, project: Project) -> Sequence[SecurityLevel]:
        """Return the security levels of a space that they are a member of."""
        rows = self._levels[project.security_scheme_id or 0]
        return [level for level in rows if self.rights.sees_level(level.id, project)]
