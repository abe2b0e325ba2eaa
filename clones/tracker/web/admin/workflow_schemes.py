"""Workflow schemes: which workflow counts for which work type.

What a space uses is active: changes of it go to its draft, which takes its place when it is
published (`workflow_publishing.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, Link, ListPage, ListRow, Panel
from clones.core.web.posted import posted_texts
from clones.tracker.domain import workflow_schemes as schemes
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.scheme_parts import one_of
from clones.tracker.domain.workflow_switching import KINDS
from clones.tracker.models import IssueType, Project, Workflow, WorkflowScheme, WorkflowSchemeItem
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.inputs import check, checks, named, select, site_types
from clones.tracker.web.admin.lists import admin_view, crumbs_of, spaces_cell
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.running import busy_with
from clones.tracker.web.admin.workflow_links import workflow_address
from clones.tracker.web.settings.forms import FormPage, Input
from clones.tracker.web.vocabulary import say

HERE: Final = "workflow-schemes"
AT: Final = address_of(HERE)
Items = dict[int, dict[int, list[IssueType]]]


def busy_schemes() -> set[int]:
    """Return the schemes that are being put in a place, or whose work items are being moved."""
    return set().union(*(busy_with(kind, "scheme") for kind in KINDS))


def _items(keys: Collection[int]) -> Items:
    """Return the types that schemes name, by the scheme's id and the workflow's."""
    rows = WorkflowSchemeItem.objects.filter(scheme__in=keys).select_related("issue_type")
    found: Items = {key: {} for key in keys}
    for item in rows.order_by("issue_type__name", "id"):
        found[item.scheme_id].setdefault(item.workflow_id, []).append(item.issue_type)
    return found


def _spaces(keys: Collection[int]) -> dict[int, list[Project]]:
    rows = Project.objects.filter(workflow_scheme__in=keys, deleted_at=None)
    found: dict[int, list[Project]] = {key: [] for key in keys}
    for project in rows.order_by("name", "id"):
        found[project.workflow_scheme_id].append(project)
    return found


def find(key: int) -> WorkflowScheme:
    """Return a scheme of the site.

    Raises:
        NotFound: there is none, or it is a team-managed space's own.
    """
    found = schemes.find_scheme(key)
    if found.default_workflow.project_id is not None:
        raise NotFound(schemes.NOT_FOUND)
    return found


@admin_page
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List schemes with their workflows and spaces; the default one is the site's own."""
    rows = WorkflowScheme.objects.filter(draft_of=None, default_workflow__project=None)
    found = list(rows.select_related("default_workflow").order_by("-is_default", "name", "id"))
    keys = [row.id for row in found]
    items, spaces, busy = _items(keys), _spaces(keys), busy_schemes()
    drafts = set(
        WorkflowScheme.objects.filter(draft_of__in=keys).values_list("draft_of_id", flat=True)
    )
    flows = Workflow.objects.in_bulk({key for scheme in items.values() for key in scheme})
    panel = Panel(
        ["Name", "Workflows", "Spaces"],
        [
            ListRow(
                [
                    Cell(
                        row.name, f"{AT}/{row.id}", row.description,
                        tags=[
                            *(["Default"] if row.is_default else []),
                            *(["Draft"] if row.id in drafts else []),
                            *(["Being published"] if row.id in busy else []),
                        ],
                    ),
                    Cell(links=_flow_links(row, items[row.id], flows)),
                    spaces_cell(spaces[row.id]),
                ],
                [
                    Action("Copy", f"{AT}/{row.id}/copy", row.name),
                    *(
                        [Action("Delete", f"{AT}/{row.id}/delete", row.name)]
                        if not spaces[row.id] and not row.is_default
                        else []
                    ),
                ],
                row,
            )
            for row in found
        ],
    )  # fmt: skip
    return admin_view(
        request,
        who,
        ListPage(
            "Workflow schemes", HERE, [panel],
            acts=[Action("Add workflow scheme", f"{AT}/add", primary=True)],
            said="Which workflow work goes through, by its type.",
        ),
    )  # fmt: skip


def _flow_links(
    scheme: WorkflowScheme, items: Collection[int], flows: Mapping[int, Workflow]
) -> list[Link]:
    every = {scheme.default_workflow_id: scheme.default_workflow}
    every |= {key: flows[key] for key in items}
    return [Link(flow.name, workflow_address(flow)) for flow in every.values()]


