"""Screen schemes: which screen is shown for each operation."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, Link, ListPage, ListRow, Panel
from clones.tracker.domain import screen_schemes as schemes
from clones.tracker.domain.scheme_parts import key_of, one_of
from clones.tracker.models import Screen, ScreenScheme
from clones.tracker.queries.schemes import classic_screen_schemes, uses_of_screen_schemes
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import admin_page, ask
from clones.tracker.web.admin.inputs import named, select
from clones.tracker.web.admin.lists import admin_view, crumbs_of
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.settings.forms import FormPage, Input, text_of
from clones.tracker.web.vocabulary import Words, said, say, words

HERE: Final = "screen-schemes"
AT: Final = address_of(HERE)
SCREENS: Final = address_of("screens")
TYPE_SCREENS: Final = address_of("type-screens")
# What an operation is called; the default screen counts where an operation has none.
OPERATIONS: Final = (
    ("default", "Default"),
    ("create", "Create work item"),
    ("edit", "Edit work item"),
    ("view", "View work item"),
)


def _find(key: int) -> ScreenScheme:
    rows = classic_screen_schemes().select_related("default", "create", "edit", "view")
    return one_of(rows, key, schemes.GONE)


@admin_page
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List schemes with their screens (the vendor's ViewFieldScreenSchemes page)."""
    rows = classic_screen_schemes().select_related("default", "create", "edit", "view")
    found = list(rows.order_by("name", "id"))
    uses = uses_of_screen_schemes([row.id for row in found])
    in_words = words()
    panel = Panel(
        ["Name", "Screens", "Work type screen schemes"],
        [
            ListRow(
                [
                    Cell(row.name, f"{AT}/{row.id}", row.description),
                    Cell(links=_screens(row, in_words)),
                    Cell(
                        links=[
                            Link(one.name, f"{TYPE_SCREENS}/{one.id}")
                            for one in uses.get(row.id, [])
                        ]
                    ),
                ],
                [
                    Action("Edit", f"{AT}/{row.id}/edit", row.name),
                    *(
                        []
                        if uses.get(row.id)
                        else [Action("Delete", f"{AT}/{row.id}/delete", row.name)]
                    ),
                ],
                row,
            )
            for row in found
        ],
    )
    return admin_view(
        request,
        who,
        ListPage(
            "Screen schemes", HERE, [panel],
            acts=[Action("Add screen scheme", f"{AT}/add", primary=True)],
            said=say("Which screen people see when they make, change or look at a work item."),
        ),
    )  # fmt: skip


def _screens(row: ScreenScheme, used: Words) -> list[Link]:
    return [
        Link(f"{said(label, used)}: {screen.name}", f"{SCREENS}/{screen.id}")
        for operation, label in OPERATIONS
        if (screen := getattr(row, operation)) is not None
    ]


def _inputs(row: ScreenScheme | None = None) -> list[Input]:
    pairs = list(Screen.objects.order_by("name", "id").values_list("id", "name"))
    first = named() if row is None else named(row.name, row.description)
    return [
        *first,
        *(
            select(
                operation,
                f"{label} screen" if operation == "default" else label,
                pairs,
                None if row is None else getattr(row, f"{operation}_id"),
                required=operation == "default",
                none="Choose a screen" if operation == "default" else "The default screen",
            )
            for operation, label in OPERATIONS
        ),
    ]


def _chosen(request: SandboxRequest) -> dict[str, int | None]:
    return {name: key_of(text_of(request, name)) or None for name, _ in OPERATIONS}


@admin_page
def add(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Make a scheme."""

    def write(sent: PageForm) -> tuple[str, str]:
        made = schemes.create_screen_scheme(
            sent.text("name"),
            sent.text("description"),
            _chosen(request),
            actor=who.rights,
        )
        return f"Screen scheme “{made.name}” added", f"{AT}/{made.id}"

    sheet = FormPage("Add screen scheme", request.path, AT, _inputs(), "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def details(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show the screen of each operation, and where the scheme is used."""
    row = _find(key)
    rows, in_words = [], words()
    for operation, label in OPERATIONS:
        screen: Screen | None = getattr(row, operation)
        shown = (
            Cell(below="The default screen")
            if screen is None
            else Cell(screen.name, f"{SCREENS}/{screen.id}")
        )
        rows.append(ListRow([Cell(said(label, in_words)), shown]))
    uses = uses_of_screen_schemes([row.id]).get(row.id, [])
    used = Panel(
        ["Name"],
        [ListRow([Cell(one.name, f"{TYPE_SCREENS}/{one.id}")], record=one) for one in uses],
        say("Work type screen schemes"),
        empty="No work type screen scheme has this scheme.",
    )
    at = f"{AT}/{row.id}"
    return admin_view(
        request,
        who,
        ListPage(
            row.name, HERE, [Panel(["Operation", "Screen"], rows, "Screens"), used],
            row.description,
            [Action("Edit", f"{at}/edit"), *([] if uses else [Action("Delete", f"{at}/delete")])],
            crumbs=crumbs_of(HERE), record=row,
        ),
    )  # fmt: skip


@admin_page
def edit(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Change a scheme."""
    row = _find(key)

    def write(sent: PageForm) -> str:
        schemes.update_screen_scheme(
            row,
            sent.text("name"),
            sent.text("description"),
            _chosen(request),
            actor=who.rights,
        )
        return f"Screen scheme “{row.name}” updated"

    sheet = FormPage("Edit screen scheme", request.path, f"{AT}/{row.id}", _inputs(row))
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def delete(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Delete a scheme that is used for no type."""
    row = _find(key)

    def write(sent: PageForm) -> str:
        name = row.name
        schemes.delete_screen_scheme(row, actor=who.rights)
        return f"Screen scheme “{name}” deleted"

    sheet = FormPage(
        f"Delete screen scheme: {row.name}", request.path, AT, button="Delete",
        said="Its screens stay.", danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)
