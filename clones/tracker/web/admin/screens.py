"""Screens: the fields that people see on tabs, in their order."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.db.models import Q
from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, Link, ListPage, ListRow, Panel, SearchForm, paged
from clones.tracker.domain import screens
from clones.tracker.domain.scheme_parts import one_of
from clones.tracker.models import (
    Project,
    Screen,
    ScreenScheme,
    Transition,
)
from clones.tracker.queries.schemes import owners_of_screens
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import admin_page, ask
from clones.tracker.web.admin.inputs import named
from clones.tracker.web.admin.lists import admin_view
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.workflow_links import workflow_address
from clones.tracker.web.settings.forms import FormPage
from clones.tracker.web.vocabulary import say

HERE: Final = "screens"
AT: Final = address_of(HERE)
SCHEMES: Final = address_of("screen-schemes")


def find(key: int) -> Screen:
    """Return the screen of an id.

    Raises:
        NotFound: there is none.
    """
    return one_of(Screen.objects.all(), key, screens.GONE)


@admin_page
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List screens with where they are used (the vendor's ViewFieldScreens page)."""
    text = request.GET.get("query", "").strip()
    rows = Screen.objects.filter(name__icontains=text) if text else Screen.objects.all()
    found, pages = paged(request, rows.order_by("name", "id"))
    keys = [row.id for row in found]
    schemes, flows, owners = _schemes(keys), _flows(keys), owners_of_screens(keys)
    spaces = Project.objects.in_bulk(set(owners.values()))
    panel = Panel(
        ["Name", "Screen schemes", "Workflows"],
        [
            ListRow(
                [
                    Cell(
                        row.name, f"{AT}/{row.id}", row.description,
                        tags=[spaces[owners[row.id]].name] if row.id in owners else [],
                    ),
                    Cell(links=schemes.get(row.id, [])),
                    Cell(links=flows.get(row.id, [])),
                ],
                [
                    Action("Configure", f"{AT}/{row.id}", row.name, whole=True),
                    Action("Edit", f"{AT}/{row.id}/edit", row.name),
                    Action("Copy", f"{AT}/{row.id}/copy", row.name),
                    *(
                        []
                        if row.id in schemes or row.id in flows
                        else [Action("Delete", f"{AT}/{row.id}/delete", row.name)]
                    ),
                ],
                row,
            )
            for row in found
        ],
        empty="No screens were found.",
    )  # fmt: skip
    return admin_view(
        request,
        who,
        ListPage(
            "Screens", HERE, [panel], acts=[Action("Add screen", f"{AT}/add", primary=True)],
            said=say("The fields that people see when they make, look at or change work items."),
            search=SearchForm("Search screens", text), pages=pages,
        ),
    )  # fmt: skip


def _schemes(keys: Collection[int]) -> dict[int, list[Link]]:
    used = Q(default__in=keys) | Q(create__in=keys) | Q(edit__in=keys) | Q(view__in=keys)
    found: dict[int, list[Link]] = {}
    for row in ScreenScheme.objects.filter(used).order_by("name", "id"):
        for key in {row.default_id, row.create_id, row.edit_id, row.view_id} - {None}:
            found.setdefault(int(key or 0), []).append(Link(row.name, f"{SCHEMES}/{row.id}"))
    return found


def _flows(keys: Collection[int]) -> dict[int, list[Link]]:
    rows = Transition.objects.filter(screen__in=keys).select_related("workflow")
    found: dict[int, dict[str, Link]] = {}
    for row in rows.order_by("workflow__name", "id"):
        flow = row.workflow
        address = workflow_address(flow) if flow.project_id is None else ""
        found.setdefault(row.screen_id or 0, {})[flow.uuid] = Link(flow.name, address)
    return {key: list(links.values()) for key, links in found.items()}


@admin_page
def add(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Make a screen with one empty tab."""

    def write(sent: PageForm) -> tuple[str, str]:
        made = screens.create_screen(sent.text("name"), sent.text("description"), actor=who.rights)
        return f"Screen “{made.name}” added", f"{AT}/{made.id}"

    sheet = FormPage("Add screen", request.path, AT, named(), "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def copy(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Make a screen with the tabs and fields of another one."""
    source = find(key)

    def write(sent: PageForm) -> tuple[str, str]:
        made = screens.create_screen(sent.text("name"), sent.text("description"), actor=who.rights)
        (first,) = made.tabs.all()
        for number, tab in enumerate(source.tabs.order_by("position", "id")):
            place = first if number == 0 else screens.add_tab(made, tab.name, actor=who.rights)
            if place.name != tab.name:
                screens.rename_tab(place, tab.name, actor=who.rights)
            known = screens.placeable_fields()
            for row in tab.fields.order_by("position", "id"):
                if row.field in known:
                    screens.add_field(place, row.field, actor=who.rights)
        return f"Screen “{made.name}” added", f"{AT}/{made.id}"

    inputs = named(f"Copy of {source.name}", source.description)
    sheet = FormPage(f"Copy screen: {source.name}", request.path, AT, inputs, "Copy")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def edit(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Change a screen's name and description."""
    screen = find(key)

    def write(sent: PageForm) -> str:
        screens.update_screen(screen, sent.text("name"), sent.text("description"), actor=who.rights)
        return f"Screen “{screen.name}” updated"

    inputs = named(screen.name, screen.description)
    sheet = FormPage("Edit screen", request.path, f"{AT}/{screen.id}", inputs)
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def delete(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Delete a screen that nothing shows."""
    screen = find(key)

    def write(sent: PageForm) -> str:
        name = screen.name
        screens.delete_screen(screen, actor=who.rights)
        return f"Screen “{name}” deleted"

    sheet = FormPage(
        f"Delete screen: {screen.name}", request.path, AT, button="Delete",
        said="A screen can be deleted as long as no scheme and no workflow shows it.",
        danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)
