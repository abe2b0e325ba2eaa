"""The types of work of a space, the screens on which it is shown, and the fields that count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.field_configurations import assign_scheme as assign_fields
from clones.tracker.domain.issue_type_schemes import assign_type_scheme
from clones.tracker.domain.screen_schemes import assign_type_screens
from clones.tracker.models import (
    CustomField,
    FieldConfiguration,
    FieldConfigurationScheme,
    FieldConfigurationSchemeItem,
    IssueType,
    IssueTypeScreenSchemeItem,
    Project,
    Screen,
    ScreenScheme,
    ScreenTab,
    ScreenTabField,
    Workflow,
)
from clones.tracker.queries.fields import OPERATIONS, Layouts
from clones.tracker.queries.fieldsets import Fieldset, IssueField
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.schemes import classic_type_schemes, classic_type_screens
from clones.tracker.queries.workflows import Paths
from clones.tracker.rules.field_catalogue import custom_number, custom_type, system_fields
from clones.tracker.web.access import Visitor
from clones.tracker.web.settings.access import page_of_settings
from clones.tracker.web.settings.forms import Input, chosen, number_of
from clones.tracker.web.settings.schemes import editor_of, scheme_page, switch_page
from clones.tracker.web.vocabulary import say

TYPES: Final = "issuetypes"
SCREENS: Final = "screens"
FIELDS: Final = "fields"
_LABELS: Final = {"create": "Create", "edit": "Edit", "view": "View"}
_LEVELS: Final = {1: "Epic", 0: "Base", -1: "Sub-task"}


@dataclass(frozen=True, slots=True)
class TypeItem:
    """A type of work as the settings show it."""

    type: IssueType
    usual: bool
    level: str
    workflow: Workflow
    screens: Sequence[tuple[str, str]]
    configuration: str


@page_of_settings
def types(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show the types of the space in their order, with the workflow and screens of each."""
    scheme = project.issue_type_scheme
    found = types_of(project)
    layouts = Layouts([project])
    paths = Paths([project.workflow_scheme_id])
    flows = {one.id: paths.workflow_id(project.workflow_scheme_id, one.id) for one in found}
    workflows = Workflow.objects.in_bulk(set(flows.values()))
    used = {one.id: [layouts.screen(project, one, op) for op in OPERATIONS] for one in found}
    names = dict(
        Screen.objects.filter(
            id__in={key for keys in used.values() for key in keys if key is not None}
        ).values_list("id", "name")
    )
    ids = {key for one in found if (key := layouts.configuration(project, one)) is not None}
    configurations = dict(FieldConfiguration.objects.filter(id__in=ids).values_list("id", "name"))
    kinds = [
        TypeItem(
            one,
            one.id == scheme.default_type_id,
            _LEVELS.get(one.hierarchy_level, f"Level {one.hierarchy_level}"),
            workflows[flows[one.id]],
            [
                (_LABELS[op], names.get(key or 0, ""))
                for op, key in zip(OPERATIONS, used[one.id], strict=True)
            ],
            configurations.get(layouts.configuration(project, one) or 0, ""),
        )
        for one in found
    ]
    context = {
        "scheme": scheme,
        "kind": "work type scheme",
        "kinds": kinds,
        "editor": editor_of("issue-type-schemes", scheme.id, who),
        "classic": not project.simplified,
    }
    return scheme_page(request, who, project, context, title="Work types", current=TYPES)


