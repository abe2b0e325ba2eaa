"""Workflow schemes: which workflow counts for which type; changes of active ones go to drafts.

They are not declared: most operations are on a scheme or on its draft, as each call says.
"""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from pydantic import Field

from clones.core.operations import Call, Reply
from clones.tracker.api.admin_lists import AdminBody
from clones.tracker.api.operations import Query, actor, flag, number, operation, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.workflow_schemes import present_scheme, present_schemes
from clones.tracker.api.workflow_usages import Token, usage_page
from clones.tracker.domain.errors import NotFound
from clones.tracker.domain.workflow_schemes import (
    NO_TYPE,
    NO_WORKFLOW,
    create_scheme,
    delete_scheme,
    editable,
    find_draft,
    find_scheme,
    items_of,
    set_default,
    set_types,
    type_of,
    unset_type,
    unset_workflow,
    update_scheme,
    workflow_named,
)
from clones.tracker.models import Project, Workflow, WorkflowScheme

PATH: Final = "/rest/api/3/workflowscheme"
ONE: Final = PATH + "/{id}"
TYPE: Final = ONE + "/issuetype/{issueType}"
FLOW: Final = ONE + "/workflow"
WANTED: Final = "updateDraftIfNeeded"


class SchemeWrite(AdminBody):
    """A workflow scheme: its name, text, and the workflows of issue types."""

    name: str | None = None
    description: str | None = None
    default: str | None = Field(None, alias="defaultWorkflow")
    mappings: dict[str, str] | None = Field(None, alias="issueTypeMappings")
    draft: bool = Field(default=False, alias=WANTED)

    def changes(self) -> dict[str, Any]:
        """Return what is said, as the domain takes it."""
        return {
            "name": self.name,
            "description": self.description,
            "defaultWorkflow": self.default,
            "issueTypeMappings": self.mappings,
        }


class DefaultWrite(AdminBody):
    """The default workflow of a scheme, for issue types that it does not name."""

    workflow: str
    draft: bool = Field(default=False, alias=WANTED)


class TypeWrite(AdminBody):
    """The workflow of an issue type in a workflow scheme."""

    issue_type: str | None = Field(None, alias="issueType")
    workflow: str | None = None
    draft: bool = Field(default=False, alias=WANTED)


class FlowWrite(AdminBody):
    """The issue types of a workflow in a workflow scheme."""

    workflow: str | None = None
    types: list[str] | None = Field(None, alias="issueTypes")
    default: bool | None = Field(None, alias="defaultMapping")
    draft: bool = Field(default=False, alias=WANTED)


class DraftQuery(Query):
    """Whether a workflow scheme's draft is shown where there is one."""

    draft: str | None = Field(None, alias="returnDraftIfExists")


class ChangeQuery(Query):
    """Whether a draft is made where the workflow scheme is in use."""

    draft: str | None = Field(None, alias=WANTED)


class FlowQuery(DraftQuery):
    """The workflow of a scheme, by its name, and whether the draft's is shown."""

    name: str | None = Field(None, alias="workflowName")


class FlowChangeQuery(ChangeQuery):
    """The workflow of a scheme, by its name, and whether a draft may be made."""

    name: str | None = Field(None, alias="workflowName")


def scheme_of(call: Call) -> WorkflowScheme:
    """Return the scheme of a path."""
    return find_scheme(number(call.path["id"], "The workflow scheme"))


def _read(call: Call) -> WorkflowScheme:
    """Return the scheme that is to be shown: its draft, where that is wanted and there is one."""
    scheme = scheme_of(call)
    return (flag(call.query.draft) and find_draft(scheme)) or scheme


def _target(call: Call, *, draft: bool) -> WorkflowScheme:
    return editable(scheme_of(call), draft=draft, actor=actor(call))


def _shown(call: Call, scheme: WorkflowScheme) -> dict[str, Any]:
    """Return a scheme as it is after a change."""
    rows = WorkflowScheme.objects.select_related(
        "default_workflow", "draft_of__default_workflow", "updated_by"
    )
    return present_scheme(rows.get(id=scheme.id), show(call))