@admin_page
def add(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Make a scheme; without a default workflow it has the site's own."""

    def write(sent: PageForm) -> tuple[str, str]:
        made = schemes.create_scheme(
            sent.text("name"),
            sent.text("description"),
            sent.text("defaultWorkflow") or None,
            {},
            actor=who.rights,
        )
        return f"Workflow scheme “{made.name}” added", f"{AT}/{made.id}"

    pairs = [(name, name) for _, name in _site_flows()]
    flow = select("defaultWorkflow", "Default workflow", pairs, none="The system's workflow")
    sheet = FormPage("Add workflow scheme", request.path, AT, [*named(), flow], "Add")
    return ask(request, who, sheet, write, here=HERE)


def _site_flows() -> list[tuple[int, str]]:
    rows = Workflow.objects.filter(project=None).order_by("name", "id")
    return list(rows.values_list("id", "name"))


@admin_page
def copy(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Make a scheme with the workflows of another one."""
    source = find(key)

    def write(sent: PageForm) -> tuple[str, str]:
        flows = {flow.id: flow.name for flow in Workflow.objects.filter(project=None)}
        items = {str(kind): flows[flow] for kind, flow in schemes.items_of(source).items()}
        made = schemes.create_scheme(
            sent.text("name"),
            sent.text("description"),
            source.default_workflow.name,
            items,
            actor=who.rights,
        )
        return f"Workflow scheme “{made.name}” added", f"{AT}/{made.id}"

    inputs = named(f"Copy of {source.name}", source.description)
    sheet = FormPage("Copy workflow scheme", request.path, AT, inputs, "Copy")
    return ask(request, who, sheet, write, here=HERE)


@admin_page
def details(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show the workflows of a scheme by type; of a scheme with a draft, the draft's first."""
    scheme = find(key)
    draft = schemes.find_draft(scheme)
    original = request.GET.get("view") == "original"
    target = scheme if draft is None or original else draft
    at = f"{AT}/{scheme.id}"
    editable = not scheme.is_default and (draft is None or not original)
    spaces = Panel(
        ["Space", "Key"],
        [
            ListRow([Cell(one.name, f"/browse/{one.key}"), Cell(one.key)], record=one)
            for one in _spaces([scheme.id])[scheme.id]
        ],
        say("Spaces"),
        empty="No space uses this scheme.",
    )
    said = scheme.description
    acts = [Action("Edit", f"{at}/edit")] if editable else []
    if draft is not None:
        view = "published scheme" if original else "draft, which is not in use yet"
        said = f"{said} This is the {view}.".strip()
        other = (
            Action("View draft", at, whole=True)
            if original
            else Action("View original", f"{at}?view=original", whole=True)
        )
        acts = [
            *acts, other, Action("Discard draft", f"{at}/discard"),
            Action("Publish draft", f"{at}/publish", primary=True),
        ]  # fmt: skip
    elif not scheme.is_default and not spaces.rows:
        acts = [*acts, Action("Delete", f"{at}/delete")]
    if scheme.id in busy_schemes():
        said = f"{said} The scheme is being published.".strip()
    return admin_view(
        request,
        who,
        ListPage(
            target.name, HERE, [_mapping(target, at, editable=editable), spaces], said, acts,
            crumbs=crumbs_of(HERE), record=target,
        ),
    )  # fmt: skip


def _mapping(target: WorkflowScheme, at: str, *, editable: bool) -> Panel:
    """Return the table of workflows and their types."""
    items = _items([target.id])[target.id]
    flows = Workflow.objects.in_bulk({*items, target.default_workflow_id})
    order = sorted(flows.values(), key=lambda one: (one.name.casefold(), one.id))
    rows = []
    for flow in order:
        named = [kind.name for kind in items.get(flow.id, [])]
        if flow.id == target.default_workflow_id:
            named.append(say("All unassigned work types"))
        acts = [
            Action("Assign", f"{at}/workflows/{flow.uuid}", flow.name),
            Action("Remove", f"{at}/workflows/{flow.uuid}/remove", flow.name, post=True),
        ]
        cells = [Cell(flow.name, workflow_address(flow), flow.description), Cell(", ".join(named))]
        rows.append(ListRow(cells, acts if editable else [], flow))
    acts = [Action("Add workflow", f"{at}/workflows/add")] if editable else []
    return Panel(["Workflow", "Work types"], rows, "Workflows", acts=acts)


@admin_page
def edit(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Change a scheme's name and description, in its draft where it is active."""
    scheme = find(key)
    shown = schemes.find_draft(scheme) or scheme

    def write(sent: PageForm) -> str:
        target = schemes.editable(scheme, draft=True, actor=who.rights)
        values = {name: sent.text(name) for name in ("name", "description")}
        if not values["name"]:
            schemes.checked_name("")
        schemes.update_scheme(target, values, actor=who.rights)
        return f"Workflow scheme “{target.name}” updated"

    inputs = named(shown.name, shown.description)
    sheet = FormPage("Edit workflow scheme", request.path, f"{AT}/{scheme.id}", inputs)
    return ask(request, who, sheet, write, here=HERE)


def _type_inputs(now: Collection[int], *, default: bool) -> list[Input]:
    return [
        checks("types", "Work types", site_types(), now),
        check("default", "All unassigned work types", on=default),
    ]


def _chosen_types(request: SandboxRequest) -> list[IssueType]:
    return [schemes.type_of(str(one)) for one in posted_texts(request, "types")]


@admin_page
def add_workflow(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Name a workflow for types in a scheme."""
    scheme = find(key)

    def write(sent: PageForm) -> str:
        rows = Workflow.objects.filter(project=None)
        flow = one_of(rows, sent.text("workflow"), schemes.NO_WORKFLOW)
        types, default = _chosen_types(request), sent.ticked("default")
        if not types and not default:
            raise Invalid(
                fields={"types": say("Choose the work types that go through the workflow.")}
            )
        target = schemes.editable(scheme, draft=True, actor=who.rights)
        schemes.set_types(target, flow, types, whole=False, default=default, actor=who.rights)
        return f"Workflow “{flow.name}” added"

    flow = select("workflow", "Workflow", _site_flows(), required=True, none="Choose a workflow")
    inputs = [flow, *_type_inputs((), default=False)]
    sheet = FormPage("Add workflow", request.path, f"{AT}/{scheme.id}", inputs, "Add")
    return ask(request, who, sheet, write, here=HERE)


def _flow(uuid: str) -> Workflow:
    found = Workflow.objects.filter(uuid=uuid, project=None).first()
    if found is None:
        raise NotFound(schemes.NO_WORKFLOW)
    return found


@admin_page
def assign(request: SandboxRequest, who: Visitor, key: int, uuid: str) -> HttpResponse:
    """Say which types go through a workflow of a scheme; others that did lose it."""
    scheme = find(key)
    shown = schemes.find_draft(scheme) or scheme
    flow = _flow(uuid)
    now = [kind for kind, mine in schemes.items_of(shown).items() if mine == flow.id]

    def write(sent: PageForm) -> str:
        types = _chosen_types(request)
        target = schemes.editable(scheme, draft=True, actor=who.rights)
        schemes.set_types(
            target, flow, types, whole=True, default=sent.ticked("default"),
            actor=who.rights,
        )  # fmt: skip
        return f"{say('Work types of')} “{flow.name}” updated"

    inputs = _type_inputs(now, default=shown.default_workflow_id == flow.id)
    sheet = FormPage(
        f"{say('Assign work types')} to {flow.name}", request.path, f"{AT}/{scheme.id}", inputs
    )
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def remove_workflow(request: SandboxRequest, who: Visitor, key: int, uuid: str) -> HttpResponse:
    """Take a workflow out of a scheme; its types are left to the default one."""
    scheme = find(key)
    flow = _flow(uuid)

    def write() -> str:
        target = schemes.editable(scheme, draft=True, actor=who.rights)
        schemes.unset_workflow(target, flow, actor=who.rights)
        return f"Workflow “{flow.name}” removed"

    return act(request, who, write, back=f"{AT}/{scheme.id}", here=HERE)


@admin_page
def delete(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Delete a scheme that no space uses."""
    scheme = find(key)

    def write(sent: PageForm) -> str:
        name = scheme.name
        schemes.delete_scheme(scheme, actor=who.rights)
        return f"Workflow scheme “{name}” deleted"

    sheet = FormPage(
        f"Delete workflow scheme: {scheme.name}", request.path, AT, button="Delete",
        said="Its workflows stay.", danger=True,
    )  # fmt: skip
    return ask(request, who, sheet, write, here=HERE)
