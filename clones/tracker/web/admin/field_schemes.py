"""Field configuration schemes: which configuration counts for which work type of a space."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, Link, ListPage, ListRow, Panel
from clones.tracker.domain import field_configurations as schemes
from clones.tracker.domain.errors import NotFound
from clones.tracker.domain.field_configurations import FIELD_CONFIGURATION_SCHEME
from clones.tracker.domain.scheme_parts import one_of
from clones.tracker.models import (
    FieldConfiguration,
    FieldConfigurationScheme,
    FieldConfigurationSchemeItem,
    Project,
)
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.inputs import classic_spaces, select, site_types
from clones.tracker.web.admin.lists import admin_view, crumbs_of, spaces_cell
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.resources import AdminPages
from clones.tracker.web.settings.forms import FormPage, Input
from clones.tracker.web.vocabulary import say

HERE: Final = "field-schemes"
AT: Final = address_of(HERE)
CONFIGURATIONS: Final = address_of("field-configurations")
Items = dict[int, list[FieldConfigurationSchemeItem]]


class FieldSchemePages(AdminPages[FieldConfigurationScheme]):
    """The list of schemes and their forms."""

    resource = FIELD_CONFIGURATION_SCHEME
    here = HERE
    order = ("name", "id")
    title = "Field configuration schemes"
    noun = "field configuration scheme"
    gone = schemes.SCHEME_GONE
    leaves = "Its field configurations stay."
    has_details = True
    said = "Which field configuration counts for each work type of a space."
    columns = ("Name", "Field configurations", "Spaces")
    empty = "Spaces without a scheme have the default field configuration."

    def list_rows(self, found: Sequence[FieldConfigurationScheme]) -> list[ListRow]:
        """Return the schemes with their configurations and spaces."""
        keys = [row.id for row in found]
        items, spaces = _items(keys), _spaces(keys)
        return [
            ListRow(
                [
                    self.name_cell(row),
                    Cell(links=[_configuration_link(item) for item in items[row.id]]),
                    spaces_cell(spaces[row.id]),
                ],
                self.acts(row, found, goes=not spaces[row.id]),
                row,
            )
            for row in found
        ]


PAGES: Final = FieldSchemePages()


def _items(keys: Collection[int]) -> Items:
    rows = FieldConfigurationSchemeItem.objects.filter(scheme__in=keys)
    found: Items = {key: [] for key in keys}
    for item in rows.select_related("issue_type", "configuration").order_by("id"):
        found[item.scheme_id].append(item)
    for items in found.values():
        items.sort(key=lambda one: (one.issue_type is not None, _type_name(one)))
    return found


def _configuration_link(item: FieldConfigurationSchemeItem) -> Link:
    label = f"{_type_name(item)}: {item.configuration.name}"
    return Link(label, f"{CONFIGURATIONS}/{item.configuration_id}")


def _type_name(item: FieldConfigurationSchemeItem) -> str:
    return "Default" if item.issue_type is None else item.issue_type.name


def _spaces(keys: Collection[int]) -> dict[int, list[Project]]:
    rows = Project.objects.filter(field_scheme__in=keys, deleted_at=None)
    found: dict[int, list[Project]] = {key: [] for key in keys}
    for project in rows.order_by("name", "id"):
        found[project.field_scheme_id or 0].append(project)
    return found


@admin_page
def details(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show the configuration of each type, and the spaces."""
    row = PAGES.find(key)
    at = f"{AT}/{row.id}"
    mapping = Panel(
        ["Work type", "Field configuration"],
        [
            ListRow(
                [
                    Cell("Default", below=say("Used for all unmapped work types."))
                    if item.issue_type is None
                    else Cell(item.issue_type.name),
                    Cell(item.configuration.name, f"{CONFIGURATIONS}/{item.configuration_id}"),
                ],
                _item_acts(item, at),
            )
            for item in _items([row.id])[row.id]
        ],
        "Field configurations",
        acts=[Action("Associate a work type", f"{at}/types/add")],
    )
    spaces = Panel(
        ["Space", "Key"],
        [
            ListRow(
                [Cell(one.name, f"/browse/{one.key}"), Cell(one.key)],
                [Action("Remove", f"{at}/spaces/{one.id}/remove", one.name, post=True)],
                one,
            )
            for one in _spaces([row.id])[row.id]
        ],
        say("Spaces"),
        empty="No space uses this scheme.",
        acts=[Action("Associate a space", f"{at}/spaces/add")],
    )
    return admin_view(
        request,
        who,
        ListPage(
            row.name, HERE, [mapping, spaces], row.description,
            [
                Action("Edit", f"{at}/edit"),
                *([] if spaces.rows else [Action("Delete", f"{at}/delete")]),
            ],
            crumbs=crumbs_of(HERE), record=row,
        ),
    )  # fmt: skip


