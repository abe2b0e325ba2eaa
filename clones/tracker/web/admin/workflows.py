"""Workflows of the site: their list with where they are used, and what each consists of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import (
    Action,
    Cell,
    Link,
    ListPage,
    ListRow,
    Panel,
    SearchForm,
    Tab,
)
from clones.core.web.paging import page_from
from clones.tracker.domain import workflows
from clones.tracker.domain.errors import NotFound
from clones.tracker.domain.scheme_parts import one_of
from clones.tracker.domain.workflow_copies import begin_workflow, copy_workflow
from clones.tracker.models import Status, Transition, Workflow, WorkflowStatus
from clones.tracker.queries.workflow_drafts import has_draft
from clones.tracker.queries.workflows import statuses_of, transitions_of, uses_of
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import admin_page, ask
from clones.tracker.web.admin.inputs import named, select
from clones.tracker.web.admin.lists import admin_view, crumbs_of, spaces_cell
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.workflow_links import editor_address, workflow_address
from clones.tracker.web.parts.times import when
from clones.tracker.web.settings.forms import FormPage, Input
from clones.tracker.web.vocabulary import say

HERE: Final = "workflows"
AT: Final = address_of(HERE)
SCHEMES: Final = address_of("workflow-schemes")
SCREENS: Final = address_of("screens")
STATUSES: Final = address_of("statuses")
TYPES: Final = {"INITIAL": "Create", "GLOBAL": "Any status", "DIRECTED": "From statuses"}


@admin_page
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List workflows, active ones or those that nothing uses (ListWorkflows once)."""
    text = request.GET.get("query", "").strip()
    inactive = request.GET.get("tab") == "inactive"
    rows = Workflow.objects.filter(project=None)
    if text:
        rows = rows.filter(name__icontains=text)
    every = list(rows.values_list("id", flat=True))
    used = {key for key, uses in uses_of(every).items() if uses.schemes}
    rows = rows.exclude(id__in=used) if inactive else rows.filter(id__in=used)
    pages = page_from(request, rows.order_by("name", "id"))
    uses = uses_of([row.id for row in pages.rows])
    panel = Panel(
        ["Name", "Last modified", "Schemes", "Spaces"],
        [
            ListRow(
                [
                    Cell(
                        row.name, workflow_address(row), row.description,
                        tags=[
                            *(["System"] if row.is_system else []),
                            *(["Draft"] if has_draft(row) else []),
                        ],
                    ),
                    Cell(when(row.updated, who.rights.zone)),
                    Cell(
                        links=[
                            Link(one.name, "" if one.is_default else f"{SCHEMES}/{one.id}")
                            for one in uses[row.id].schemes
                        ]
                    ),
                    spaces_cell(uses[row.id].projects),
                ],
                _acts(row, in_use=bool(uses[row.id].schemes or uses[row.id].in_drafts)),
                row,
            )
            for row in pages.rows
        ],
        empty="No workflows were found.",
    )  # fmt: skip
    inputs = [Input("tab", "Status", "hidden", "inactive" if inactive else "active")]
    tabs = [
        Tab("Active", AT, not inactive),
        Tab("Inactive", f"{AT}?tab=inactive", inactive),
    ]
    return admin_view(
        request,
        who,
        ListPage(
            "Workflows", HERE, [panel],
            acts=[Action("Create workflow", f"{AT}/create", primary=True)],
            said="The ways that work takes. A workflow is active as long as a scheme names it.",
            search=SearchForm("Search workflows", text, inputs), pages=pages, tabs=tabs,
        ),
    )  # fmt: skip


def _acts(row: Workflow, *, in_use: bool) -> list[Action]:
    editor = editor_address(row)
    return [
        *([Action("Edit", editor, row.name, whole=True)] if editor and not row.is_system else []),
        Action("Copy", f"{workflow_address(row)}/copy", row.name),
        *(
            []
            if in_use or row.is_system
            else [Action("Delete", f"{workflow_address(row)}/delete", row.name)]
        ),
    ]


def _find(uuid: str) -> Workflow:
    found = workflows.workflows_by_id([uuid]).get(uuid)
    if found is None or found.project_id is not None:
        raise NotFound(workflows.NOT_FOUND)
    return found


