"""The components of a space: their list, and what is done to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.db.models import Q
from django.http import HttpResponse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm, number_of
from clones.core.web.paging import page_from
from clones.tracker.domain import components
from clones.tracker.domain.administration import project_admins_only, runs_project
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import Component, Project, User
from clones.tracker.queries.people import find_user, holding
from clones.tracker.queries.projects import components_of, find_component
from clones.tracker.web.access import Visitor
from clones.tracker.web.parts.pictures import face
from clones.tracker.web.releases.access import ask
from clones.tracker.web.settings.forms import FormPage, Input, chosen, people
from clones.tracker.web.shell import words
from clones.tracker.web.space.access import page_of_space, space_page
from clones.tracker.web.space.tabs import components_address

PEOPLE: Final = 500
ACTIVE: Final = "components"
ASSIGNEES: Final = {
    "PROJECT_DEFAULT": "{Space} default",
    "COMPONENT_LEAD": "Component lead",
    "PROJECT_LEAD": "{Space} lead",
    "UNASSIGNED": "Unassigned",
}


@dataclass(frozen=True, slots=True)
class ComponentItem:
    """A component in the list."""

    component: Component
    lead: str
    face: str
    assignee: str
    count: int
    issues: str
    address: str


def assignees() -> dict[str, str]:
    """Return what the types of default assignees are called on the site, by their keys."""
    space = words().space.capitalize()
    return {key: name.format(Space=space) for key, name in ASSIGNEES.items()}


@page_of_space
def show(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show the components of a space: `contains` narrows them, `startAt` pages."""
    text = request.GET.get("contains", "").strip()
    found = components_of(project)
    if text:
        found = found.filter(Q(name__icontains=text) | Q(description__icontains=text))
    listed = page_from(request, found)
    for row in listed.rows:
        sightings.note(row, "list")
    here = components_address(project)

    def page_at(start: int | None) -> str:
        if start is None:
            return ""
        return f"{here}?{urlencode({'contains': text, 'startAt': start})}"

    kinds = assignees()
    context = {
        "lines": [_line(row, project, kinds) for row in listed.rows],
        "contains": text,
        "page": listed,
        "before": page_at(listed.before),
        "after": page_at(listed.after),
        "manages": runs_project(who.rights, project),
        "here": here,
    }
    return space_page(
        request, who, project, "tracker/space/components.html", context,
        name="Components", current=ACTIVE,
    )  # fmt: skip


def _line(row: Any, project: Project, kinds: Mapping[str, str]) -> ComponentItem:
    query = {"jql": f'project = "{project.key}" AND component = {row.id} ORDER BY created DESC'}
    return ComponentItem(
        row,
        row.lead.display_name if row.lead is not None else "",
        face(row.lead) if row.lead is not None else "",
        kinds[row.assignee_type],
        row.issue_count,
        f"/issues/?{urlencode(query)}",
        f"{components_address(project)}/{row.id}",
    )


def _component(who: Visitor, project: Project, component: int) -> Component:
    found = find_component(who.rights, str(component))
    if found.project_id != project.id:
        raise NotFound(f"The component with id {component} does not exist.")
    return found


@page_of_space
def create(request: SandboxRequest, who: Visitor, project: Project) -> HttpResponse:
    """Show the form of a new component, or take it."""
    project_admins_only(who.rights, project, components.NOT_ALLOWED)
    here = components_address(project)
    sheet = _sheet("Create component", f"{here}/create", Component(project=project), who)

    def write(sent: PageForm) -> str:
        components.create_component(project, actor=who.rights, **_read(sent))
        return f"Component {sent.text('name')} created"

    return ask(request, who, project, sheet, write, active=ACTIVE)


@page_of_space
def edit(request: SandboxRequest, who: Visitor, project: Project, component: int) -> HttpResponse:
    """Show the form that changes a component, or take it."""
    project_admins_only(who.rights, project, components.NOT_ALLOWED)
    found = _component(who, project, component)
    here = components_address(project)
    sheet = _sheet("Edit component", f"{here}/{found.id}/edit", found, who)

    def write(sent: PageForm) -> str:
        components.update_component(found, _read(sent), actor=who.rights)
        return f"Component {found.name} updated"

    return ask(request, who, project, sheet, write, active=ACTIVE)


def _sheet(heading: str, action: str, component: Component, who: Visitor) -> FormPage:
    project = component.project
    holders = User.objects.filter(
        holding("BROWSE_PROJECTS", project, products=who.rights.product_groups), active=True
    )
    rows = list(holders.order_by("display_name", "id")[:PEOPLE])
    if component.lead is not None and component.lead not in rows:
        rows.append(component.lead)
    now = [component.lead.account_id] if component.lead is not None else []
    return FormPage(
        heading,
        action,
        components_address(project),
        [
            Input("name", "Name", value=component.name, required=True),
            Input("description", "Description", "area", component.description),
            Input("lead", "Component lead", "select", choices=people(rows, now), none="None"),
            Input(
                "assigneeType",
                "Default assignee",
                "select",
                choices=chosen(assignees().items(), [component.assignee_type]),
            ),
        ],
        "Save",
    )


def _read(sent: PageForm) -> dict[str, Any]:
    lead = sent.text("lead")
    return {
        "name": sent.text("name"),
        "description": sent.lines("description"),
        "lead": find_user(lead) if lead else None,
        "assignee_type": sent.text("assigneeType") or "PROJECT_DEFAULT",
    }


@page_of_space
def delete(request: SandboxRequest, who: Visitor, project: Project, component: int) -> HttpResponse:
    """Ask which component issues get in place of one that goes, and delete it."""
    project_admins_only(who.rights, project, components.NOT_ALLOWED)
    found = _component(who, project, component)
    here, name = components_address(project), found.name
    others = components_of(project).exclude(id=found.id)
    count = found.links.count()
    inputs = []
    if count:
        items = words().item if count == 1 else words().items
        rows = [(row.id, row.name) for row in others]
        label = f"{count} {items} with this component get"
        inputs = [Input("moveTo", label, "select", choices=chosen(rows, ()), none="No component")]
    sheet = FormPage(
        f"Delete {name}",
        f"{here}/{found.id}/delete",
        here,
        inputs,
        "Delete",
        "The component is removed for good." if count else f"No {words().item} has this component.",
        danger=True,
    )

    def write(sent: PageForm) -> str:
        target = number_of(sent.text("moveTo"))
        other = None if target is None else _component(who, project, target)
        components.delete_component(found, move_to=other, actor=who.rights)
        return f"Component {name} deleted"

    return ask(request, who, project, sheet, write, active=ACTIVE)
