"""Drafts of active workflow schemes, and their publication."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from clones.core.digits import whole_number
from clones.core.operations import Call, Reply
from clones.tracker.api.admin_lists import AdminBody
from clones.tracker.api.operations import Query, actor, flag, operation, show
from clones.tracker.api.presenters.workflow_schemes import present_scheme
from clones.tracker.api.task_replies import task_reply
from clones.tracker.api.workflow_schemes import (
    ONE,
    DefaultWrite,
    FlowWrite,
    SchemeWrite,
    TypeWrite,
    flow_mappings,
    scheme_of,
    type_mapping,
)
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.workflow_scheme_switching import publish_draft
from clones.tracker.domain.workflow_schemes import (
    NO_DRAFT,
    create_draft,
    find_draft,
    set_default,
    set_types,
    type_of,
    unset_type,
    unset_workflow,
    update_scheme,
    workflow_named,
)
from clones.tracker.models import WorkflowScheme

DRAFT: Final = ONE + "/draft"
TYPE: Final = DRAFT + "/issuetype/{issueType}"
FLOW: Final = DRAFT + "/workflow"


class StatusMapping(AdminBody):
    """The new status of issues of a type in a status, when a draft is published."""

    issue_type: str = Field(alias="issueTypeId")
    old: str = Field(alias="statusId")
    new: str = Field(alias="newStatusId")


class Publication(AdminBody):
    """The new statuses of issues when a draft workflow scheme is published."""

    mappings: list[StatusMapping] = Field(default_factory=list, alias="statusMappings")


class PublishQuery(Query):
    """Whether publishing a draft workflow scheme is only validated."""

    validate_only: str | None = Field(None, alias="validateOnly")


class NameQuery(Query):
    """The workflow of a draft workflow scheme, by its name."""

    name: str | None = Field(None, alias="workflowName")


def _draft(call: Call) -> WorkflowScheme:
    """Return the draft of a path.

    Raises:
        NotFound: there is none, or no such scheme.
    """
    found = find_draft(scheme_of(call))
    if found is None:
        raise NotFound(NO_DRAFT)
    return found


def _shown(call: Call, draft: WorkflowScheme) -> dict[str, Any]:
    rows = WorkflowScheme.objects.select_related(
        "default_workflow", "draft_of__default_workflow", "updated_by"
    )
    return present_scheme(rows.get(id=draft.id), show(call))


@operation(
    "createWorkflowSchemeDraftFromParent",
    "POST",
    ONE + "/createdraft",
    summary="Make the draft of an active workflow scheme.",
    access="admin",
    status=201,
)
def create(call: Call) -> dict[str, Any]:
    """Make a draft."""
    return _shown(call, create_draft(scheme_of(call), actor=actor(call)))


@operation(
    "getWorkflowSchemeDraft",
    "GET",
    DRAFT,
    summary="Show the draft of a workflow scheme.",
    access="admin",
)
def show_draft(call: Call) -> dict[str, Any]:
    """Show a draft."""
    return _shown(call, _draft(call))


@operation(
    "updateWorkflowSchemeDraft",
    "PUT",
    DRAFT,
    summary="Change the draft of a workflow scheme; one is made if there is none.",
    body=SchemeWrite,
    access="admin",
)
def update(call: Call) -> dict[str, Any]:
    """Change a draft."""
    scheme = scheme_of(call)
    draft = find_draft(scheme) or create_draft(scheme, actor=actor(call))
    update_scheme(draft, call.body.changes(), actor=actor(call))
    return _shown(call, draft)


@operation(
    "deleteWorkflowSchemeDraft",
    "DELETE",
    DRAFT,
    summary="Delete the draft of a workflow scheme.",
    access="admin",
    status=204,
)
def delete(call: Call) -> None:
    """Delete a draft."""
    _draft(call).delete()


@operation(
    "getDraftDefaultWorkflow",
    "GET",
    DRAFT + "/default",
    summary="Show the default workflow of a draft.",
    access="admin",
)
def show_default(call: Call) -> dict[str, str]:
    """Show the default workflow of a draft."""
    return {"workflow": _draft(call).default_workflow.name}


@operation(
    "updateDraftDefaultWorkflow",
    "PUT",
    DRAFT + "/default",
    summary="Set the default workflow of a draft.",
    body=DefaultWrite,
    access="admin",
)
def update_default(call: Call) -> dict[str, Any]:
    """Set the default workflow of a draft."""
    draft = _draft(call)
    set_default(draft, workflow_named(call.body.workflow), actor=actor(call))
    return _shown(call, draft)


@operation(
    "deleteDraftDefaultWorkflow",
    "DELETE",
    DRAFT + "/default",
    summary="Make the site's own workflow the default one of a draft.",
    access="admin",
)
def reset_default(call: Call) -> dict[str, Any]:
    """Give a draft the site's own workflow as its default one."""
    draft = _draft(call)
    set_default(draft, workflow_named("jira"), actor=actor(call))
    return _shown(call, draft)


