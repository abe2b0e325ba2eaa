"""Fields of organizations."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.helpdesk.api.operations import OPERATIONS, Body, PagedQuery
from clones.helpdesk.api.profile_fields import (
    ProfileFieldWrite,
    field_body,
    field_of,
    field_page,
    made_reply,
)
from clones.helpdesk.api.views import rule_changes
from clones.helpdesk.domain import profile_fields

OWNER = "organization"


class FieldBody(Body):
    """A field of organizations to create or update."""

    organization_field: ProfileFieldWrite


class FieldOrder(Body):
    """Fields in the order they are to stand."""

    organization_field_ids: list[int]


@OPERATIONS.operation(
    "ListOrganizationFields",
    "GET",
    "/organization_fields",
    summary="List the fields of organizations.",
    query=PagedQuery,
)
def list_fields(call: Call) -> dict[str, Any]:
    """List organization fields in their order."""
    return field_page(OWNER, call)


@OPERATIONS.operation(
    "ShowOrganizationField",
    "GET",
    "/organization_fields/{field_id:int}",
    summary="Show one field of organizations.",
)
def show_field(call: Call) -> dict[str, Any]:
    """Show an organization field."""
    return field_body(field_of(OWNER, call), call)


@OPERATIONS.operation(
    "CreateOrganizationField",
    "POST",
    "/organization_fields",
    summary="Create a field of organizations.",
    body=FieldBody,
    access="admin",
    status=201,
)
def create_field(call: Call) -> Reply:
    """Create an organization field."""
    changes = rule_changes(call.body.organization_field)
    return made_reply(profile_fields.create_field(OWNER, actor=call.actor, changes=changes), call)


@OPERATIONS.operation(
    "UpdateOrganizationField",
    "PUT",
    "/organization_fields/{field_id:int}",
    summary="Change a field of organizations; its key and type stay.",
    body=FieldBody,
    access="admin",
)
def update_field(call: Call) -> dict[str, Any]:
    """Update an organization field."""
    changes = rule_changes(call.body.organization_field)
    found = profile_fields.update_field(field_of(OWNER, call), actor=call.actor, changes=changes)
    return field_body(found, call)


@OPERATIONS.operation(
    "DeleteOrganizationField",
    "DELETE",
    "/organization_fields/{field_id:int}",
    summary="Delete a field of organizations, and its values.",
    access="admin",
    status=204,
)
def delete_field(call: Call) -> None:
    """Delete an organization field."""
    profile_fields.delete_field(field_of(OWNER, call), actor=call.actor)


@OPERATIONS.operation(
    "ReorderOrganizationField",
    "PUT",
    "/organization_fields/reorder",
    summary="Set the order of the fields of organizations.",
    body=FieldOrder,
    access="admin",
)
def reorder_fields(call: Call) -> None:
    """Set the order of organization fields; the answer is empty."""
    order = call.body.organization_field_ids
    profile_fields.reorder_fields(OWNER, order, actor=call.actor)
