"""Statuses of the site: their categories, and the workflows that have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, Link, ListPage, ListRow, Panel, SearchForm
from clones.core.web.paging import page_from
from clones.core.web.posted import posted_text
from clones.tracker.domain import statuses
from clones.tracker.domain.scheme_parts import one_of
from clones.tracker.domain.statuses import StatusValues
from clones.tracker.models import Issue, Project, Status, WorkflowStatus
from clones.tracker.queries.kinds import projects_with_status, workflows_with_status
from clones.tracker.rules.workflow.drafts import CATEGORIES
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import admin_page, ask
from clones.tracker.web.admin.inputs import HAS, counted, named, select
from clones.tracker.web.admin.lists import admin_view, crumbs_of
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.workflow_links import workflow_address
from clones.tracker.web.settings.forms import FormPage, Input
from clones.tracker.web.vocabulary import say

HERE: Final = "statuses"
AT: Final = address_of(HERE)
CATEGORY_NAMES: Final = (("TODO", "To Do"), ("IN_PROGRESS", "In Progress"), ("DONE", "Done"))


def _find(key: int) -> Status:
    return one_of(Status.objects.filter(project=None), key, "The status was not found.")


def category_name(status: Status) -> str:
    """Return what the category of a status is called."""
    return dict(CATEGORY_NAMES)[CATEGORIES[status.category]]


@admin_page
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List the site's statuses, with a text in their name or of a category."""
    text, category = request.GET.get("query", "").strip(), request.GET.get("category", "")
    rows = Status.objects.filter(project=None)
    if text:
        rows = rows.filter(name__icontains=text)
    if category in statuses.CATEGORIES:
        keys = [key for key, name in CATEGORIES.items() if name == category]
        rows = rows.filter(category__in=keys)
    pages = page_from(request, rows.order_by("name", "id"))
    flows = _workflows(pages.rows)
    panel = Panel(
        ["Name", "Category", "Workflows"],
        [
            ListRow(
                [
                    Cell(status.name, f"{AT}/{status.id}", status.description),
                    Cell(category_name(status), lozenge=status.category),
                    Cell(links=flows.get(status.id, [])),
                ],
                [
                    Action("Edit", f"{AT}/{status.id}/edit", status.name),
                    *([] if status.id in flows else [
                        Action("Delete", f"{AT}/{status.id}/delete", status.name)
                    ]),
                ],
                status,
            )
            for status in pages.rows
        ],
        empty="No statuses were found.",
    )  # fmt: skip
    inputs = [select("category", "Category", CATEGORY_NAMES, category, none="All categories")]
    return admin_view(
        request,
        who,
        ListPage(
            "Statuses", HERE, [panel], acts=[Action("Add status", f"{AT}/add", primary=True)],
            said=say("Where work stands. Team-managed spaces have statuses of their own."),
            search=SearchForm("Search statuses", text, inputs), pages=pages,
        ),
    )  # fmt: skip


def _workflows(found: Sequence[Status]) -> dict[int, list[Link]]:
    rows = WorkflowStatus.objects.filter(status__in=[status.id for status in found])
    links: dict[int, list[Link]] = {}
    for place in rows.select_related("workflow").order_by("workflow__name", "id"):
        link = Link(place.workflow.name, workflow_address(place.workflow))
        links.setdefault(place.status_id, []).append(link)
    return links


def _inputs(status: Status | None = None) -> list[Input]:
    now = "TODO" if status is None else CATEGORIES[status.category]
    return [
        *(named() if status is None else named(status.name, status.description)),
        select("category", "Category", CATEGORY_NAMES, now, required=True),
    ]


@admin_page
def details(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show where a status is used: in which workflows, in which spaces."""
    status = _find(key)
    flows = list(workflows_with_status(status).order_by("name", "id"))
    projects: list[Project] = list(projects_with_status(status).order_by("name", "id"))
    panels = [
        Panel(
            ["Workflow"],
            [ListRow([Cell(flow.name, workflow_address(flow))], record=flow) for flow in flows],
            "Workflows",
            empty="No workflow has this status.",
        ),
        Panel(
            ["Space", "Key"],
            [ListRow([Cell(one.name, f"/browse/{one.key}"), Cell(one.key)]) for one in projects],
            say("Spaces"),
            empty="No space uses this status.",
        ),
    ]
    at = f"{AT}/{status.id}"
    return admin_view(
        request,
        who,
        ListPage(
            status.name, HERE, panels, status.description,
            [Action("Edit", f"{at}/edit"), *([] if flows else [Action("Delete", f"{at}/delete")])],
            [("Category", Cell(category_name(status), lozenge=status.category))],
            crumbs=crumbs_of(HERE), record=status,
        ),
    )  # fmt: skip


def _values(request: SandboxRequest, id: str | None = None) -> StatusValues:
    return StatusValues(
        posted_text(request, "name"),
        posted_text(request, "category"),
        posted_text(request, "description"),
        id,
    )


@admin_page
def add(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Make a status of the site."""

    def write(sent: PageForm) -> str:
        (made,) = statuses.create_statuses(None, [_values(request)], actor=who.rights)
        return f"Status “{made.name}” added"

    sheet = FormPage("Add status", request.path, AT, _inputs(), "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def edit(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Change a status; its category is that of all work items in it at once."""
    status = _find(key)

    def write(sent: PageForm) -> str:
        values = _values(request, str(status.id))
        statuses.update_statuses([values], actor=who.rights)
        return f"Status “{values.name}” updated"

    issues = Issue.objects.filter(status=status)
    sheet = FormPage(
        "Edit status", request.path, AT, _inputs(status), said=counted(issues, HAS, "this status.")
    )
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def delete(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Delete a status that no workflow has."""
    status = _find(key)

    def write(sent: PageForm) -> str:
        statuses.delete_statuses([str(status.id)], actor=who.rights)
        return f"Status “{status.name}” deleted"

    sheet = FormPage(
        f"Delete status: {status.name}", request.path, AT, button="Delete",
        said="A status can be deleted as long as no workflow has it.", danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)
