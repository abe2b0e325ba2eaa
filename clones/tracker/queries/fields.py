"""Reading fields, and where they count: screens, configurations, contexts and options.

What an issue's fields are follows from its space and its type. Whoever asks makes one `Layouts` of
the spaces at hand and asks that (`Layouts([project]).on_screen(project, issue_type, "create")`):
each of its parts is read once, whatever the number of spaces and types.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Final, Literal

from django.db.models import Exists, OuterRef, Q, QuerySet

from clones.core.lookups import key_list
from clones.tracker.models import (
    CustomField,
    FieldConfiguration,
    FieldConfigurationItem,
    FieldContext,
    FieldContextProject,
    FieldOption,
    IssueType,
    Project,
    ScreenScheme,
)
from clones.tracker.queries import hot_fields
from clones.tracker.queries.rights import Rights, visible_projects
from clones.tracker.rules.field_catalogue import custom_number

Operation = Literal["create", "edit", "view"]
OPERATIONS: Final = ("create", "edit", "view")


class Layouts:
    """What the fields of issues of some spaces are. `fields` limits the custom ones that count."""

    def __init__(
        self, projects: Collection[Project], *, fields: Collection[int] | None = None
    ) -> None:
        self.projects = list(projects)
        self._limit = fields
        self._spaces = key_list(project.id for project in self.projects)

    def _counts(self, field: int) -> bool:
        """Tell whether a custom field counts."""
        return self._limit is None or field in self._limit

    @cached_property
    def _screen_schemes(self) -> dict[int, dict[int | None, ScreenScheme]]:
        """The screens of each type (None: of the others), by issue type screen scheme."""
        found: dict[int, dict[int | None, ScreenScheme]] = defaultdict(dict)
        schemes = key_list(project.screen_scheme_id for project in self.projects)
        for item in hot_fields.SCREENS_OF_TYPES.all(schemes):
            found[item.scheme_id][item.issue_type_id] = item.screen_scheme
        return found

    @cached_property
    def _screens(self) -> dict[int, list[str]]:
        ids = {
            screen
            for schemes in self._screen_schemes.values()
            for scheme in schemes.values()
            for screen in (_screen(scheme, operation) for operation in OPERATIONS)
        }
        return fields_of_screens(ids)

    def screen(self, project: Project, issue_type: IssueType, operation: Operation) -> int | None:
        """Return the screen on which issues of a type are made, changed or seen in a space."""
        schemes = self._screen_schemes.get(project.screen_scheme_id, {})
        scheme = schemes.get(issue_type.id) or schemes.get(None)
        return None if scheme is None else _screen(scheme, operation)

    def on_screen(
        self, project: Project, issue_type: IssueType, operation: Operation
    ) -> Sequence[str]:
        """Return the fields of that screen in their order; those in the trash are left out."""
        screen = self.screen(project, issue_type, operation)
        return [] if screen is None else self._screens.get(screen, [])

    @cached_property
    def default_configuration(self) -> FieldConfiguration | None:
        """The configuration of spaces without a scheme."""
        return hot_fields.DEFAULT_CONFIGURATION.first()

    @cached_property
    def _configurations(self) -> dict[int, dict[int | None, int]]:
        """The configuration of each type (None: of the others), by scheme."""
        found: dict[int, dict[int | None, int]] = defaultdict(dict)
        schemes = key_list(project.field_scheme_id for project in self.projects)
        if schemes:
            for scheme, kind, configuration in hot_fields.CONFIGURATIONS.all(schemes):
                found[scheme][kind] = configuration
        return found

    @cached_property
    def _items(self) -> dict[int, dict[str, FieldConfigurationItem]]:
        ids = {one for kinds in self._configurations.values() for one in kinds.values()}
        if self.default_configuration is not None:
            ids.add(self.default_configuration.id)
        found: dict[int, dict[str, FieldConfigurationItem]] = defaultdict(dict)
        for item in hot_fields.ITEMS_OF_CONFIGURATIONS.all(key_list(ids)):
            found[item.configuration_id][item.field] = item
        return found

    def configuration(self, project: Project, issue_type: IssueType) -> int | None:
        """Return the id of the field configuration of a type in a space."""
        kinds = self._configurations.get(project.field_scheme_id or 0, {})
        found = kinds.get(issue_type.id) or kinds.get(None)
        if found is None and self.default_configuration is not None:
            return self.default_configuration.id
        return found

    def items(
        self, project: Project, issue_type: IssueType
    ) -> Mapping[str, FieldConfigurationItem]:
        """Return what the configuration says of fields; of those left out it says nothing."""
        configuration = self.configuration(project, issue_type)
        return {} if configuration is None else self._items.get(configuration, {})

    @cached_property
    def custom(self) -> dict[int, CustomField]:
        """The custom fields of the site, and the spaces' own, by number; none from the trash."""
        rows = hot_fields.CUSTOM_FIELDS.all(self._spaces)
        return {field.id: field for field in rows if self._counts(field.id)}

    @cached_property
    def _contexts(self) -> dict[int, list[FieldContext]]:
        found: dict[int, list[FieldContext]] = defaultdict(list)
        for context in hot_fields.CONTEXTS.all():
            if self._counts(context.field_id):
                found[context.field_id].append(context)
        return found

    @cached_property
    def _context_projects(self) -> dict[int, set[int]]:
        """The contexts that are for a space, by the space's id."""
        found: dict[int, set[int]] = defaultdict(set)
        for context, project in hot_fields.CONTEXT_SPACES.all(self._spaces):
            found[project].add(context)
        return found

    @cached_property
    def _context_types(self) -> dict[int, set[int]]:
        """The types that a context is for, by the context's id."""
        found: dict[int, set[int]] = defaultdict(set)
        for context, kind in hot_fields.CONTEXT_TYPES.all():
            found[context].add(kind)
        return found

    def context(self, field: int, project: Project, issue_type: IssueType) -> FieldContext | None:
        """Return the context of a custom field that counts for a type in a space.

        A context of the space goes before the one of all spaces, even where it leaves the type out;
        None: issues of this type have no such field there.
        """
        mine = self._context_projects.get(project.id, set())
        contexts = self._contexts.get(field, [])
        own = [one for one in contexts if not one.all_projects and one.id in mine]
        for context in own or [one for one in contexts if one.all_projects]:
            kinds = self._context_types.get(context.id, set())
            if context.all_issue_types or issue_type.id in kinds:
                return context
        return None

    @cached_property
    def _options(self) -> dict[int, list[FieldOption]]:
        found: dict[int, list[FieldOption]] = defaultdict(list)
        contexts = key_list(one.id for known in self._contexts.values() for one in known)
        for option in hot_fields.OPTIONS_OF_CONTEXTS.all(contexts):
            found[option.context_id].append(option)
        return found

    def options(self, context: FieldContext) -> Sequence[FieldOption]:
        """Return the options of a context in their order: of a tree, all levels of it.

        Disabled ones are among them: they stay on issues and cannot be chosen.
        """
        return self._options.get(context.id, [])


