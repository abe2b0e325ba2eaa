"""Workflows in their older form, and properties of transitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList
from clones.tracker.api.operations import Body, Query, actor, flag, number, operation, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.refs import project_ref
from clones.tracker.api.presenters.workflows import present_older
from clones.tracker.api.workflows import by_activity, in_order
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.workflows import require_admin, set_transition_property
from clones.tracker.models import Transition, Workflow, WorkflowVersion
from clones.tracker.queries.workflow_documents import documents_of
from clones.tracker.queries.workflows import Uses, statuses_of, uses_of

PROPERTIES: Final = "/rest/api/3/workflow/transitions/{transitionId}/properties"
RESERVED: Final = "jira."


class ByName(Query):
    """The workflow meant, by its name."""

    name: str | None = Field(None, alias="workflowName")


class Search(Query):
    """Filters, order and expansions of a search of workflows."""

    names: list[str] = Field(default_factory=list, alias="workflowName")
    expand: CommaList[str] = []
    text: str | None = Field(None, alias="queryString")
    order: str | None = Field(None, alias="orderBy")
    active: str | None = Field(None, alias="isActive")


class PropertyQuery(Query):
    """The property of a transition meant: workflow, its state, and the key."""

    key: str | None = None
    workflow: str | None = Field(None, alias="workflowName")
    mode: str | None = Field(None, alias="workflowMode")
    reserved: str | None = Field(None, alias="includeReservedKeys")


class PropertyWrite(Body):
    """The value of a transition's property."""

    value: str | None = None


@operation(
    "getAllWorkflows",
    "GET",
    "/rest/api/3/workflow",
    summary="List workflows in short, or show one by its name.",
    query=ByName,
    access="admin",
)
def list_all(call: Call) -> Any:
    """List the site's workflows in short."""
    rows = Workflow.objects.filter(project=None).order_by("name", "id")
    if call.query.name is not None:
        rows = rows.filter(name=call.query.name)
    flows = list(rows)
    keys = [flow.id for flow in flows]
    places = statuses_of(keys)
    rows_of = WorkflowVersion.objects.filter(workflow__in=keys).order_by("version")
    authors = dict(rows_of.values_list("workflow_id", "author__account_id"))
    found = [_short(flow, len(places[flow.id]), authors.get(flow.id), call) for flow in flows]
    if call.query.name is None:
        return found
    if not found:
        raise NotFound("The workflow was not found.")
    return found[0]


def _short(workflow: Workflow, steps: int, author: str | None, call: Call) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": workflow.name,
        "description": workflow.description,
        "lastModifiedDate": show(call).when(workflow.updated),
        "steps": steps,
        "default": workflow.is_system,
    }
    if author is not None:
        found["lastModifiedUserAccountId"] = author
    return found


@operation(
    "getWorkflowsPaginated",
    "GET",
    "/rest/api/3/workflow/search",
    summary="List workflows in their older form.",
    query=Search,
    access="admin",
)
def search(call: Call) -> dict[str, Any]:
    """List the site's workflows."""
    asked: Search = call.query
    rows = Workflow.objects.select_related("project").filter(project=None)
    if asked.names:
        rows = rows.filter(name__in=asked.names)
    if asked.text:
        rows = rows.filter(name__icontains=asked.text)
    rows = in_order(by_activity(rows, asked.active), asked.order)
    expand = asked.expand

    def present(page: list[Workflow]) -> list[dict[str, Any]]:
        documents, _ = documents_of(page)
        keys = [flow.id for flow in page]
        places, uses = statuses_of(keys), uses_of(keys)
        return [
            present_older(flow, show(call), document, places[flow.id], expand)
            | _around(call, flow, uses[flow.id], expand)
            for flow, document in zip(page, documents, strict=True)
        ]

    return page_bean(call, rows, present)