@operation("getAllWorkflowSchemes", "GET", PATH, summary="List workflow schemes.", access="admin")
def list_schemes(call: Call) -> dict[str, Any]:
    """List the schemes that admins made; drafts and the default one are not among them."""
    rows: QuerySet[WorkflowScheme] = WorkflowScheme.objects.select_related("default_workflow")
    rows = rows.filter(draft_of=None, is_default=False, default_workflow__project=None)
    return page_bean(
        call,
        rows.order_by("id"),
        lambda page: present_schemes(page, show(call), brief=True),
        with_self=False,
    )


@operation(
    "createWorkflowScheme",
    "POST",
    PATH,
    summary="Make a workflow scheme.",
    body=SchemeWrite,
    access="admin",
    status=201,
)
def create(call: Call) -> dict[str, Any]:
    """Make a scheme."""
    body: SchemeWrite = call.body
    made = create_scheme(
        body.name, body.description, body.default, body.mappings or {}, actor=actor(call)
    )
    return _shown(call, made)


@operation(
    "getWorkflowScheme",
    "GET",
    ONE,
    summary="Show a workflow scheme.",
    query=DraftQuery,
    access="admin",
)
def show_scheme(call: Call) -> dict[str, Any]:
    """Show a scheme."""
    return _shown(call, _read(call))


@operation(
    "updateWorkflowScheme",
    "PUT",
    ONE,
    summary="Change a workflow scheme, or the draft of an active one.",
    body=SchemeWrite,
    access="admin",
)
def update(call: Call) -> dict[str, Any]:
    """Change a scheme."""
    body: SchemeWrite = call.body
    target = _target(call, draft=body.draft)
    update_scheme(target, body.changes(), actor=actor(call))
    return _shown(call, target)


@operation(
    "deleteWorkflowScheme",
    "DELETE",
    ONE,
    summary="Delete a workflow scheme that no space uses.",
    access="admin",
    status=204,
)
def delete(call: Call) -> None:
    """Delete a scheme."""
    delete_scheme(scheme_of(call), actor=actor(call))


@operation(
    "getDefaultWorkflow",
    "GET",
    ONE + "/default",
    summary="Show the workflow of the types that a scheme does not name.",
    query=DraftQuery,
    access="admin",
)
def show_default(call: Call) -> dict[str, str]:
    """Show the default workflow of a scheme."""
    return {"workflow": _read(call).default_workflow.name}


@operation(
    "updateDefaultWorkflow",
    "PUT",
    ONE + "/default",
    summary="Set the workflow of the types that a scheme does not name.",
    body=DefaultWrite,
    access="admin",
)
def update_default(call: Call) -> dict[str, Any]:
    """Set the default workflow of a scheme."""
    workflow = workflow_named(call.body.workflow)
    target = _target(call, draft=call.body.draft)
    set_default(target, workflow, actor=actor(call))
    return _shown(call, target)


@operation(
    "deleteDefaultWorkflow",
    "DELETE",
    ONE + "/default",
    summary="Make the site's own workflow the default one of a scheme.",
    query=ChangeQuery,
    access="admin",
)
def reset_default(call: Call) -> dict[str, Any]:
    """Give a scheme the site's own workflow as its default one."""
    target = _target(call, draft=flag(call.query.draft))
    set_default(target, workflow_named("jira"), actor=actor(call))
    return _shown(call, target)


@operation(
    "getWorkflowSchemeIssueType",
    "GET",
    TYPE,
    summary="Show the workflow that a scheme names for a type.",
    query=DraftQuery,
    access="admin",
)
def show_type(call: Call) -> dict[str, str]:
    """Show the workflow of a type."""
    return type_mapping(_read(call), call.path["issueType"])


def type_mapping(scheme: WorkflowScheme, id: str) -> dict[str, str]:
    """Return the workflow that a scheme names for a type.

    Raises:
        NotFound: it names none.
    """
    kind = type_of(id)
    item = scheme.items.select_related("workflow").filter(issue_type=kind).first()
    if item is None:
        raise NotFound(NO_TYPE)
    return {"issueType": str(kind.id), "workflow": item.workflow.name}


