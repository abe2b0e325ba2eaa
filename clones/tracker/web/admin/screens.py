"""Screens: the fields that people see on tabs, in their order."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from django.db.models import Q
from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Cell, Link, ListRow
from clones.tracker.domain import screens
from clones.tracker.domain.screens import SCREEN
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
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.resources import AdminPages
from clones.tracker.web.admin.workflow_links import workflow_address
from clones.tracker.web.settings.forms import FormPage

HERE: Final = "screens"
AT: Final = address_of(HERE)
SCHEMES: Final = address_of("screen-schemes")


class ScreenPages(AdminPages[Screen]):
    """The list of screens and their forms (the vendor's ViewFieldScreens page)."""

    resource = SCREEN
    here = HERE
    order = ("name", "id")
    title = "Screens"
    noun = "screen"
    gone = screens.GONE
    leaves = "A screen can be deleted as long as no scheme and no workflow shows it."
    has_details = True
    opens = "Configure"
    copies = True
    said = "The fields that people see when they make, look at or change work items."
    columns = ("Name", "Screen schemes", "Workflows")
    empty = "No screens were found."
    search = "Search screens"

    def list_rows(self, found: Sequence[Screen]) -> list[ListRow]:
        """Return the screens with where they are used."""
        keys = [row.id for row in found]
        schemes, flows, owners = _schemes(keys), _flows(keys), owners_of_screens(keys)
        spaces = Project.objects.in_bulk(set(owners.values()))
        return [
            ListRow(
                [
                    self.name_cell(row, [spaces[owners[row.id]].name] if row.id in owners else []),
                    Cell(links=schemes.get(row.id, [])),
                    Cell(links=flows.get(row.id, [])),
                ],
                self.acts(row, found, goes=row.id not in schemes and row.id not in flows),
                row,
            )
            for row in found
        ]


PAGES: Final = ScreenPages()


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
def copy(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Make a screen with the tabs and fields of another one."""
    source = PAGES.find(key)

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
