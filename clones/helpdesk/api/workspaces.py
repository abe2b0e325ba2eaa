"""Contextual workspaces: list, keep, order."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    IdsQuery,
    PagedQuery,
    asked,
    listed,
    many_ids,
    show,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.content import present_workspaces
from clones.helpdesk.api.views import ConditionWrite, rule_changes
from clones.helpdesk.domain import workspaces
from clones.helpdesk.models import ContextualWorkspace

PATH = "/workspaces"
ONE = f"{PATH}/{{workspace_id:int}}"


class AppWrite(Body):
    """An app that a workspace shows."""

    id: int
    expand: bool = False


class WorkspaceWrite(Body):
    """What to set on a workspace."""

    id: int | None = None
    title: str | None = None
    description: str | None = None
    conditions: dict[str, list[ConditionWrite]] | None = Field(
        None, description="Which tickets open in it: `all` must hold, and one of `any`."
    )
    macros: list[int] | None = Field(None, description="The ids of its macros.")
    macro_ids: list[int] | None = None
    ticket_form_id: int | None = None
    apps: list[AppWrite] | None = None
    activated: bool | None = None
    prefer_workspace_app_order: bool | None = None
    position: int | None = None


class WorkspaceBody(Body):
    """A workspace to create or update."""

    workspace: WorkspaceWrite


class WorkspaceOrder(Body):
    """Workspaces in the order they are to stand."""

    ids: list[int]


def _workspace(call: Call) -> ContextualWorkspace:
    rows = ContextualWorkspace.objects.all()
    return queries.one(rows, "workspace", call.path["workspace_id"])


def _shown(call: Call, workspace: ContextualWorkspace) -> dict[str, Any]:
    return {"workspace": present_workspaces([workspace], show(call, "detail"))[0]}


@OPERATIONS.operation(
    "ListWorkspaces",
    "GET",
    PATH,
    summary="List the workspaces in order.",
    query=PagedQuery,
    access="agent",
)
def list_workspaces(call: Call) -> dict[str, Any]:
    """List workspaces."""
    rows = ContextualWorkspace.objects.all()
    page = paginate(rows, asked(call), Order(("position", "id")), cursor=False)
    return listed("workspaces", present_workspaces(page.rows, show(call)), page)


@OPERATIONS.operation("ShowWorkspace", "GET", ONE, summary="Show one workspace.", access="admin")
def show_workspace(call: Call) -> dict[str, Any]:
    """Show a workspace."""
    return _shown(call, _workspace(call))


@OPERATIONS.operation(
    "CreateWorkspace",
    "POST",
    PATH,
    summary="Create a workspace for tickets that meet conditions.",
    body=WorkspaceBody,
    access="admin",
    status=201,
)
def create_workspace(call: Call) -> Reply:
    """Create a workspace."""
    made = workspaces.create_workspace(actor=call.actor, changes=rule_changes(call.body.workspace))
    body = _shown(call, made)
    return Reply(body, 201, {"Location": body["workspace"]["url"]})


@OPERATIONS.operation(
    "UpdateWorkspace",
    "PUT",
    ONE,
    summary="Change a workspace.",
    body=WorkspaceBody,
    access="admin",
)
def update_workspace(call: Call) -> dict[str, Any]:
    """Update a workspace."""
    found = workspaces.update_workspace(
        _workspace(call), actor=call.actor, changes=rule_changes(call.body.workspace)
    )
    return _shown(call, found)


@OPERATIONS.operation(
    "DeleteWorkspace",
    "DELETE",
    ONE,
    summary="Delete a workspace.",
    access="admin",
    status=204,
)
def delete_workspace(call: Call) -> None:
    """Delete a workspace."""
    workspaces.delete_workspaces([_workspace(call).id], actor=call.actor)


@OPERATIONS.operation(
    "DestroyManyWorkspaces",
    "DELETE",
    f"{PATH}/destroy_many",
    summary="Delete up to 100 workspaces.",
    query=IdsQuery,
    access="admin",
)
def delete_workspaces(call: Call) -> None:
    """Delete several workspaces; the answer is empty."""
    workspaces.delete_workspaces(many_ids(call), actor=call.actor)


@OPERATIONS.operation(
    "ReorderWorkspaces",
    "PUT",
    f"{PATH}/reorder",
    summary="Set the order of the workspaces.",
    body=WorkspaceOrder,
    access="admin",
)
def reorder_workspaces(call: Call) -> None:
    """Set the order of workspaces; the answer is empty."""
    workspaces.reorder_workspaces(call.body.ids, actor=call.actor)
