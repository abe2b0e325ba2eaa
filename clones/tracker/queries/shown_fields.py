"""Which custom fields issues have: those with a context for their space and type, not hidden."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from clones.core.lookups import key_list
from clones.core.prepared import Prepared
from clones.tracker.models import (
    FieldConfigurationItem,
    FieldContext,
    FieldContextProject,
    FieldContextType,
    IssueType,
    Project,
)
from clones.tracker.queries.fields import Layouts
from clones.tracker.rules.field_kinds.kinds import FieldKind, kind_of

_CONTEXTS: Final[Prepared[tuple[int, str, str, int | None, int, bool, bool]]] = Prepared(
    lambda: (
        FieldContext.objects.filter(field__trashed_at__isnull=True)
        .order_by("field_id", "id")
        .values_list(
            "field_id",
            "field__name",
            "field__type",
            "field__project_id",
            "id",
            "all_projects",
            "all_issue_types",
        )
    )
)
_OF_PROJECTS: Final[Prepared[tuple[int, int]]] = Prepared(
    lambda keys: (
        FieldContextProject.objects.filter(project__in_csv=keys)
        .order_by("id")
        .values_list("project_id", "context_id")
    ),
    str,
)
_OF_TYPES: Final[Prepared[tuple[int, int]]] = Prepared(
    lambda: FieldContextType.objects.order_by("id").values_list("context_id", "issue_type_id")
)
_HIDDEN: Final[Prepared[tuple[int, str]]] = Prepared(
    lambda: (
        FieldConfigurationItem.objects.filter(is_hidden=True)
        .order_by("id")
        .values_list("configuration_id", "field")
    )
)


@dataclass(frozen=True, slots=True)
class ShownField:
    """A custom field as issues show it."""

    id: str
    number: int
    name: str
    type_key: str
    kind: FieldKind


class ShownFields:
    """The custom fields of issues of some types in some spaces, in the order of their numbers."""

    def __init__(self, pairs: Iterable[tuple[Project, IssueType]]) -> None:
        wanted = {(project.id, kind.id): (project, kind) for project, kind in pairs}
        projects = {project.id: project for project, _ in wanted.values()}
        self._mine: dict[int, set[int]] = defaultdict(set)
        for project, context in _OF_PROJECTS.all(key_list(projects)):
            self._mine[project].add(context)
        self._types: dict[int, set[int]] = defaultdict(set)
        for context, kind in _OF_TYPES.all():
            self._types[context].add(kind)
        self._fields: dict[int, ShownField] = {}
        self._owners: dict[int, int | None] = {}
        self._contexts: dict[int, list[tuple[int, bool, bool]]] = defaultdict(list)
        for number, name, type_key, owner, context, everywhere, all_types in _CONTEXTS.all():
            if number not in self._fields:
                self._fields[number] = ShownField(
                    f"customfield_{number}", number, name, type_key, kind_of(type_key)
                )
                self._owners[number] = owner
            self._contexts[number].append((context, everywhere, all_types))
        hidden = self._hidden(list(wanted.values()), list(projects.values()))
        self._found = {
            (project, kind): [
                field
                for number, field in self._fields.items()
                if self._counts(number, project, kind) and field.id not in hidden[project, kind]
            ]
            for project, kind in wanted
        }

    def of(self, project: int, kind: int) -> list[ShownField]:
        """Return the fields of issues of a type in a space, by their ids."""
        return self._found[project, kind]

    def hidden(self, project: int, kind: int) -> Collection[str]:
        """Return the fields that the configuration of a type in a space hides."""
        return self._hidden_ids[project, kind]

    def _counts(self, number: int, project: int, kind: int) -> bool:
        if self._owners[number] not in (None, project):
            return False
        contexts = self._contexts[number]
        own = [one for one in contexts if not one[1] and one[0] in self._mine[project]]
        return any(
            all_types or kind in self._types[context]
            for context, _, all_types in own or [one for one in contexts if one[1]]
        )

    def _hidden(
        self, pairs: list[tuple[Project, IssueType]], projects: list[Project]
    ) -> dict[tuple[int, int], set[str]]:
        found: dict[tuple[int, int], set[str]] = defaultdict(set)
        rows: dict[int, set[str]] = defaultdict(set)
        for configuration, field in _HIDDEN.all():
            rows[configuration].add(field)
        if rows:
            layouts = Layouts(projects)
            for project, kind in pairs:
                found[project.id, kind.id] = rows[layouts.configuration(project, kind) or 0]
        self._hidden_ids = found
        return found
