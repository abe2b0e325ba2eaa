"""Categories of spaces."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, ListPage, ListRow, Panel
from clones.tracker.domain import categories
from clones.tracker.domain.scheme_parts import one_of
from clones.tracker.models import Project, ProjectCategory
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import admin_page, ask
from clones.tracker.web.admin.inputs import named
from clones.tracker.web.admin.lists import admin_view, spaces_cell
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.settings.forms import FormPage
from clones.tracker.web.vocabulary import say

HERE: Final = "categories"
AT: Final = address_of(HERE)


def _find(key: int) -> ProjectCategory:
    return one_of(ProjectCategory.objects.all(), key, "The project category was not found.")


@admin_page
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List categories with their spaces (the vendor's ViewProjectCategories page)."""
    found = list(ProjectCategory.objects.order_by("name", "id"))
    spaces: dict[int, list[Project]] = {row.id: [] for row in found}
    rows = Project.objects.filter(category__in=found, deleted_at=None).order_by("id")
    for project in rows:
        spaces[project.category_id or 0].append(project)
    panel = Panel(
        ["Name", "Spaces"],
        [
            ListRow(
                [Cell(row.name, below=row.description), spaces_cell(spaces[row.id])],
                [
                    Action("Edit", f"{AT}/{row.id}", row.name),
                    Action("Delete", f"{AT}/{row.id}/delete", row.name),
                ],
                row,
            )
            for row in found
        ],
        empty="There are no categories.",
    )
    return admin_view(
        request,
        who,
        ListPage(
            "Space categories", HERE, [panel],
            acts=[Action("Add category", f"{AT}/add", primary=True)],
        ),
    )  # fmt: skip


@admin_page
def add(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Make a category."""

    def write(sent: PageForm) -> str:
        made = categories.create_category(
            sent.text("name"), sent.text("description"), actor=who.rights
        )
        return f"Category “{made.name}” added"

    sheet = FormPage(say("Add space category"), request.path, AT, named(), "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def edit(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Change a category."""
    found = _find(key)

    def write(sent: PageForm) -> str:
        categories.update_category(
            found, sent.text("name"), sent.text("description"), actor=who.rights
        )
        return f"Category “{found.name}” updated"

    inputs = named(found.name, found.description)
    sheet = FormPage(say("Edit space category"), request.path, AT, inputs)
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def delete(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Delete a category; its spaces stay without one."""
    found = _find(key)

    def write(sent: PageForm) -> str:
        name = found.name
        categories.delete_category(found, actor=who.rights)
        return f"Category “{name}” deleted"

    sheet = FormPage(
        f"Delete category: {found.name}", request.path, AT, button="Delete",
        said=say("Its spaces stay, without a category."), danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)
