"""All spaces of the site: those in use, archived ones, and those in the trash."""

from __future__ import annotations

from typing import Final

from django.db.models import Q
from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, ListPage, ListRow, Panel, SearchForm, Tab
from clones.core.web.paging import page_from
from clones.tracker.domain import project_removal as removal
from clones.tracker.domain.projects import update_project
from clones.tracker.domain.scheme_parts import key_of, one_of
from clones.tracker.models import Project, ProjectCategory
from clones.tracker.queries.projects import seen_projects, with_insight
from clones.tracker.queries.rights import find_project
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.inputs import IS, counted, select
from clones.tracker.web.admin.lists import admin_view
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.running import busy_with
from clones.tracker.web.parts.pictures import face
from clones.tracker.web.parts.times import when
from clones.tracker.web.settings.addresses import settings_address
from clones.tracker.web.settings.forms import FormPage, Input
from clones.tracker.web.vocabulary import say

HERE: Final = "spaces"
AT: Final = address_of(HERE)
TABS: Final = {"live": "Active", "archived": "Archived", "deleted": "Trash"}
TYPES: Final = (
    ("software", "Software"),
    ("service_desk", "Service management"),
    ("business", "Business"),
)
STYLES: Final = {"classic": "Company-managed", "next-gen": "Team-managed"}


@admin_page
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List spaces: with a text in their name or key, of a type, of a category."""
    tab = request.GET.get("tab", "live")
    tab = tab if tab in TABS else "live"
    text, kind = request.GET.get("query", "").strip(), request.GET.get("type", "")
    category = request.GET.get("category", "")
    rows = seen_projects(who.rights, [tab])
    if text:
        rows = rows.filter(Q(name__icontains=text) | Q(key__icontains=text))
    if kind in Project.TYPES:
        rows = rows.filter(type=kind)
    if category:
        rows = rows.filter(category=key_of(category))
    rows = with_insight(rows.select_related("lead", "category", "archived_by", "deleted_by"))
    pages = page_from(request, rows.order_by("name", "id"))
    busy = busy_with(removal.DELETE, "project")
    panel = Panel(
        ["Name", "Key", "Type", "Lead", "Category", "Work items", _moment(tab)],
        [_row(one, tab, who, busy=one.id in busy) for one in pages.rows],
        empty="No spaces were found.",
    )
    categories = ProjectCategory.objects.order_by("name", "id").values_list("id", "name")
    inputs = [
        select("type", "Type", TYPES, kind, none="All types"),
        select("category", "Category", categories, category, none="All categories"),
        Input("tab", "Status", "hidden", tab),
    ]
    tabs = [
        Tab(label, AT if key == "live" else f"{AT}?tab={key}", key == tab)
        for key, label in TABS.items()
    ]
    return admin_view(
        request,
        who,
        ListPage(
            "Manage spaces", HERE, [panel],
            acts=[Action("Create space", "/jira/create-project", primary=True)],
            search=SearchForm("Search spaces", text, inputs),
            pages=pages, tabs=tabs,
        ),
    )  # fmt: skip


def _moment(tab: str) -> str:
    return {"live": "Last update", "archived": "Archived", "deleted": "Deleted"}[tab]


def _row(one: Project, tab: str, who: Visitor, *, busy: bool) -> ListRow:
    moment, by = {
        "live": (getattr(one, "last_update", None), None),
        "archived": (one.archived_at, one.archived_by),
        "deleted": (one.deleted_at, one.deleted_by),
    }[tab]
    return ListRow(
        [
            Cell(
                one.name, f"/browse/{one.key}" if tab != "deleted" else "",
                STYLES.get(one.style, ""), tags=["Being deleted"] if busy else [],
            ),
            Cell(one.key),
            Cell(dict(TYPES).get(one.type, one.type)),
            Cell(one.lead.display_name, picture=face(one.lead)),
            Cell("" if one.category is None else one.category.name),
            Cell(f"{getattr(one, 'issue_count', 0):,}"),
            Cell(when(moment, who.rights.zone), below="" if by is None else by.display_name),
        ],
        _acts(one, tab),
        one,
    )  # fmt: skip


def _acts(one: Project, tab: str) -> list[Action]:
    at = f"{AT}/{one.id}"
    if tab == "deleted":
        return [
            Action("Restore", f"{at}/restore", one.name, post=True),
            Action("Delete permanently", f"{at}/delete", one.name),
        ]
    if tab == "archived":
        return [Action("Restore", f"{at}/restore", one.name, post=True)]
    return [
        Action("Space settings", f"{settings_address(one)}/details", one.name, whole=True),
        Action("Edit category", f"{at}/category", one.name),
        Action("Archive", f"{at}/archive", one.name),
        Action("Move to trash", f"{at}/trash", one.name),
    ]


def _find(who: Visitor, key: int) -> Project:
    return find_project(who.rights, key, deleted=True)


@admin_page
def category(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Put a space into a category, or out of all."""
    project = _find(who, key)
    rows = ProjectCategory.objects.order_by("name", "id")

    def write(sent: PageForm) -> str:
        chosen = sent.text("category")
        found = one_of(rows, chosen, "The project category was not found.") if chosen else None
        update_project(project, {"category": found}, actor=who.rights)
        return f"Category of {project.name} updated"

    pairs = rows.values_list("id", "name")
    inputs = [select("category", "Category", pairs, project.category_id, none="None")]
    sheet = FormPage(f"Category of {project.name}", request.path, AT, inputs)
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def archive(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Put a space into the archive."""
    project = _find(who, key)

    def write(sent: PageForm) -> str:
        removal.archive_project(project, actor=who.rights)
        return f"{project.name} archived"

    sheet = FormPage(
        f"Archive {project.name}?", request.path, AT, button="Archive", danger=True,
        said=say("Its work items can be looked at, and changed no more. It can be restored."),
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def trash(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Put a space into the trash."""
    project = _find(who, key)

    def write(sent: PageForm) -> str:
        removal.trash_project(project, actor=who.rights)
        return f"{project.name} moved to trash"

    sheet = FormPage(
        f"Move {project.name} to trash?", request.path, AT, button="Move to trash", danger=True,
        said=say("The space and its work items are deleted for good after 60 days in the trash."),
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def restore(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Bring a space back from the archive or the trash."""
    project = _find(who, key)

    def write() -> str:
        removal.restore_project(project, actor=who.rights)
        return f"{project.name} restored"

    return act(request, who, write, back=AT, here=HERE)


@admin_page
def delete(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Begin to delete a space for good, with all that is in it."""
    project = _find(who, key)

    def write(sent: PageForm) -> str:
        removal.begin_deletion(project, actor=who.rights)
        return f"{project.name} is being deleted"

    count = counted(project.issues.all(), IS, "deleted with it. This cannot be undone.")
    sheet = FormPage(
        f"Delete {project.name} permanently?", request.path, f"{AT}?tab=deleted",
        button="Delete", said=count, danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)