def _around(call: Call, workflow: Workflow, uses: Uses, expand: Sequence[str]) -> dict[str, Any]:
    """Return where a workflow is used, and what can be done to it."""
    found: dict[str, Any] = {}
    if "schemes" in expand:
        rows = [row for row in uses.schemes if not row.is_default]
        found["schemes"] = [{"id": str(row.id), "name": row.name} for row in rows]
    if "projects" in expand:
        found["projects"] = [project_ref(project, show(call)) for project in uses.projects]
    if "operations" in expand:
        free = not workflow.is_system
        used = bool(uses.schemes or uses.projects or uses.in_drafts)
        found["operations"] = {"canEdit": free, "canDelete": free and not used}
    return found


def _transition(call: Call) -> Transition:
    """Return the transition of a path, of the workflow that the query names.

    Raises:
        Forbidden: the caller is no admin.
        Invalid: the query names no workflow, or a mode that there is not.
        NotFound: there is no such transition.
    """
    require_admin(actor(call))
    asked: PropertyQuery = call.query
    if not asked.workflow:
        raise Invalid("The workflow name must be specified.")
    if asked.mode not in {None, "live", "draft"}:
        raise Invalid(f"The value '{asked.mode}' is invalid for the parameter 'workflowMode'.")
    found: Transition | None = None
    if asked.mode != "draft":
        key = number(call.path["transitionId"], "Transition")
        rows = Transition.objects.select_related("workflow__project").order_by("id")
        rows = rows.filter(workflow__name=asked.workflow, workflow__project=None, number=key)
        found = rows.first()
    if found is None:
        raise NotFound("The workflow transition was not found.")
    return found


def _shown(key: str, value: str) -> dict[str, str]:
    return {"id": key, "key": key, "value": value}


@operation(
    "getWorkflowTransitionProperties",
    "GET",
    PROPERTIES,
    summary="Show the properties of a transition.",
    query=PropertyQuery,
)
def show_properties(call: Call) -> Any:
    """Show one property of a transition, or all that are not the vendor's own."""
    properties = _transition(call).properties
    key = call.query.key
    if key is not None:
        if key not in properties:
            raise NotFound("The workflow transition property was not found.")
        return _shown(key, properties[key])
    reserved = flag(call.query.reserved)
    return [
        _shown(name, value)
        for name, value in sorted(properties.items())
        if reserved or not name.startswith(RESERVED)
    ]


def _key(call: Call) -> str:
    if not call.query.key:
        raise Invalid("The property key must be specified.")
    return str(call.query.key)


def _value(call: Call) -> str:
    if call.body.value is None:
        raise Invalid(fields={"value": "The property value must be specified."})
    return str(call.body.value)


@operation(
    "createWorkflowTransitionProperty",
    "POST",
    PROPERTIES,
    summary="Add a property to a transition.",
    query=PropertyQuery,
    body=PropertyWrite,
)
def create_property(call: Call) -> dict[str, str]:
    """Add a property."""
    transition, key, value = _transition(call), _key(call), _value(call)
    if key in transition.properties:
        raise Invalid(f"The property key '{key}' already exists on the transition.")
    set_transition_property(transition.workflow, transition, key, value, actor=actor(call))
    return _shown(key, value)


@operation(
    "updateWorkflowTransitionProperty",
    "PUT",
    PROPERTIES,
    summary="Change a property of a transition.",
    query=PropertyQuery,
    body=PropertyWrite,
)
def update_property(call: Call) -> Any:
    """Change a property; 304 if it says that already."""
    transition, key, value = _transition(call), _key(call), _value(call)
    changed = set_transition_property(
        transition.workflow, transition, key, value, actor=actor(call)
    )
    return _shown(key, value) if changed else Reply(None, 304)


@operation(
    "deleteWorkflowTransitionProperty",
    "DELETE",
    PROPERTIES,
    summary="Take a property off a transition.",
    query=PropertyQuery,
)
def delete_property(call: Call) -> Reply:
    """Take a property off; 304 if there is none."""
    transition = _transition(call)
    changed = set_transition_property(
        transition.workflow, transition, _key(call), None, actor=actor(call)
    )
    return Reply(None, 200 if changed else 304)