@operation(
    "getWorkflowSchemeDraftIssueType",
    "GET",
    TYPE,
    summary="Show the workflow that a draft names for a type.",
    access="admin",
)
def show_type(call: Call) -> dict[str, str]:
    """Show the workflow of a type."""
    return type_mapping(_draft(call), call.path["issueType"])


@operation(
    "setWorkflowSchemeDraftIssueType",
    "PUT",
    TYPE,
    summary="Set the workflow of a type in a draft.",
    body=TypeWrite,
    access="admin",
)
def set_type(call: Call) -> dict[str, Any]:
    """Set the workflow of a type."""
    draft = _draft(call)
    kind = type_of(call.path["issueType"])
    workflow = workflow_named(call.body.workflow)
    set_types(draft, workflow, [kind], whole=False, default=False, actor=actor(call))
    return _shown(call, draft)


@operation(
    "deleteWorkflowSchemeDraftIssueType",
    "DELETE",
    TYPE,
    summary="Leave a type to a draft's default workflow.",
    access="admin",
)
def delete_type(call: Call) -> dict[str, Any]:
    """Leave a type to the default workflow."""
    draft = _draft(call)
    unset_type(draft, type_of(call.path["issueType"]), actor=actor(call))
    return _shown(call, draft)


@operation(
    "getDraftWorkflow",
    "GET",
    FLOW,
    summary="Show the types that a draft names workflows for.",
    query=NameQuery,
    access="admin",
)
def show_flows(call: Call) -> Any:
    """Show the types of one workflow of a draft, or of all."""
    return flow_mappings(_draft(call), call.query.name)


@operation(
    "updateDraftWorkflowMapping",
    "PUT",
    FLOW,
    summary="Set the types of a workflow in a draft.",
    query=NameQuery,
    body=FlowWrite,
    access="admin",
)
def update_flow(call: Call) -> dict[str, Any]:
    """Set the types of a workflow."""
    body: FlowWrite = call.body
    draft = _draft(call)
    set_types(
        draft,
        workflow_named(call.query.name or body.workflow),
        [type_of(kind) for kind in body.types or ()],
        whole=body.types is not None,
        default=bool(body.default),
        actor=actor(call),
    )
    return _shown(call, draft)


@operation(
    "deleteDraftWorkflowMapping",
    "DELETE",
    FLOW,
    summary="Take a workflow out of a draft.",
    query=NameQuery,
    access="admin",
)
def delete_flow(call: Call) -> Reply:
    """Take a workflow out of a draft."""
    unset_workflow(_draft(call), workflow_named(call.query.name), actor=actor(call))
    return Reply(None, 200)


@operation(
    "publishDraftWorkflowScheme",
    "POST",
    DRAFT + "/publish",
    summary="Put a draft in the place of its workflow scheme, by a task.",
    query=PublishQuery,
    body=Publication,
    access="admin",
)
def publish(call: Call) -> Reply:
    """Publish a draft."""
    wanted = {
        (status_key(item.issue_type), status_key(item.old)): status_key(item.new)
        for item in call.body.mappings
    }
    only = flag(call.query.validate_only)
    task = publish_draft(scheme_of(call), wanted, validate_only=only, actor=actor(call))
    return Reply(None, 204) if task is None else task_reply(call, task)


def status_key(text: str) -> int:
    """Return an id of a mapping.

    Raises:
        Invalid: it is none.
    """
    if whole_number(text) is None:
        raise Invalid(f"The ID {text} of a status mapping is not valid.")
    return int(text)
