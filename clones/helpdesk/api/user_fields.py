"""Fields of users, and their choices."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.helpdesk.api.operations import OPERATIONS, Body, PagedQuery, asked, listed, show
from clones.helpdesk.api.paging import list_page
from clones.helpdesk.api.presenters.profiles import present_profile_option
from clones.helpdesk.api.profile_fields import (
    ProfileFieldWrite,
    field_body,
    field_of,
    field_page,
    made_reply,
)
from clones.helpdesk.api.ticket_fields import OptionBody
from clones.helpdesk.api.views import rule_changes
from clones.helpdesk.domain import profile_fields
from clones.helpdesk.domain.errors import RecordNotFound

OWNER = "user"


class FieldBody(Body):
    """A field of users to create or update."""

    user_field: ProfileFieldWrite


class FieldOrder(Body):
    """Fields in the order they are to stand."""

    user_field_ids: list[int]


@OPERATIONS.operation(
    "ListUserFields",
    "GET",
    "/user_fields",
    summary="List the fields of users.",
    query=PagedQuery,
)
def list_fields(call: Call) -> dict[str, Any]:
    """List user fields in their order."""
    return field_page(OWNER, call)


@OPERATIONS.operation(
    "ShowUserField",
    "GET",
    "/user_fields/{field_id:int}",
    summary="Show one field of users.",
)
def show_field(call: Call) -> dict[str, Any]:
    """Show a user field."""
    return field_body(field_of(OWNER, call), call)


@OPERATIONS.operation(
    "CreateUserField",
    "POST",
    "/user_fields",
    summary="Create a field of users.",
    body=FieldBody,
    access="admin",
    status=201,
)
def create_field(call: Call) -> Reply:
    """Create a user field."""
    changes = rule_changes(call.body.user_field)
    return made_reply(profile_fields.create_field(OWNER, actor=call.actor, changes=changes), call)


@OPERATIONS.operation(
    "UpdateUserField",
    "PUT",
    "/user_fields/{field_id:int}",
    summary="Change a field of users; its key and type stay.",
    body=FieldBody,
    access="admin",
)
def update_field(call: Call) -> dict[str, Any]:
    """Update a user field."""
    changes = rule_changes(call.body.user_field)
    found = profile_fields.update_field(field_of(OWNER, call), actor=call.actor, changes=changes)
    return field_body(found, call)


@OPERATIONS.operation(
    "DeleteUserField",
    "DELETE",
    "/user_fields/{field_id:int}",
    summary="Delete a field of users, and its values.",
    access="admin",
    status=204,
)
def delete_field(call: Call) -> None:
    """Delete a user field."""
    profile_fields.delete_field(field_of(OWNER, call), actor=call.actor)


@OPERATIONS.operation(
    "ReorderUserField",
    "PUT",
    "/user_fields/reorder",
    summary="Set the order of the fields of users.",
    body=FieldOrder,
    access="admin",
)
def reorder_fields(call: Call) -> None:
    """Set the order of user fields; the answer is empty."""
    order = call.body.user_field_ids
    profile_fields.reorder_fields(OWNER, order, actor=call.actor)


@OPERATIONS.operation(
    "ListUserFieldOptions",
    "GET",
    "/user_fields/{field_id:int}/options",
    summary="List the choices of a field of users.",
    query=PagedQuery,
)
def list_options(call: Call) -> dict[str, Any]:
    """List the choices of a field in their order."""
    field = field_of(OWNER, call)
    bodies = [present_profile_option(field, option, show(call)) for option in field.options]
    page = list_page(bodies, asked(call), name="position,id")
    return listed("custom_field_options", page.rows, page)


@OPERATIONS.operation(
    "ShowUserFieldOption",
    "GET",
    "/user_fields/{field_id:int}/options/{option_id:int}",
    summary="Show one choice of a field of users.",
)
def show_option(call: Call) -> dict[str, Any]:
    """Show a choice of a field."""
    field = field_of(OWNER, call)
    for option in field.options:
        if option["id"] == call.path["option_id"]:
            return {"custom_field_option": present_profile_option(field, option, show(call))}
    raise RecordNotFound("option", call.path["option_id"])


@OPERATIONS.operation(
    "CreateOrUpdateUserFieldOption",
    "POST",
    "/user_fields/{field_id:int}/options",
    summary="Add a choice to a field of users, or change the one whose id is given.",
    body=OptionBody,
    access="admin",
)
def save_option(call: Call) -> Reply:
    """Create or update a choice: 201 for a new one, 200 for one there was."""
    field = field_of(OWNER, call)
    given = call.body.custom_field_option.model_dump(exclude_unset=True)
    option, created = profile_fields.save_option(field, actor=call.actor, changes=given)
    location = f"/api/v2/user_fields/{field.id}/options.json"
    body = {"custom_field_option": present_profile_option(field, option, show(call))}
    return Reply(body, 201 if created else 200, {"Location": location})


@OPERATIONS.operation(
    "DeleteUserFieldOption",
    "DELETE",
    "/user_fields/{field_id:int}/options/{option_id:int}",
    summary="Remove a choice of a field of users, and its values.",
    access="admin",
    status=204,
)
def delete_option(call: Call) -> None:
    """Remove a choice of a field."""
    field = field_of(OWNER, call)
    profile_fields.delete_option(field, call.path["option_id"], actor=call.actor)
