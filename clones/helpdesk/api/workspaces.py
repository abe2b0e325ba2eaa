"""Contextual workspaces: list, keep, order."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from clones.core import resources
from clones.core.operations import Call
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    IdsQuery,
    PagedQuery,
    list_request,
    listed,
    many_ids,
    show,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.content import present_workspaces
from clones.helpdesk.api.resources import by_key, register_resource
from clones.helpdesk.api.views import ConditionWrite
from clones.helpdesk.domain import workspaces
from clones.helpdesk.models import ContextualWorkspace

PATH = "/workspaces"


class AppWrite(Body):
    """An app of a contextual workspace: its id, and whether it is expanded."""

    id: int
    expand: bool = False


class WorkspaceWrite(Body):
    """The attributes of a contextual workspace that can be set."""

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
    """A contextual workspace to create or update."""

    workspace: WorkspaceWrite


class WorkspaceOrder(Body):
    """The ids of contextual workspaces in the order in which they are to stand."""

    ids: list[int]


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
    page = paginate(rows, list_request(call), Order(("position", "id")), cursor=False)
    return listed("workspaces", present_workspaces(page.rows, show(call)), page)


WORKSPACES: Final = resources.ResourceApi(
    resource=workspaces.WORKSPACE,
    path=PATH,
    one="/{workspace_id:int}",
    find=by_key(workspaces.WORKSPACE),
    present=lambda workspace, how: present_workspaces([workspace], how)[0],
    body=WorkspaceBody,
    reads="admin",
)
register_resource(
    WORKSPACES,
    resources.shows("ShowWorkspace", "Show one workspace."),
    resources.creates("CreateWorkspace", "Create a workspace for tickets that meet conditions."),
    resources.updates("UpdateWorkspace", "Change a workspace."),
    resources.deletes("DeleteWorkspace", "Delete a workspace."),
    module=__name__,
)


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


register_resource(
    WORKSPACES,
    resources.moves("ReorderWorkspaces", "Set the order of the workspaces.", body=WorkspaceOrder),
    module=__name__,
)
