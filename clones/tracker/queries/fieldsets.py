"""The fields that count for issues of a type in a space: those that are not hidden, in one place.

`Fieldset` stands on `queries.fields.Layouts`, which reads screens, configurations, contexts and
options once for any number of spaces and types.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from clones.tracker.models import FieldContext, FieldOption, IssueType, Project
from clones.tracker.queries.fields import Layouts, Operation
from clones.tracker.rules.field_catalogue import custom_type, system_fields
from clones.tracker.rules.field_kinds.kinds import FieldKind, kind_of
from clones.tracker.rules.field_kinds.system import HISTORY, SYSTEM

# No issue is without these, whatever its configuration says.
_ALWAYS_REQUIRED: Final = frozenset({"summary", "issuetype", "project"})
_NEVER_HIDDEN: Final = _ALWAYS_REQUIRED | {"status", "parent"}


@dataclass(frozen=True, slots=True)
class IssueField:
    """A field of issues of one type in one space.

    `number` and `type_key` are a custom field's; `context` says where its options and default are.
    """

    id: str
    name: str
    kind: FieldKind
    required: bool
    description: str = ""
    renderer: str = ""
    number: int = 0
    type_key: str = ""
    context: FieldContext | None = None

    @property
    def is_custom(self) -> bool:
        """Whether admins made it, or an app did."""
        return bool(self.number)

    @property
    def history_name(self) -> str:
        """Its name in histories."""
        return self.name if self.is_custom else HISTORY.get(self.id, self.id)

    @property
    def schema(self) -> dict[str, Any]:
        """What its values are, as the vendor writes it."""
        if self.is_custom:
            return custom_type(self.type_key).schema(self.number)
        return system_fields()[self.id].schema or {}


class Fieldset:
    """The fields of issues of a type in a space."""

    def __init__(self, project: Project, issue_type: IssueType, layouts: Layouts) -> None:
        self.project = project
        self.issue_type = issue_type
        self._layouts = layouts

    @cached_property
    def fields(self) -> Mapping[str, IssueField]:
        """The fields that are not hidden, those of every site first, by id."""
        items = self._layouts.items(self.project, self.issue_type)
        found: dict[str, IssueField] = {}
        for id, kind in SYSTEM.items():
            item = items.get(id)
            if item is not None and item.is_hidden and id not in _NEVER_HIDDEN:
                continue
            if id == "security" and self.project.security_scheme_id is None:
                continue
            found[id] = IssueField(
                id,
                system_fields()[id].name,
                kind,
                id in _ALWAYS_REQUIRED or (item is not None and item.is_required),
                "" if item is None else item.description,
                "" if item is None else item.renderer,
            )
        for number, custom in self._layouts.custom.items():
            item = items.get(custom.key)
            if (item is not None and item.is_hidden) or custom.project_id not in (
                None,
                self.project.id,
            ):
                continue
            context = self._layouts.context(number, self.project, self.issue_type)
            if context is None:
                continue
            found[custom.key] = IssueField(
                custom.key,
                custom.name,
                kind_of(custom.type),
                item is not None and item.is_required,
                custom.description if item is None else item.description or custom.description,
                "" if item is None else item.renderer,
                number,
                custom.type,
                context,
            )
        return found

    def screen(self, operation: Operation) -> Sequence[str]:
        """Return the ids of the fields on a screen, in their order; hidden ones are left out."""
        placed = self._layouts.on_screen(self.project, self.issue_type, operation)
        return [id for id in placed if id in self.fields]

    def shown(self, ids: Iterable[str]) -> Sequence[str]:
        """Return those ids, of any screen, whose fields count here."""
        return [id for id in ids if id in self.fields]

    def options(self, field: IssueField) -> Sequence[FieldOption]:
        """Return the options of a field in their order, disabled ones too."""
        return () if field.context is None else self._layouts.options(field.context)

    def of_kind(self, name: str) -> IssueField | None:
        """Return the first field of a kind, None where there is none."""
        return next((field for field in self.fields.values() if field.kind.name == name), None)


def fields_of(project: Project, issue_type: IssueType) -> Fieldset:
    """Return the fields of issues of a type in a space."""
    return Fieldset(project, issue_type, Layouts([project]))


def fieldsets_of(pairs: Iterable[tuple[Project, IssueType]]) -> dict[tuple[int, int], Fieldset]:
    """Return the fields of many types in many spaces, by their ids, with as many statements."""
    wanted = list(pairs)
    layouts = Layouts(list({project.id: project for project, _ in wanted}.values()))
    return {(project.id, kind.id): Fieldset(project, kind, layouts) for project, kind in wanted}
