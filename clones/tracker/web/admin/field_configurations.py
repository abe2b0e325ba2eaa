"""Field configurations: which fields are hidden, which must not be empty, how texts are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, Link, ListPage, ListRow, Panel, SearchForm
from clones.core.web.posted import posted_text
from clones.tracker.domain import field_configurations as configurations
from clones.tracker.domain.errors import NotFound
from clones.tracker.domain.field_configurations import FIELD_CONFIGURATION, NEVER_HIDDEN, ItemValues
from clones.tracker.models import (
    FieldConfiguration,
    FieldConfigurationItem,
    FieldConfigurationSchemeItem,
)
from clones.tracker.queries.fields import live_fields
from clones.tracker.rules.field_catalogue import custom_type, system_fields
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.inputs import area, select
from clones.tracker.web.admin.lists import admin_view, crumbs_of
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.resources import AdminPages
from clones.tracker.web.settings.forms import FormPage

HERE: Final = "field-configurations"
AT: Final = address_of(HERE)
SCHEMES: Final = address_of("field-schemes")
RENDERERS: Final = (("text-renderer", "Default text renderer"), ("wiki-renderer", "Wiki style"))


class FieldConfigurationPages(AdminPages[FieldConfiguration]):
    """The list of configurations and their forms (the vendor's ViewFieldLayouts page)."""

    resource = FIELD_CONFIGURATION
    here = HERE
    order = ("-is_default", "name", "id")
    title = "Field configurations"
    noun = "field configuration"
    gone = configurations.GONE
    leaves = "Its fields stay."
    has_details = True
    opens = "Configure"
    said = "Which fields are hidden, required, and how they are shown."
    columns = ("Name", "Field configuration schemes")

    def list_rows(self, found: Sequence[FieldConfiguration]) -> list[ListRow]:
        """Return the configurations with their schemes; the default one stays as it is."""
        items = FieldConfigurationSchemeItem.objects.select_related("scheme")
        used: dict[int, dict[int, Link]] = {}
        for item in items.order_by("scheme__name", "id"):
            link = Link(item.scheme.name, f"{SCHEMES}/{item.scheme_id}")
            used.setdefault(item.configuration_id, {})[item.scheme_id] = link
        return [
            ListRow(
                [
                    self.name_cell(row, ["Default"] if row.is_default else []),
                    Cell(links=list(used.get(row.id, {}).values())),
                ],
                # The default one is only looked at.
                self.acts(row, found, goes=row.id not in used)[: 1 if row.is_default else None],
                row,
            )
            for row in found
        ]


PAGES: Final = FieldConfigurationPages()


def _fields() -> dict[str, tuple[str, str]]:
    """Return the names and renderers ("" for none) of the fields that there are, by id."""
    found = {
        field.id: (field.name, field.renderer)
        for field in system_fields().values()
        if field.on_screens
    }
    for row in live_fields().filter(project=None):
        found[row.key] = (row.name, custom_type(row.type).renderer)
    return dict(sorted(found.items(), key=lambda pair: (pair[1][0].casefold(), pair[0])))


@admin_page
def details(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show what a configuration says of each field; fields can be looked for."""
    row = PAGES.find(key)
    text = request.GET.get("query", "").strip()
    items = {item.field: item for item in row.items.all()}
    rows = [
        _row(row, field, name, renderer, items.get(field))
        for field, (name, renderer) in _fields().items()
        if text.casefold() in name.casefold()
    ]
    panel = Panel(["Field", "Status", "Renderer"], rows, empty="No fields were found.")
    at = f"{AT}/{row.id}"
    return admin_view(
        request,
        who,
        ListPage(
            row.name, HERE, [panel], row.description,
            [] if row.is_default else [Action("Edit", f"{at}/edit")],
            search=SearchForm("Search fields", text), crumbs=crumbs_of(HERE), record=row,
        ),
    )  # fmt: skip


def _row(
    row: FieldConfiguration,
    field: str,
    name: str,
    renderer: str,
    item: FieldConfigurationItem | None,
) -> ListRow:
    hidden = item is not None and item.is_hidden
    required = item is not None and item.is_required
    status = [*(["Hidden"] if hidden else []), *(["Required"] if required else [])]
    own = renderer if item is None or not item.renderer else item.renderer
    names = {configurations.RENDERERS[key]: label for key, label in RENDERERS}
    at = f"{AT}/{row.id}/fields/{field}"
    acts = []
    if field not in NEVER_HIDDEN:
        acts.append(
            Action("Show" if hidden else "Hide", f"{at}/hide", name, post=True,
                sends={"on": "" if hidden else "1"})
        )  # fmt: skip
    if not hidden:
        acts.append(
            Action("Make optional" if required else "Make required", f"{at}/require", name,
                post=True, sends={"on": "" if required else "1"})
        )  # fmt: skip
        acts.append(Action("Edit description", at, name))
        if renderer:
            acts.append(Action("Edit renderer", f"{at}/renderer", name))
    about = "" if item is None else item.description
    return ListRow(
        [
            Cell(name, below=about),
            Cell(tags=status),
            Cell(names.get(own, "") if renderer and not hidden else ""),
        ],
        acts,
    )


def _set(who: Visitor, row: FieldConfiguration, values: ItemValues) -> str:
    names = _fields()
    if values.field not in names:
        raise NotFound("The field was not found.")
    configurations.set_items(row, [values], actor=who.rights)
    return f"“{names[values.field][0]}” updated"


@admin_form
def hide(request: SandboxRequest, who: Visitor, key: int, field: str) -> HttpResponse:
    """Hide a field, or show it."""
    row = PAGES.find(key)
    values = ItemValues(field, hidden=bool(posted_text(request, "on")))
    back = f"{AT}/{row.id}"
    return act(request, who, lambda: _set(who, row, values), back=back, here=HERE)


@admin_form
def require(request: SandboxRequest, who: Visitor, key: int, field: str) -> HttpResponse:
    """Make a field required, or optional."""
    row = PAGES.find(key)
    values = ItemValues(field, required=bool(posted_text(request, "on")))
    back = f"{AT}/{row.id}"
    return act(request, who, lambda: _set(who, row, values), back=back, here=HERE)


@admin_page
def describe(request: SandboxRequest, who: Visitor, key: int, field: str) -> HttpResponse:
    """Say what a field is for, in this configuration."""
    row = PAGES.find(key)
    item = row.items.filter(field=field).first()

    def write(sent: PageForm) -> str:
        about = sent.text("description")
        return _set(who, row, ItemValues(field, description=about))

    inputs = [area("description", "Description", "" if item is None else item.description)]
    sheet = FormPage("Edit field description", request.path, f"{AT}/{row.id}", inputs)
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def render(request: SandboxRequest, who: Visitor, key: int, field: str) -> HttpResponse:
    """Say how a text field shows what it holds."""
    row = PAGES.find(key)
    item = row.items.filter(field=field).first()
    own = _fields().get(field, ("", ""))[1] if item is None or not item.renderer else item.renderer
    now = next((name for name, key in configurations.RENDERERS.items() if key == own), None)

    def write(sent: PageForm) -> str:
        return _set(who, row, ItemValues(field, renderer=sent.text("renderer")))

    inputs = [select("renderer", "Active renderer", RENDERERS, now, required=True)]
    sheet = FormPage("Edit field renderer", request.path, f"{AT}/{row.id}", inputs)
    return ask(request, who, sheet, write, here=HERE)
