"""Work type screen schemes: which screens count for which work type of a space."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, Link, ListPage, ListRow, Panel
from clones.tracker.domain import screen_schemes as schemes
from clones.tracker.domain.errors import NotFound
from clones.tracker.domain.scheme_parts import one_of
from clones.tracker.domain.screen_schemes import ISSUE_TYPE_SCREEN_SCHEME
from clones.tracker.models import (
    IssueTypeScreenScheme,
    IssueTypeScreenSchemeItem,
    Project,
)
from clones.tracker.queries.schemes import (
    classic_screen_schemes,
    spaces_of_type_screens,
)
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.inputs import classic_spaces, select, site_types
from clones.tracker.web.admin.lists import admin_view, crumbs_of, spaces_cell
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.resources import AdminPages
from clones.tracker.web.settings.forms import FormPage, Input
from clones.tracker.web.vocabulary import say

HERE: Final = "type-screens"
AT: Final = address_of(HERE)
SCREENS: Final = address_of("screen-schemes")
OTHERS: Final = "Default"
Items = dict[int, list[IssueTypeScreenSchemeItem]]


class TypeScreenPages(AdminPages[IssueTypeScreenScheme]):
    """The list of schemes and their forms (the vendor's ViewIssueTypeScreenSchemes page)."""

    resource = ISSUE_TYPE_SCREEN_SCHEME
    here = HERE
    title = "Work type screen schemes"
    noun = "work type screen scheme"
    gone = schemes.TYPES_GONE
    said = "Which screens company-managed spaces show for each work type."
    columns = ("Name", "Screen schemes", "Spaces")
    has_details = True
    leaves = "Its screen schemes stay."

    def list_rows(self, found: Sequence[IssueTypeScreenScheme]) -> list[ListRow]:
        """Return the schemes with their screen schemes and spaces."""
        keys = [row.id for row in found]
        items, spaces = _items(keys), spaces_of_type_screens(keys)
        return [
            ListRow(
                [
                    self.name_cell(row, ["Default"] if row.is_default else []),
                    Cell(links=[_screens_link(item) for item in items[row.id]]),
                    spaces_cell(spaces.get(row.id, [])),
                ],
                self.acts(row, found, goes=not (row.is_default or spaces.get(row.id))),
                row,
            )
            for row in found
        ]

    def inputs(self, found: IssueTypeScreenScheme | None) -> list[Input]:
        """Return what is asked; of a new one the screens of all types, too."""
        screens = [] if found is not None else [_screens("screens", "Screen scheme")]
        return [*super().inputs(found), *screens]

    def values(self, sent: PageForm, found: IssueTypeScreenScheme | None) -> dict[str, Any]:
        """Return what was sent; of a new one the screens of all types, too."""
        values = super().values(sent, found)
        if found is None:
            values["pairs"] = [(schemes.DEFAULT, sent.text("screens"))]
        return values


PAGES: Final = TypeScreenPages()


def _items(keys: Collection[int]) -> Items:
    rows = IssueTypeScreenSchemeItem.objects.filter(scheme__in=keys)
    found: Items = {key: [] for key in keys}
    for item in rows.select_related("issue_type", "screen_scheme").order_by("id"):
        found[item.scheme_id].append(item)
    for items in found.values():
        items.sort(key=lambda one: (one.issue_type is not None, _type_name(one)))
    return found


def _screens_link(item: IssueTypeScreenSchemeItem) -> Link:
    label = f"{_type_name(item)}: {item.screen_scheme.name}"
    return Link(label, f"{SCREENS}/{item.screen_scheme_id}")


def _type_name(item: IssueTypeScreenSchemeItem) -> str:
    return OTHERS if item.issue_type is None else item.issue_type.name


def _screens(name: str, label: str, now: int | None = None) -> Input:
    pairs = classic_screen_schemes().order_by("name", "id").values_list("id", "name")
    return select(name, label, pairs, now, required=True, none="" if now else "Choose a scheme")


@admin_page
def details(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show the screen scheme of each type, and the spaces."""
    row = PAGES.find(key)
    at = f"{AT}/{row.id}"
    items = _items([row.id])[row.id]
    mapping = Panel(
        ["Work type", "Screen scheme"],
        [
            ListRow(
                [
                    Cell("Default", below=say("Used for all unmapped work types."))
                    if item.issue_type is None
                    else Cell(item.issue_type.name),
                    Cell(item.screen_scheme.name, f"{SCREENS}/{item.screen_scheme_id}"),
                ],
                _item_acts(item, at),
            )
            for item in items
        ],
        "Screen schemes",
        acts=[Action("Associate a work type", f"{at}/types/add")],
    )
    spaces = Panel(
        ["Space", "Key"],
        [
            ListRow([Cell(one.name, f"/browse/{one.key}"), Cell(one.key)], record=one)
            for one in spaces_of_type_screens([row.id]).get(row.id, [])
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
                *([] if row.is_default or spaces.rows else [Action("Delete", f"{at}/delete")]),
            ],
            crumbs=crumbs_of(HERE), record=row,
        ),
    )  # fmt: skip


def _item_acts(item: IssueTypeScreenSchemeItem, at: str) -> list[Action]:
    name = _type_name(item)
    if item.issue_type is None:
        return [Action("Edit", f"{at}/types/default", name)]
    here = f"{at}/types/{item.issue_type_id}"
    return [Action("Edit", here, name), Action("Remove", f"{here}/remove", name, post=True)]


@admin_page
def add_type(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Say for a type which screens count."""
    row = PAGES.find(key)
    have = {item.issue_type_id for item in _items([row.id])[row.id]}
    free = [pair for pair in site_types() if pair[0] not in have]

    def write(sent: PageForm) -> str:
        pair = (sent.text("type"), sent.text("screens"))
        schemes.append_mappings(row, [pair], actor=who.rights)
        return f"“{row.name}” updated"

    inputs = [
        select("type", "Work type", free, required=True, none="Choose a work type"),
        _screens("screens", "Screen scheme"),
    ]
    sheet = FormPage(say("Associate a work type"), request.path, f"{AT}/{row.id}", inputs, "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def edit_default(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Say which screens count for the types that are not named."""
    row = PAGES.find(key)
    item = next((one for one in _items([row.id])[row.id] if one.issue_type is None), None)

    def write(sent: PageForm) -> str:
        schemes.set_default_mapping(row, sent.text("screens"), actor=who.rights)
        return f"“{row.name}” updated"

    inputs = [_screens("screens", "Screen scheme", None if item is None else item.screen_scheme_id)]
    heading = say("Screen scheme for unmapped work types")
    sheet = FormPage(heading, request.path, f"{AT}/{row.id}", inputs)
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def edit_type(request: SandboxRequest, who: Visitor, key: int, kind: int) -> HttpResponse:
    """Say otherwise which screens count for a type."""
    row = PAGES.find(key)
    items = IssueTypeScreenSchemeItem.objects.filter(scheme=row, issue_type=kind)
    found = items.select_related("issue_type").first()
    if found is None:
        raise NotFound("The issue type was not found.")

    def write(sent: PageForm) -> str:
        # The vendor knows no change of a mapping: it is taken out, and put in again.
        schemes.remove_mappings(row, [str(kind)], actor=who.rights)
        schemes.append_mappings(row, [(str(kind), sent.text("screens"))], actor=who.rights)
        return f"“{row.name}” updated"

    inputs = [_screens("screens", "Screen scheme", found.screen_scheme_id)]
    heading = f"Screen scheme for {_type_name(found)}"
    sheet = FormPage(heading, request.path, f"{AT}/{row.id}", inputs)
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def remove_type(request: SandboxRequest, who: Visitor, key: int, kind: int) -> HttpResponse:
    """Take a type out of a scheme: the default screens count for it."""
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
        schemes.assign_type_screens(row, project, actor=who.rights)
        return f"{project.name} uses “{row.name}” now"

    inputs = [select("space", "Space", classic_spaces(), required=True, none="Choose a space")]
    sheet = FormPage(
        f"Associate {row.name} with {say('a space')}",
        request.path,
        f"{AT}/{row.id}",
        inputs,
        "Associate",
    )
    return ask(request, who, sheet, write, here=HERE)