@operation(
    "setWorkflowSchemeIssueType",
    "PUT",
    TYPE,
    summary="Set the workflow of a type in a scheme.",
    body=TypeWrite,
    access="admin",
)
def set_type(call: Call) -> dict[str, Any]:
    """Set the workflow of a type."""
    kind = type_of(call.path["issueType"])
    workflow = workflow_named(call.body.workflow)
    target = _target(call, draft=call.body.draft)
    set_types(target, workflow, [kind], whole=False, default=False, actor=actor(call))
    return _shown(call, target)


@operation(
    "deleteWorkflowSchemeIssueType",
    "DELETE",
    TYPE,
    summary="Leave a type to a scheme's default workflow.",
    query=ChangeQuery,
    access="admin",
)
def delete_type(call: Call) -> dict[str, Any]:
    """Leave a type to the default workflow."""
    kind = type_of(call.path["issueType"])
    target = _target(call, draft=flag(call.query.draft))
    unset_type(target, kind, actor=actor(call))
    return _shown(call, target)


@operation(
    "getWorkflow",
    "GET",
    FLOW,
    summary="Show the types that a scheme names workflows for.",
    query=FlowQuery,
    access="admin",
)
def show_flows(call: Call) -> Any:
    """Show the types of one workflow of a scheme, or of all."""
    return flow_mappings(_read(call), call.query.name)


def flow_mappings(scheme: WorkflowScheme, name: str | None) -> Any:
    """Return the types of a scheme's workflow of a name; without a name, a list of all.

    Raises:
        NotFound: the scheme has no workflow of this name.
    """
    items = items_of(scheme)
    keys = dict.fromkeys([scheme.default_workflow_id, *items.values()])
    names = dict(Workflow.objects.filter(id__in=keys).values_list("id", "name"))
    found = [
        {
            "workflow": names[key],
            "issueTypes": [str(kind) for kind, flow in items.items() if flow == key],
            "defaultMapping": key == scheme.default_workflow_id,
        }
        for key in keys
    ]
    if name is None:
        return found
    for mapping in found:
        if mapping["workflow"] == name:
            return mapping
    raise NotFound(NO_WORKFLOW)


@operation(
    "updateWorkflowMapping",
    "PUT",
    FLOW,
    summary="Set the types of a workflow in a scheme.",
    query=FlowChangeQuery,
    body=FlowWrite,
    access="admin",
)
def update_flow(call: Call) -> dict[str, Any]:
    """Set the types of a workflow."""
    body: FlowWrite = call.body
    workflow = workflow_named(call.query.name or body.workflow)
    kinds = [type_of(kind) for kind in body.types or ()]
    target = _target(call, draft=body.draft)
    set_types(
        target,
        workflow,
        kinds,
        whole=body.types is not None,
        default=bool(body.default),
        actor=actor(call),
    )
    return _shown(call, target)


@operation(
    "deleteWorkflowMapping",
    "DELETE",
    FLOW,
    summary="Take a workflow out of a scheme.",
    query=FlowChangeQuery,
    access="admin",
)
def delete_flow(call: Call) -> Reply:
    """Take a workflow out of a scheme."""
    workflow = workflow_named(call.query.name)
    target = _target(call, draft=flag(call.query.draft))
    unset_workflow(target, workflow, actor=actor(call))
    return Reply(None, 200)


@operation(
    "getProjectUsagesForWorkflowScheme",
    "GET",
    PATH + "/{workflowSchemeId}/projectUsages",
    summary="List the spaces that use a workflow scheme.",
    query=Token,
    access="admin",
)
def project_usages(call: Call) -> dict[str, Any]:
    """List the spaces that use a scheme."""
    scheme = find_scheme(number(call.path["workflowSchemeId"], "The workflow scheme"))
    rows = Project.objects.filter(workflow_scheme=scheme, deleted_at=None).order_by("id")
    return {
        "workflowSchemeId": str(scheme.id),
        "projects": usage_page(call, rows.values_list("id", flat=True)),
    }
