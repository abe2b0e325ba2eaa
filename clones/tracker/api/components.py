"""Components of spaces."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Q
from pydantic import Field

from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.admin_lists import AdminBody
from clones.tracker.api.operations import Query, actor, operation, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.projects import component_body
from clones.tracker.api.projects import ONE, project_of
from clones.tracker.api.query_params import PagedQuery, is_given
from clones.tracker.domain import components
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.models import Component, IssueComponent, User
from clones.tracker.queries.projects import components_of, find_component, ordered
from clones.tracker.queries.rights import find_project

Json = dict[str, Any]
PATH: Final = "/rest/api/3/component"
ORDERS: Final = {
    "name": ("name",),
    "description": ("description",),
    "lead": ("lead__display_name",),
    "issueCount": ("issue_count",),
}


class ListQuery(PagedQuery):
    """Filter, order and paging of a space's components."""

    order: str | None = Field(None, alias="orderBy")
    text: str | None = Field(None, alias="query")
    source: str | None = Field(None, alias="componentSource")


class SpacesQuery(ListQuery):
    """Filter, order and paging of components: the spaces that they are of."""

    projects: CommaList[str] = Field([], alias="projectIdsOrKeys")


class SourceQuery(Query):
    """The product whose components are listed: there are those of jira only."""

    source: str | None = Field(None, alias="componentSource")


class DeleteQuery(Query):
    """The component that issues get in place of one that is deleted."""

    to: str | None = Field(None, alias="moveIssuesTo")


class ComponentBody(AdminBody):
    """The attributes of a component that can be set."""

    name: str | None = None
    description: str | None = None
    lead: str | None = Field(None, alias="leadAccountId")
    assignee_type: str | None = Field(None, alias="assigneeType")
    project: str | None = None


def _component(call: Call) -> Component:
    return find_component(actor(call), call.path["id"])


def _lead(account: str | None) -> User | None:
    if not account:
        return None
    found = User.objects.filter(account_id=account, active=True).first()
    if found is None:
        text = f"The user with account ID '{account}' does not exist."
        raise Invalid(fields={"leadAccountId": text})
    return found


@operation(
    "createComponent",
    "POST",
    PATH,
    summary="Make a component of a space.",
    body=ComponentBody,
    access="anyone",
    status=201,
)
def create_component(call: Call) -> Json:
    """Make a component."""
    given = call.body
    if not given.project:
        raise Invalid(fields={"project": "The project must be specified."})
    made = components.create_component(
        find_project(actor(call), given.project),
        actor=actor(call),
        name=given.name or "",
        description=given.description or "",
        lead=_lead(given.lead),
        assignee_type=given.assignee_type or "PROJECT_DEFAULT",
    )
    return component_body(made, show(call))


@operation(
    "getComponent",
    "GET",
    PATH + "/{id}",
    summary="Show a component.",
    access="anyone",
)
def show_component(call: Call) -> Json:
    """Show a component."""
    return component_body(_component(call), show(call))


@operation(
    "updateComponent",
    "PUT",
    PATH + "/{id}",
    summary="Change a component; an empty lead leaves it without one.",
    body=ComponentBody,
    access="anyone",
)
def update_component(call: Call) -> Json:
    """Change a component."""
    given = call.body
    names = ("name", "description", "assignee_type")
    changes: Json = {
        name: getattr(given, name) for name in names if getattr(given, name) is not None
    }
    component = _component(call)
    if "lead" in given.model_fields_set:
        changes["lead"] = _lead(given.lead)
    changed = components.update_component(component, changes, actor=actor(call))
    return component_body(changed, show(call))


@operation(
    "deleteComponent",
    "DELETE",
    PATH + "/{id}",
    summary="Remove a component; its issues get another, or none.",
    query=DeleteQuery,
    access="anyone",
    status=204,
)
def delete_component(call: Call) -> None:
    """Remove a component."""
    component = _component(call)
    other = find_component(actor(call), call.query.to) if call.query.to else None
    components.delete_component(component, move_to=other, actor=actor(call))


@operation(
    "getComponentRelatedIssues",
    "GET",
    PATH + "/{id}/relatedIssueCounts",
    summary="Count the issues of a component.",
    access="anyone",
)
def count_issues(call: Call) -> Json:
    """Count a component's issues."""
    component = _component(call)
    count = IssueComponent.objects.filter(component=component).count()
    return {"self": show(call).url(f"component/{component.id}"), "issueCount": count}


def _listed(call: Call, rows: Any) -> Any:
    asked = call.query
    if asked.source not in (None, "", "jira", "auto", "compass"):
        raise Invalid(f"The component source '{asked.source}' is not valid.")
    if is_given(asked.text):
        text = asked.text
        rows = rows.filter(Q(name__icontains=text) | Q(description__icontains=text))
    return ordered(rows, (asked.order or "").strip(), ORDERS)


@operation(
    "getProjectComponentsPaginated",
    "GET",
    ONE + "/component",
    summary="List the components of a space, page by page.",
    query=ListQuery,
    access="anyone",
)
def list_components(call: Call) -> Json:
    """List a space's components with the counts of their issues."""
    rows = _listed(call, components_of(project_of(call)))
    return page_bean(call, rows, lambda found: [component_body(one, show(call)) for one in found])


@operation(
    "getProjectComponents",
    "GET",
    ONE + "/components",
    summary="List the components of a space.",
    query=SourceQuery,
    access="anyone",
)
def list_all(call: Call) -> list[Json]:
    """List all components of a space."""
    found = [component_body(one, show(call)) for one in components_of(project_of(call))]
    for body in found:
        del body["issueCount"]
    return found


@operation(
    "findComponentsForProjects",
    "GET",
    PATH,
    summary="List the components of some spaces.",
    query=SpacesQuery,
    access="anyone",
)
def find_components(call: Call) -> Json:
    """List the components of some spaces."""
    wanted = list(dict.fromkeys(call.query.projects))
    if not wanted:
        raise NotFound("At least one project must be specified.")
    projects = [find_project(actor(call), text) for text in wanted]
    rows = _listed(call, Component.objects.filter(project__in=projects).order_by("name", "id"))
    return page_bean(
        call,
        rows,
        lambda found: [
            {
                "self": show(call).url(f"component/{one.id}"),
                "id": str(one.id),
                "name": one.name,
                "description": one.description,
            }
            for one in found
        ],
    )
