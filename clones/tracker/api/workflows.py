"""Workflows: reading, making, changing and deleting them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from pydantic import Field

from clones.core.digits import is_digits
from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.admin_lists import AdminBody
from clones.tracker.api.operations import Query, actor, flag, operation, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.workflows import present_workflows
from clones.tracker.api.workflow_bodies import Creation, WorkflowChanges, hold_limits, project_of
from clones.tracker.domain.errors import Invalid, Unauthenticated
from clones.tracker.domain.workflows import (
    ADMINS_ONLY,
    create_workflows,
    delete_workflow,
    update_workflows,
)
from clones.tracker.models import IssueType, Project, Workflow
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.workflows import Paths, active_workflows, visible_workflows

ORDERS = {"name": "name", "created": "created", "updated": "updated"}


class Pair(AdminBody):
    """An issue type in a space, whose workflow is meant."""

    project: str = Field(alias="projectId")
    issue_type: str = Field(alias="issueTypeId")


class WorkflowsToRead(AdminBody):
    """The workflows to show: by names, by ids, or by spaces and issue types."""

    names: list[str] = Field(default_factory=list, alias="workflowNames")
    ids: list[str] = Field(default_factory=list, alias="workflowIds")
    pairs: list[Pair] = Field(default_factory=list, alias="projectAndIssueTypes")


class ReadingQuery(Query):
    """Whether approvals stand apart from a status's properties in workflows."""

    approvals: str | None = Field(None, alias="useApprovalConfiguration")


class Search(Query):
    """Filters, order and expansions of a search of workflows."""

    expand: CommaList[str] = []
    text: str | None = Field(None, alias="queryString")
    order: str | None = Field(None, alias="orderBy")
    scope: str | None = None
    active: str | None = Field(None, alias="isActive")


def require_reader(rights: Rights) -> None:
    """Hold somebody to some right to read workflows.

    Raises:
        Unauthenticated: they have none: the vendor's answer here, though they signed in.
    """
    if rights.is_admin or rights.projects_with("ADMINISTER_PROJECTS"):
        return
    if not rights.projects_with("VIEW_READONLY_WORKFLOW"):
        raise Unauthenticated(ADMINS_ONLY)


@operation(
    "readWorkflows",
    "POST",
    "/rest/api/3/workflows",
    summary="Read workflows by name, id, or space and type.",
    query=ReadingQuery,
    body=WorkflowsToRead,
    writes=False,
)
def read_workflows(call: Call) -> dict[str, Any]:
    """Read workflows with the statuses that they name."""
    require_reader(actor(call))
    asked: WorkflowsToRead = call.body
    rows = visible_workflows(actor(call))
    keys = {*rows.filter(name__in=asked.names).values_list("id", flat=True)}
    keys |= {*rows.filter(uuid__in=asked.ids).values_list("id", flat=True)}
    keys |= set(workflows_of_pairs([(pair.project, pair.issue_type) for pair in asked.pairs]))
    found = list(rows.filter(id__in=keys))
    return present_workflows(found, show(call), approvals=flag(call.query.approvals))


def workflows_of_pairs(pairs: Sequence[tuple[str, str]]) -> list[int]:
    """Return the workflows of types in spaces, in their order; unknown ones are left out."""
    numbers = [
        (int(project), int(kind))
        for project, kind in pairs
        if is_digits(project) and is_digits(kind)
    ]
    projects = Project.objects.filter(deleted_at=None).in_bulk({one for one, _ in numbers})
    kinds = IssueType.objects.in_bulk({kind for _, kind in numbers})
    paths = Paths(project.workflow_scheme_id for project in projects.values())
    return [
        paths.workflow_id(projects[project].workflow_scheme_id, kind)
        for project, kind in numbers
        if project in projects and kind in kinds
    ]


@operation(
    "searchWorkflows",
    "GET",
    "/rest/api/3/workflows/search",
    summary="List workflows.",
    query=Search,
)
def search_workflows(call: Call) -> dict[str, Any]:
    """List workflows with the statuses that they name."""
    require_reader(actor(call))
    asked: Search = call.query
    rows = visible_workflows(actor(call))
    if asked.text:
        rows = rows.filter(name__icontains=asked.text)
    if asked.scope:
        if asked.scope.upper() not in {"GLOBAL", "PROJECT"}:
            raise Invalid(f"The value '{asked.scope}' is invalid for the parameter 'scope'.")
        rows = rows.filter(project__isnull=asked.scope.upper() == "GLOBAL")
    rows = in_order(by_activity(rows, asked.active), asked.order)
    statuses: list[dict[str, Any]] = []

    def present(page: list[Workflow]) -> list[dict[str, Any]]:
        wanted = "values.transitions" in asked.expand
        body = present_workflows(page, show(call), with_transitions=wanted)
        statuses.extend(body["statuses"])
        return list(body["workflows"])

    found = page_bean(call, rows, present)
    return found | {"statuses": statuses}


def by_activity(rows: QuerySet[Workflow], active: str | None) -> QuerySet[Workflow]:
    """Return those workflows that a space uses, or those that none uses."""
    if active is None or active == "":
        return rows
    return rows.filter(active_workflows()) if flag(active) else rows.exclude(active_workflows())


def in_order(rows: QuerySet[Workflow], order: str | None) -> QuerySet[Workflow]:
    """Return workflows in an order: `name`, `created`, `updated`; with `-`, downward.

    Raises:
        Invalid: there is no such order.
    """
    text = (order or "name").strip().removeprefix("+")
    column = ORDERS.get(text.removeprefix("-"))
    if column is None:
        raise Invalid(f"The value '{order}' is invalid for the parameter 'orderBy'.")
    return rows.order_by(f"-{column}" if text.startswith("-") else column, "id")


@operation(
    "createWorkflows",
    "POST",
    "/rest/api/3/workflows/create",
    summary="Make workflows, with statuses that are new.",
    body=Creation,
)
def create(call: Call) -> dict[str, Any]:
    """Make workflows."""
    body: Creation = call.body
    hold_limits(body.statuses, body.workflows)
    made = create_workflows(
        project_of(body.scope),
        [status.draft() for status in body.statuses],
        [workflow.draft() for workflow in body.workflows],
        actor=actor(call),
    )
    return present_workflows(made, show(call))


@operation(
    "updateWorkflows",
    "POST",
    "/rest/api/3/workflows/update",
    summary="Make workflows wholly what is sent; issues are moved by a task.",
    body=WorkflowChanges,
)
def update(call: Call) -> dict[str, Any]:
    """Change workflows."""
    body: WorkflowChanges = call.body
    hold_limits(body.statuses, body.workflows)
    updated = update_workflows(
        [status.draft() for status in body.statuses],
        [workflow.update() for workflow in body.workflows],
        actor=actor(call),
    )
    found = present_workflows(updated.workflows, show(call))
    return found | {"taskId": None if updated.task is None else str(updated.task.id)}


@operation(
    "deleteInactiveWorkflow",
    "DELETE",
    "/rest/api/3/workflow/{entityId}",
    summary="Delete a workflow that nothing uses.",
    status=204,
)
def delete(call: Call) -> None:
    """Delete a workflow."""
    delete_workflow(call.path["entityId"], actor=actor(call))


@operation(
    "getDefaultEditor",
    "GET",
    "/rest/api/3/workflows/defaultEditor",
    summary="Tell which editor of workflows somebody sees.",
)
def default_editor(call: Call) -> dict[str, str]:
    """Tell which editor is shown: there is one."""
    del call
    return {"value": "NEW"}
