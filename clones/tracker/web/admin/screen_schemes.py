"""Screen schemes: which screen is shown for each operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import QuerySet
from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, Link, ListPage, ListRow, Panel
from clones.tracker.domain import screen_schemes as schemes
from clones.tracker.domain.scheme_parts import key_of
from clones.tracker.domain.screen_schemes import SCREEN_SCHEME
from clones.tracker.models import Screen, ScreenScheme
from clones.tracker.queries.schemes import uses_of_screen_schemes
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import admin_page
from clones.tracker.web.admin.inputs import select
from clones.tracker.web.admin.lists import admin_view, crumbs_of
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.resources import AdminPages
from clones.tracker.web.settings.forms import Input
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


class ScreenSchemePages(AdminPages[ScreenScheme]):
    """The list of schemes and their forms (the vendor's ViewFieldScreenSchemes page)."""

    resource = SCREEN_SCHEME
    here = HERE
    title = "Screen schemes"
    noun = "screen scheme"
    gone = schemes.GONE
    said = "Which screen people see when they make, change or look at a work item."
    columns = ("Name", "Screens", "Work type screen schemes")
    has_details = True
    leaves = "Its screens stay."

    def records(self) -> QuerySet[ScreenScheme]:
        """Return the schemes of company-managed spaces with their screens."""
        return super().records().select_related("default", "create", "edit", "view")

    def list_rows(self, found: Sequence[ScreenScheme]) -> list[ListRow]:
        """Return the schemes with their screens, and where they are used."""
        uses, in_words = uses_of_screen_schemes([row.id for row in found]), words()
        return [
            ListRow(
                [
                    self.name_cell(row),
                    Cell(links=_screens(row, in_words)),
                    Cell(
                        links=[
                            Link(one.name, f"{TYPE_SCREENS}/{one.id}")
                            for one in uses.get(row.id, [])
                        ]
                    ),
                ],
                self.acts(row, found, goes=not uses.get(row.id)),
                row,
            )
            for row in found
        ]

    def inputs(self, found: ScreenScheme | None) -> list[Input]:
        """Return what is asked, with the screen of each operation."""
        pairs = list(Screen.objects.order_by("name", "id").values_list("id", "name"))
        screens = [
            select(
                operation,
                f"{label} screen" if operation == "default" else label,
                pairs,
                None if found is None else getattr(found, f"{operation}_id"),
                required=operation == "default",
                none="Choose a screen" if operation == "default" else "The default screen",
            )
            for operation, label in OPERATIONS
        ]
        return [*super().inputs(found), *screens]

    def values(self, sent: PageForm, found: ScreenScheme | None) -> dict[str, Any]:
        """Return what was sent, with the ids of the screens by operation."""
        screens = {name: key_of(sent.text(name)) or None for name, _ in OPERATIONS}
        return {**super().values(sent, found), "screens": screens}


PAGES: Final = ScreenSchemePages()


def _screens(row: ScreenScheme, used: Words) -> list[Link]:
    return [
        Link(f"{said(label, used)}: {screen.name}", f"{SCREENS}/{screen.id}")
        for operation, label in OPERATIONS
        if (screen := getattr(row, operation)) is not None
    ]


@admin_page
def details(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show the screen of each operation, and where the scheme is used."""
    row = PAGES.find(key)
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
