"""Fields of users, and their choices."""

from __future__ import annotations

from typing import Any, Final

from clones.core import resources
from clones.core.operations import Call, Reply
from clones.helpdesk.api.operations import OPERATIONS, Body, PagedQuery, asked, listed, show
from clones.helpdesk.api.paging import list_page
from clones.helpdesk.api.presenters.profiles import present_profile_option
from clones.helpdesk.api.profile_fields import ProfileFieldWrite, fields_offer
from clones.helpdesk.api.resources import register_resource
from clones.helpdesk.api.ticket_fields import OptionBody
from clones.helpdesk.domain import profile_fields
from clones.helpdesk.domain.errors import RecordNotFound


class FieldBody(Body):
    """A field of users to create or update."""

    user_field: ProfileFieldWrite


class FieldOrder(Body):
    """Fields in the order they are to stand."""

    user_field_ids: list[int]


FIELDS: Final = fields_offer(profile_fields.USER_FIELD, "user", FieldBody)
register_resource(
    FIELDS,
    resources.lists("ListUserFields", "List the fields of users.", query=PagedQuery),
    resources.shows("ShowUserField", "Show one field of users."),
    resources.creates("CreateUserField", "Create a field of users."),
    resources.updates("UpdateUserField", "Change a field of users; its key and type stay."),
    resources.deletes("DeleteUserField", "Delete a field of users, and its values."),
    resources.moves("ReorderUserField", "Set the order of the fields of users.", body=FieldOrder),
    module=__name__,
)


@OPERATIONS.operation(
    "ListUserFieldOptions",
    "GET",
    "/user_fields/{field_id:int}/options",
    summary="List the choices of a field of users.",
    query=PagedQuery,
)
def list_options(call: Call) -> dict[str, Any]:
    """List the choices of a field in their order."""
    field = FIELDS.of_key(call.path["field_id"])
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
    field = FIELDS.of_key(call.path["field_id"])
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
    field = FIELDS.of_key(call.path["field_id"])
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
    field = FIELDS.of_key(call.path["field_id"])
    profile_fields.delete_option(field, call.path["option_id"], actor=call.actor)