def _item_acts(item: FieldConfigurationSchemeItem, at: str) -> list[Action]:
    name = _type_name(item)
    if item.issue_type is None:
        return [Action("Edit", f"{at}/types/default", name)]
    here = f"{at}/types/{item.issue_type_id}"
    return [Action("Edit", here, name), Action("Remove", f"{here}/remove", name, post=True)]


def _configurations(now: int | None = None) -> Input:
    rows = FieldConfiguration.objects.order_by("-is_default", "name", "id")
    pairs = rows.values_list("id", "name")
    return select("configuration", "Field configuration", pairs, now, required=True)


@admin_page
def add_type(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Say for a type which configuration counts."""
    row = PAGES.find(key)
    have = {item.issue_type_id for item in _items([row.id])[row.id]}
    free = [pair for pair in site_types() if pair[0] not in have]

    def write(sent: PageForm) -> str:
        pair = (sent.text("type"), sent.text("configuration"))
        schemes.set_mappings(row, [pair], actor=who.rights)
        return f"“{row.name}” updated"

    kinds = select("type", "Work type", free, required=True, none="Choose a work type")
    sheet = FormPage(
        say("Associate a work type"),
        request.path,
        f"{AT}/{row.id}",
        [kinds, _configurations()],
        "Add",
    )
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def edit_type(request: SandboxRequest, who: Visitor, key: int, kind: str) -> HttpResponse:
    """Say otherwise which configuration counts: for a type, or for all others (`default`)."""
    row = PAGES.find(key)
    found = {
        schemes.DEFAULT if item.issue_type_id is None else str(item.issue_type_id): item
        for item in _items([row.id])[row.id]
    }
    item = found.get(kind)
    if item is None:
        raise NotFound("The issue type was not found.")

    def write(sent: PageForm) -> str:
        schemes.set_mappings(row, [(kind, sent.text("configuration"))], actor=who.rights)
        return f"“{row.name}” updated"

    heading = f"Field configuration for {_type_name(item)}"
    inputs = [_configurations(item.configuration_id)]
    sheet = FormPage(heading, request.path, f"{AT}/{row.id}", inputs)
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def remove_type(request: SandboxRequest, who: Visitor, key: int, kind: int) -> HttpResponse:
    """Take a type out of a scheme: the default configuration counts for it."""
    row = PAGES.find(key)

    def write() -> str:
        schemes.remove_mappings(row, [str(kind)], actor=who.rights)
        return f"“{row.name}” updated"

    return act(request, who, write, back=f"{AT}/{row.id}", here=HERE)


@admin_page
def associate(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Let a company-managed space use a scheme."""
    row = PAGES.find(key)

    def write(sent: PageForm) -> str:
        rows = Project.objects.filter(deleted_at=None)
        project = one_of(rows, sent.text("space"), "The project was not found.")
        schemes.assign_scheme(row, project, actor=who.rights)
        return f"{project.name} uses “{row.name}” now"

    inputs = [select("space", "Space", classic_spaces(), required=True, none="Choose a space")]
    heading = f"Associate {row.name} with {say('a space')}"
    sheet = FormPage(heading, request.path, f"{AT}/{row.id}", inputs, "Associate")
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def remove_space(request: SandboxRequest, who: Visitor, key: int, space: int) -> HttpResponse:
    """Let a space use the default configuration for all its types."""
    row = PAGES.find(key)

    def write() -> str:
        rows = Project.objects.filter(field_scheme=row, deleted_at=None)
        project = one_of(rows, space, "The project was not found.")
        schemes.assign_scheme(None, project, actor=who.rights)
        return f"{project.name} uses the default field configuration now"

    return act(request, who, write, back=f"{AT}/{row.id}", here=HERE)