def fields_of_screens(screens: Collection[int]) -> dict[int, list[str]]:
    """Return the fields of screens in the order of tabs and places, by the screen's id.

    Fields in the trash, and custom ones that are gone, are left out. Two statements.
    """
    found: dict[int, list[str]] = {screen: [] for screen in screens}
    placed = hot_fields.FIELDS_OF_SCREENS.all(key_list(found))
    numbers = key_list(custom_number(field) for _, field in placed)
    live = set(hot_fields.LIVE_AMONG.all(numbers)) if numbers else set()
    for screen, field in placed:
        number = custom_number(field)
        if number is None or number in live:
            found[screen].append(field)
    return found


def fields_of_screen(screen: int) -> list[str]:
    """Return the fields of one screen (a transition's) in their order."""
    return fields_of_screens([screen])[screen]


def live_fields() -> QuerySet[CustomField]:
    """Return the custom fields that are not in the trash, by number."""
    return CustomField.objects.filter(trashed_at=None).order_by("id")


def visible_fields(rights: Rights) -> QuerySet[CustomField]:
    """Return the custom fields that somebody sees, by number.

    Those are fields with a context in a space that they may see; an admin sees all.
    """
    rows = live_fields()
    if rights.is_admin:
        return rows
    spaces = visible_projects(rights).order_by()
    mine = FieldContextProject.objects.filter(
        context__field=OuterRef("pk"), project__in=spaces.values("id")
    )
    if not spaces.exists():
        return rows.none()
    everywhere = FieldContext.objects.filter(field=OuterRef("pk"), all_projects=True)
    own = Q(project=None) | Q(project__in=spaces.values("id"))
    return rows.filter(own).filter(Exists(mine) | Exists(everywhere))


def all_fields(rights: Rights, project: Project | None = None) -> list[CustomField]:
    """Return the custom fields that somebody sees, of one space where it is given, by number."""
    rows = visible_fields(rights)
    if project is None:
        return list(rows)
    here = FieldContextProject.objects.filter(context__field=OuterRef("pk"), project=project)
    everywhere = FieldContext.objects.filter(field=OuterRef("pk"), all_projects=True)
    return list(
        rows.filter(Q(project=None) | Q(project=project)).filter(Exists(here) | Exists(everywhere))
    )


def _screen(scheme: ScreenScheme, operation: Operation | str) -> int:
    """Return the screen of an operation: its own, else the default's."""
    ids = {"create": scheme.create_id, "edit": scheme.edit_id, "view": scheme.view_id}
    return ids[operation] or scheme.default_id