@page_of_settings
def use_types(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Let the space use another scheme of types."""
    admins_only(who.rights)
    rows = classic_type_schemes().order_by("name", "id")
    now = str(project.issue_type_scheme_id)
    choices = chosen(rows.values_list("id", "name"), [now])
    switch = Input("scheme", "Work type scheme", "select", choices=choices)

    def assign(key: str) -> None:
        assign_type_scheme(_one(rows, key or now), project, actor=who.rights)

    return switch_page(
        request, who, project, switch, assign,
        title=say("Use a different work type scheme"), current=TYPES,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ScreenItem:
    """A screen with its tabs: their names, and the fields on each by name."""

    screen: Screen
    tabs: Sequence[tuple[str, Sequence[str]]]
    editor: str


@dataclass(frozen=True, slots=True)
class Screened:
    """The types that have one screen scheme, and its screen for each operation."""

    types: str
    scheme: ScreenScheme
    operations: Sequence[tuple[str, Screen]]


@page_of_settings
def screens(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show which screens count for which types, and what is on each."""
    scheme = project.screen_scheme
    items = IssueTypeScreenSchemeItem.objects.filter(scheme=scheme).select_related(
        "issue_type",
        "screen_scheme__default",
        "screen_scheme__create",
        "screen_scheme__edit",
        "screen_scheme__view",
    )
    by_scheme: dict[int, list[IssueTypeScreenSchemeItem]] = defaultdict(list)
    for item in items.order_by("id"):
        by_scheme[item.screen_scheme_id].append(item)
    rows = []
    used: dict[int, Screen] = {}
    for some in by_scheme.values():
        one = some[0].screen_scheme
        operations = [(_LABELS[op], getattr(one, op) or one.default) for op in OPERATIONS]
        used |= {screen.id: screen for _, screen in operations}
        named = [item.issue_type.name for item in some if item.issue_type is not None]
        if any(item.issue_type is None for item in some):
            named.append(say("All other work types"))
        rows.append(Screened(", ".join(named), one, operations))
    context = {
        "scheme": scheme,
        "kind": "work type screen scheme",
        "rows": rows,
        "screens": _shown(list(used.values()), who),
        "editor": editor_of("issue-type-screen-schemes", scheme.id, who),
    }
    return scheme_page(request, who, project, context, title="Screens", current=SCREENS)


def _shown(screens: Sequence[Screen], who: Visitor) -> list[ScreenItem]:
    tabs: dict[int, list[ScreenTab]] = defaultdict(list)
    for tab in ScreenTab.objects.filter(screen__in=screens).order_by("position", "id"):
        tabs[tab.screen_id].append(tab)
    fields: dict[int, list[str]] = defaultdict(list)
    rows = ScreenTabField.objects.filter(tab__screen__in=screens)
    for tab_id, field in rows.order_by("position", "id").values_list("tab_id", "field"):
        fields[tab_id].append(field)
    names = field_names(field for some in fields.values() for field in some)
    return [
        ScreenItem(
            screen,
            [
                (tab.name, [names.get(one, one) for one in fields[tab.id]])
                for tab in tabs[screen.id]
            ],
            editor_of("screens", screen.id, who),
        )
        for screen in sorted(screens, key=lambda one: (one.name.casefold(), one.id))
    ]


def field_names(ids: Iterable[str]) -> dict[str, str]:
    """Return what fields are called, by id."""
    wanted = set(ids)
    found = {key: one.name for key, one in system_fields().items() if key in wanted}
    numbers = {number for one in wanted if (number := custom_number(one)) is not None}
    rows = CustomField.objects.filter(id__in=numbers).values_list("id", "name")
    return found | {f"customfield_{key}": name for key, name in rows}


@page_of_settings
def use_screens(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Let the space use another scheme of screens."""
    admins_only(who.rights)
    rows = classic_type_screens().order_by("name", "id")
    now = str(project.screen_scheme_id)
    choices = chosen(rows.values_list("id", "name"), [now])
    switch = Input("scheme", "Work type screen scheme", "select", choices=choices)

    def assign(key: str) -> None:
        assign_type_screens(_one(rows, key or now), project, actor=who.rights)

    return switch_page(
        request, who, project, switch, assign,
        title="Use a different screen scheme", current=SCREENS,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Configured:
    """A field as a configuration has it."""

    name: str
    kind: str
    required: bool
    hidden: bool
    screens: int


@page_of_settings
def fields(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show the fields of one type: which are required, which hidden, on how many screens each."""
    kinds = types_of(project)
    asked = request.GET.get("type", "")
    kind = next((one for one in kinds if str(one.id) == asked), kinds[0] if kinds else None)
    layouts = Layouts([project])
    scheme = project.field_scheme
    configuration = None if kind is None else layouts.configuration(project, kind)
    context = {
        "scheme": scheme,
        "kind": "field configuration scheme",
        "types": [(one, one == kind) for one in kinds],
        "rows": [] if kind is None else _configured(project, kind, layouts),
        "configuration": FieldConfiguration.objects.filter(id=configuration or 0).first(),
        "usual": layouts.default_configuration,
        "mapping": _mapping(scheme),
        "configuration_editor": editor_of("field-configurations", configuration or 0, who),
        "editor": (
            editor_of("field-configuration-schemes", scheme.id, who) if scheme is not None else ""
        ),
    }
    return scheme_page(request, who, project, context, title="Fields", current=FIELDS)


def _configured(project: Project, kind: IssueType, layouts: Layouts) -> list[Configured]:
    seen = Fieldset(project, kind, layouts).fields
    items = layouts.items(project, kind)
    screens = {layouts.screen(project, kind, op) for op in OPERATIONS}
    found = ScreenTabField.objects.filter(tab__screen__in=screens - {None})
    on: dict[str, int] = defaultdict(int)
    for field, _ in found.values_list("field", "tab__screen").distinct():
        on[field] += 1
    hidden = {key for key, item in items.items() if item.is_hidden and key not in seen}
    rows = [
        Configured(one.name, _kind(one), one.required, False, on[one.id]) for one in seen.values()
    ]
    names = field_names(hidden)
    rows += [Configured(names[key], "", False, True, on[key]) for key in hidden if key in names]
    return sorted(rows, key=lambda one: one.name.casefold())


def _kind(field: IssueField) -> str:
    return custom_type(field.type_key).label if field.is_custom else "System"


def _mapping(scheme: FieldConfigurationScheme | None) -> list[tuple[str, str]]:
    if scheme is None:
        return []
    rows = FieldConfigurationSchemeItem.objects.filter(scheme=scheme)
    usual = say("All other work types")
    return [
        (
            usual if item.issue_type is None else item.issue_type.name,
            item.configuration.name,
        )
        for item in rows.select_related("issue_type", "configuration").order_by("id")
    ]


@page_of_settings
def use_fields(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Let the space use another scheme of field configurations, or the default configuration."""
    admins_only(who.rights)
    rows = FieldConfigurationScheme.objects.order_by("name", "id")
    before = "" if project.field_scheme_id is None else str(project.field_scheme_id)
    choices = chosen(rows.values_list("id", "name"), [before])
    switch = Input(
        "scheme",
        "Field configuration scheme",
        "select",
        choices=choices,
        none="Default field configuration",
    )

    def assign(key: str) -> None:
        assign_fields(_one(rows, key) if key else None, project, actor=who.rights)

    return switch_page(
        request, who, project, switch, assign,
        title="Use a different field configuration scheme", current=FIELDS,
    )  # fmt: skip


def _one(rows: Any, text: str) -> Any:
    found = rows.filter(id=number_of(text) or 0).first()
    if found is None:
        raise Invalid(fields={"scheme": "Choose a scheme."})
    return found
