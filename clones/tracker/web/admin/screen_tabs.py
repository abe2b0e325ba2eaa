"""The tabs of a screen, and the fields on each in their order."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, ListPage, ListRow, Panel, order_acts
from clones.core.web.posted import posted_text
from clones.tracker.domain import screens
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import ScreenTab, ScreenTabField
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.inputs import line, multiple
from clones.tracker.web.admin.lists import admin_view, crumbs_of
from clones.tracker.web.admin.screens import AT, HERE, PAGES
from clones.tracker.web.settings.forms import FormPage
from clones.tracker.web.vocabulary import say

PLACES: Final = {"up": "Earlier", "down": "Later"}


@admin_page
def details(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show a screen's tabs with their fields, each to be put elsewhere."""
    screen = PAGES.find(key)
    at = f"{AT}/{screen.id}"
    tabs = list(screen.tabs.order_by("position", "id"))
    rows = ScreenTabField.objects.filter(tab__in=tabs).order_by("position", "id")
    by_tab: dict[int, list[str]] = {tab.id: [] for tab in tabs}
    names = screens.placeable_fields()
    for row in rows:
        if row.field in names:
            by_tab[row.tab_id].append(row.field)
    panels = [
        _tab_panel(tab, by_tab[tab.id], names, at, (place == 0, place == len(tabs) - 1))
        for place, tab in enumerate(tabs)
    ]
    return admin_view(
        request,
        who,
        ListPage(
            screen.name, HERE, panels, screen.description,
            [Action("Edit", f"{at}/edit"), Action("Add tab", f"{at}/tabs/add", primary=True)],
            crumbs=crumbs_of(HERE), record=screen,
        ),
    )  # fmt: skip


def _tab_panel(
    tab: ScreenTab, fields: list[str], names: dict[str, str], at: str, ends: tuple[bool, bool]
) -> Panel:
    here = f"{at}/tabs/{tab.id}"
    rows = [
        ListRow(
            [Cell(names[field]), Cell(below=field)],
            [
                *order_acts(
                    f"{here}/fields/{field}/move", names[field], first=place == 0,
                    last=place == len(fields) - 1,
                ),
                Action("Remove", f"{here}/fields/{field}/remove", names[field], post=True),
            ],
        )
        for place, field in enumerate(fields)
    ]  # fmt: skip
    first, last = ends
    acts = [
        Action("Add fields", f"{here}/fields/add", f"to {tab.name}"),
        *order_acts(f"{here}/move", f"tab {tab.name}", first=first, last=last),
        Action("Rename", f"{here}/rename", f"tab {tab.name}"),
        *([] if first and last else [Action("Delete", f"{here}/delete", f"tab {tab.name}")]),
    ]
    return Panel(["Field", "ID"], rows, tab.name, empty="The tab has no fields.", acts=acts)


@admin_page
def add_tab(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Put a tab behind the others."""
    screen = PAGES.find(key)

    def write(sent: PageForm) -> str:
        made = screens.add_tab(screen, sent.text("name"), actor=who.rights)
        return f"Tab “{made.name}” added"

    inputs = [line("name", "Tab name", required=True)]
    sheet = FormPage("Add tab", request.path, f"{AT}/{screen.id}", inputs, "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def rename_tab(request: SandboxRequest, who: Visitor, key: int, tab: int) -> HttpResponse:
    """Give a tab another name."""
    found = screens.find_tab(PAGES.find(key), tab)

    def write(sent: PageForm) -> str:
        screens.rename_tab(found, sent.text("name"), actor=who.rights)
        return f"Tab “{found.name}” renamed"

    inputs = [line("name", "Tab name", found.name, required=True)]
    sheet = FormPage("Rename tab", request.path, f"{AT}/{key}", inputs, "Rename")
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def move_tab(request: SandboxRequest, who: Visitor, key: int, tab: int) -> HttpResponse:
    """Move a tab one place forward or back."""
    found = screens.find_tab(PAGES.find(key), tab)

    def write() -> str:
        order = list(found.screen.tabs.order_by("position", "id").values_list("id", flat=True))
        step = -1 if posted_text(request, "way") == "up" else 1
        screens.move_tab(found, order.index(found.id) + step, actor=who.rights)
        return f"Tab “{found.name}” moved"

    return act(request, who, write, back=f"{AT}/{key}", here=HERE)


@admin_page
def delete_tab(request: SandboxRequest, who: Visitor, key: int, tab: int) -> HttpResponse:
    """Delete a tab; its fields leave the screen."""
    found = screens.find_tab(PAGES.find(key), tab)

    def write(sent: PageForm) -> str:
        name = found.name
        screens.delete_tab(found, actor=who.rights)
        return f"Tab “{name}” deleted"

    sheet = FormPage(
        f"Delete tab: {found.name}", request.path, f"{AT}/{key}", button="Delete",
        said=say("The fields on it leave the screen; work items keep what they hold."), danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def add_fields(request: SandboxRequest, who: Visitor, key: int, tab: int) -> HttpResponse:
    """Put fields behind the others of a tab."""
    found = screens.find_tab(PAGES.find(key), tab)
    have = set(
        ScreenTabField.objects.filter(tab__screen=found.screen_id).values_list("field", flat=True)
    )
    names = screens.placeable_fields()
    free = sorted(
        ((id, name) for id, name in names.items() if id not in have),
        key=lambda pair: (pair[1].casefold(), pair[0]),
    )

    def write(sent: PageForm) -> str:
        wanted = sent.several("fields")
        if not wanted:
            raise Invalid(fields={"fields": "Choose the fields to add."})
        for field in wanted:
            screens.add_field(found, field, actor=who.rights)
        return f"{', '.join(names[field] for field in wanted)} added to “{found.name}”"

    inputs = [multiple("fields", "Fields", free)]
    sheet = FormPage(f"Add fields to {found.name}", request.path, f"{AT}/{key}", inputs, "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def move_field(
    request: SandboxRequest, who: Visitor, key: int, tab: int, field: str
) -> HttpResponse:
    """Move a field of a tab one place up or down."""
    found = screens.find_tab(PAGES.find(key), tab)

    def write() -> str:
        place = PLACES.get(posted_text(request, "way"))
        screens.move_field(found, field, after=None, position=place, actor=who.rights)
        return "Field moved"

    return act(request, who, write, back=f"{AT}/{key}", here=HERE)


@admin_form
def remove_field(
    request: SandboxRequest, who: Visitor, key: int, tab: int, field: str
) -> HttpResponse:
    """Take a field off a tab."""
    found = screens.find_tab(PAGES.find(key), tab)

    def write() -> str:
        screens.remove_field(found, field, actor=who.rights)
        return "Field removed from the screen"

    return act(request, who, write, back=f"{AT}/{key}", here=HERE)
