"""Where workflows are used, and what they were before."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call
from clones.tracker.api.admin_lists import AdminBody
from clones.tracker.api.operations import Query, actor, number, operation, show
from clones.tracker.api.paging import ids_page, number_of
from clones.tracker.api.presenters.workflows import present_version
from clones.tracker.api.workflows import require_reader
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.models import Project, Workflow, WorkflowVersion
from clones.tracker.queries.workflows import (
    projects_using,
    schemes_using,
    types_using,
    visible_workflows,
)

LIMIT = 200


class Token(Query):
    """The token with which a list of a workflow's uses goes on."""

    token: str | None = Field(None, alias="nextPageToken")


class OneWorkflow(AdminBody):
    """The workflow meant, by its id."""

    workflow: str = Field(alias="workflowId")


class OneVersion(OneWorkflow):
    """The version of a workflow meant."""

    version: int


def usage_page(call: Call, ids: Any) -> dict[str, Any]:
    """Return a page of ids, which are in a total order.

    Raises:
        Invalid: the token is not ours, or there are too many wanted at once.
    """
    most = number_of(call, "maxResults", 50, least=1)
    if most > LIMIT:
        raise Invalid(f"maxResults must be between 1 and {LIMIT}")
    return ids_page(call, ids, most)


def _workflow(call: Call) -> Workflow:
    """Return the workflow of a path.

    Raises:
        NotFound: there is none that the caller may read.
    """
    return _found(call, call.path["workflowId"])


def _found(call: Call, uuid: str) -> Workflow:
    require_reader(actor(call))
    found = visible_workflows(actor(call)).filter(uuid=uuid).first()
    if found is None:
        raise NotFound("The workflow was not found.")
    return found


@operation(
    "getProjectUsagesForWorkflow",
    "GET",
    "/rest/api/3/workflow/{workflowId}/projectUsages",
    summary="List the spaces that use a workflow.",
    query=Token,
)
def project_usages(call: Call) -> dict[str, Any]:
    """List the spaces that use a workflow."""
    workflow = _workflow(call)
    rows = projects_using(workflow).values_list("id", flat=True)
    return {"workflowId": workflow.uuid, "projects": usage_page(call, rows)}


@operation(
    "getWorkflowSchemeUsagesForWorkflow",
    "GET",
    "/rest/api/3/workflow/{workflowId}/workflowSchemes",
    summary="List the schemes that name a workflow.",
    query=Token,
)
def scheme_usages(call: Call) -> dict[str, Any]:
    """List the schemes that name a workflow."""
    workflow = _workflow(call)
    rows = schemes_using(workflow).values_list("id", flat=True)
    return {"workflowId": workflow.uuid, "workflowSchemes": usage_page(call, rows)}


@operation(
    "getWorkflowProjectIssueTypeUsages",
    "GET",
    "/rest/api/3/workflow/{workflowId}/project/{projectId}/issueTypeUsages",
    summary="List the types of a space that go through a workflow.",
    query=Token,
)
def type_usages(call: Call) -> dict[str, Any]:
    """List the types of a space that go through a workflow."""
    workflow = _workflow(call)
    key = number(call.path["projectId"], "Project")
    project = Project.objects.filter(id=key, deleted_at=None).first()
    kinds = [] if project is None else [kind.id for kind in types_using(workflow, project)]
    return {
        "workflowId": workflow.uuid,
        "projectId": str(key),
        "issueTypes": usage_page(call, kinds),
    }


@operation(
    "listWorkflowHistory",
    "POST",
    "/rest/api/3/workflow/history/list",
    summary="List the versions of a workflow.",
    query=Query,
    body=OneWorkflow,
    writes=False,
)
def list_history(call: Call) -> dict[str, Any]:
    """List the versions of a workflow, the latest first."""
    workflow = _of_history(call, call.body.workflow)
    rows = WorkflowVersion.objects.filter(workflow=workflow).order_by("-version")
    reading = show(call)
    return {
        "entries": [
            {
                "workflowId": workflow.uuid,
                "workflowVersion": row.version,
                "writtenAt": reading.when(row.written),
                "isIntermediate": False,
            }
            for row in rows
        ]
    }


@operation(
    "readWorkflowFromHistory",
    "POST",
    "/rest/api/3/workflow/history",
    summary="Show a workflow as it was at a version.",
    body=OneVersion,
    writes=False,
)
def read_history(call: Call) -> dict[str, Any]:
    """Show a workflow as it was."""
    workflow = _of_history(call, call.body.workflow)
    rows = WorkflowVersion.objects.select_related("workflow", "author")
    found = rows.filter(workflow=workflow, version=call.body.version).first()
    if found is None:
        raise Invalid(f"The workflow has no version {call.body.version}.")
    return present_version(found, show(call))


def _of_history(call: Call, uuid: str) -> Workflow:
    """Return the workflow that is asked about; an unknown one is the vendor's 400 here."""
    try:
        return _found(call, uuid)
    except NotFound as error:
        raise Invalid(*error.messages) from error