@admin_page
def details(request: SandboxRequest, who: Visitor, uuid: str) -> HttpResponse:
    """Show a workflow as a list: its statuses, its transitions, where it is used."""
    flow = _find(uuid)
    places = statuses_of([flow.id])[flow.id]
    names = {place.status_id: place.status.name for place in places}
    uses = uses_of([flow.id])[flow.id]
    schemes = Panel(
        ["Scheme"],
        [
            ListRow([Cell(one.name, "" if one.is_default else f"{SCHEMES}/{one.id}")], record=one)
            for one in uses.schemes
        ],
        "Workflow schemes",
        empty="No scheme names this workflow.",
    )
    spaces = Panel(
        ["Space", "Key"],
        [ListRow([Cell(one.name, f"/browse/{one.key}"), Cell(one.key)]) for one in uses.projects],
        say("Spaces"),
        empty="No space uses this workflow.",
    )
    return admin_view(
        request,
        who,
        ListPage(
            flow.name, HERE,
            [
                _statuses(places),
                _transitions(transitions_of([flow.id])[flow.id], names),
                schemes,
                spaces,
            ],
            flow.description,
            _acts(flow, in_use=bool(uses.schemes or uses.in_drafts)),
            [
                ("Version", Cell(str(flow.version))),
                ("Last modified", Cell(when(flow.updated, who.rights.zone))),
            ],
            crumbs=crumbs_of(HERE), record=flow,
        ),
    )  # fmt: skip


def _statuses(places: Sequence[WorkflowStatus]) -> Panel:
    return Panel(
        ["Status", "Category"],
        [
            ListRow(
                [
                    Cell(place.status.name, f"{STATUSES}/{place.status_id}"),
                    Cell(_category(place.status), lozenge=place.status.category),
                ]
            )
            for place in places
        ],
        "Statuses",
    )


def _category(status: Status) -> str:
    return {"indeterminate": "In Progress", "done": "Done"}.get(status.category, "To Do")


def _transitions(rows: Sequence[Transition], names: dict[int, str]) -> Panel:
    return Panel(
        ["Transition", "From", "To", "Screen", "Rules"],
        [
            ListRow(
                [
                    Cell(row.name, below=row.description),
                    Cell(_sources(row, names)),
                    Cell("Itself" if row.to_status is None else row.to_status.name),
                    Cell("None")
                    if row.screen is None
                    else Cell(row.screen.name, f"{SCREENS}/{row.screen.id}"),
                    Cell(_rules(row)),
                ]
            )
            for row in rows
        ],
        "Transitions",
    )


def _sources(row: Transition, names: dict[int, str]) -> str:
    if row.type != "DIRECTED":
        return TYPES[row.type]
    return ", ".join(names.get(int(one["status"]), str(one["status"])) for one in row.sources)


def _rules(row: Transition) -> str:
    """Return how many rules of each kind a transition has."""
    conditions = _leaves(row.conditions)
    counts = (
        (conditions, "condition"),
        (len(row.validators), "validator"),
        (len(row.actions), "post function"),
    )
    said = [f"{number} {name}{'' if number == 1 else 's'}" for number, name in counts if number]
    return ", ".join(said) or "None"


def _leaves(tree: object) -> int:
    if not isinstance(tree, dict):
        return 0
    return len(tree.get("conditions") or ()) + sum(map(_leaves, tree.get("groups") or ()))


def _open(flow: Workflow) -> str:
    """Return where a workflow that was just made is worked on."""
    return editor_address(flow) or workflow_address(flow)


@admin_page
def create(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Make a workflow of one status, in which work begins."""
    rows = Status.objects.filter(project=None).order_by("name", "id")

    def write(sent: PageForm) -> tuple[str, str]:
        status = one_of(rows, sent.text("status"), "Choose the status in which work begins.")
        made = begin_workflow(sent.text("name"), sent.text("description"), status, actor=who.rights)
        return f"Workflow “{made.name}” created", _open(made)

    pairs = rows.values_list("id", "name")
    first = select("status", "First status", pairs, required=True, none="Choose a status")
    sheet = FormPage("Create workflow", request.path, AT, [*named(), first], "Create")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def copy(request: SandboxRequest, who: Visitor, uuid: str) -> HttpResponse:
    """Make a workflow with the statuses, transitions and rules of another one."""
    source = _find(uuid)

    def write(sent: PageForm) -> tuple[str, str]:
        made = copy_workflow(source, sent.text("name"), sent.text("description"), actor=who.rights)
        return f"Workflow “{made.name}” created", _open(made)

    inputs = named(f"Copy of {source.name}", source.description)
    sheet = FormPage(f"Copy workflow: {source.name}", request.path, AT, inputs, "Copy")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def delete(request: SandboxRequest, who: Visitor, uuid: str) -> HttpResponse:
    """Delete a workflow that nothing uses."""
    flow = _find(uuid)

    def write(sent: PageForm) -> str:
        workflows.delete_workflow(flow.uuid, actor=who.rights)
        return f"Workflow “{flow.name}” deleted"

    sheet = FormPage(
        f"Delete workflow: {flow.name}", request.path, AT, button="Delete",
        said="A workflow can be deleted as long as no scheme names it.", danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)
