"""Writes of the roles of agents."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call
from clones.helpdesk import queries
from clones.helpdesk.api.operations import OPERATIONS, Body, show
from clones.helpdesk.api.presenters.people import present_custom_role
from clones.helpdesk.api.settings import members_of
from clones.helpdesk.api.views import rule_changes
from clones.helpdesk.domain import roles
from clones.helpdesk.models import CustomRole


class RoleWrite(Body):
    """What to set on a role."""

    id: int | None = None
    name: str | None = None
    description: str | None = None
    configuration: dict[str, Any] | None = Field(
        None, description="Rights; those not given stay as they are."
    )


class RoleBody(Body):
    """A role to create or update."""

    custom_role: RoleWrite


def _role(call: Call) -> CustomRole:
    return queries.one(CustomRole.objects.all(), "custom role", call.path["role_id"])


def _shown(role: CustomRole, call: Call) -> dict[str, Any]:
    return {"custom_role": present_custom_role(role, members_of(role), show(call, "detail"))}


@OPERATIONS.operation(
    "CreateCustomRole",
    "POST",
    "/custom_roles",
    summary="Create a role of agents.",
    body=RoleBody,
    access="admin",
)
def create_role(call: Call) -> dict[str, Any]:
    """Create a set of rights."""
    made = roles.create_role(actor=call.actor, changes=rule_changes(call.body.custom_role))
    return _shown(made, call)


@OPERATIONS.operation(
    "UpdateCustomRoleById",
    "PUT",
    "/custom_roles/{role_id:int}",
    summary="Change a role of agents.",
    body=RoleBody,
    access="admin",
)
def update_role(call: Call) -> dict[str, Any]:
    """Update a set of rights."""
    found = roles.update_role(
        _role(call), actor=call.actor, changes=rule_changes(call.body.custom_role)
    )
    return _shown(found, call)


@OPERATIONS.operation(
    "DeleteCustomRoleById",
    "DELETE",
    "/custom_roles/{role_id:int}",
    summary="Delete a role that no agent has.",
    access="admin",
    status=204,
)
def delete_role(call: Call) -> None:
    """Delete a set of rights."""
    roles.delete_role(_role(call), actor=call.actor)
