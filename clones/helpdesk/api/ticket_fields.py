"""Writes of the fields of tickets and of their choices."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.helpdesk.api.operations import OPERATIONS, Body, show
from clones.helpdesk.api.presenters.settings import present_field
from clones.helpdesk.api.settings import field_of, option_body
from clones.helpdesk.api.views import rule_changes, worded
from clones.helpdesk.domain import ticket_fields


class OptionWrite(Body):
    """What to set on a choice of a field."""

    id: int | None = None
    name: str | None = None
    raw_name: str | None = None
    value: str | None = Field(None, description="The tag that the choice puts on tickets.")
    default: bool | None = None
    position: int | None = None


class OptionBody(Body):
    """A choice to create, or to change if its id is given."""

    custom_field_option: OptionWrite


class FieldWrite(Body):
    """What to set on a field of tickets."""

    id: int | None = None
    type: str | None = None
    title: str | None = None
    raw_title: str | None = Field(None, description="May name dynamic content: `{{dc.name}}`.")
    title_in_portal: str | None = None
    raw_title_in_portal: str | None = None
    description: str | None = None
    raw_description: str | None = None
    agent_description: str | None = None
    position: int | None = None
    active: bool | None = None
    required: bool | None = None
    required_in_portal: bool | None = None
    visible_in_portal: bool | None = None
    editable_in_portal: bool | None = None
    collapsed_for_agents: bool | None = None
    regexp_for_validation: str | None = None
    tag: str | None = None
    custom_field_options: list[OptionWrite] | None = Field(
        None, description="All choices: those left out are removed."
    )


class FieldBody(Body):
    """A field of tickets to create or update."""

    ticket_field: FieldWrite


class FieldOrder(Body):
    """Fields in the order they are to stand."""

    ticket_field_ids: list[int]


def _changes(field: FieldWrite) -> dict[str, Any]:
    changes = rule_changes(field)
    if changes.get("custom_field_options"):
        changes["custom_field_options"] = [worded(one) for one in changes["custom_field_options"]]
    return changes


@OPERATIONS.operation(
    "CreateTicketField",
    "POST",
    "/ticket_fields",
    summary="Create a custom field of tickets.",
    body=FieldBody,
    access="admin",
    status=201,
)
def create_field(call: Call) -> Reply:
    """Create a ticket field."""
    made = ticket_fields.create_field(actor=call.actor, changes=_changes(call.body.ticket_field))
    body = present_field(made, show(call, "detail"))
    return Reply({"ticket_field": body}, 201, {"Location": body["url"]})


@OPERATIONS.operation(
    "UpdateTicketField",
    "PUT",
    "/ticket_fields/{field_id:int}",
    summary="Change a field of tickets.",
    body=FieldBody,
    access="admin",
)
def update_field(call: Call) -> dict[str, Any]:
    """Update a ticket field."""
    found = ticket_fields.update_field(
        field_of(call), actor=call.actor, changes=_changes(call.body.ticket_field)
    )
    return {"ticket_field": present_field(found, show(call, "detail"))}


@OPERATIONS.operation(
    "DeleteTicketField",
    "DELETE",
    "/ticket_fields/{field_id:int}",
    summary="Delete a custom field of tickets, and its values.",
    access="admin",
    status=204,
)
def delete_field(call: Call) -> None:
    """Delete a ticket field."""
    ticket_fields.delete_field(field_of(call), actor=call.actor)


@OPERATIONS.operation(
    "ReorderTicketFields",
    "PUT",
    "/ticket_fields/reorder",
    summary="Set the order of the fields of tickets.",
    body=FieldOrder,
    access="admin",
)
def reorder_fields(call: Call) -> None:
    """Set the order of ticket fields; the answer is empty."""
    ticket_fields.reorder_fields(call.body.ticket_field_ids, actor=call.actor)


@OPERATIONS.operation(
    "CreateOrUpdateTicketFieldOption",
    "POST",
    "/ticket_fields/{field_id:int}/options",
    summary="Add a choice to a field, or change the one whose id is given.",
    body=OptionBody,
    access="admin",
)
def save_option(call: Call) -> Reply:
    """Create or update a choice: 201 for a new one, 200 for one there was."""
    field = field_of(call)
    given = call.body.custom_field_option.model_dump(exclude_unset=True)
    option, created = ticket_fields.save_option(field, actor=call.actor, changes=given)
    location = f"/api/v2/ticket_fields/{field.id}/options.json"
    body = {"custom_field_option": option_body(field, option, call)}
    return Reply(body, 201 if created else 200, {"Location": location})


@OPERATIONS.operation(
    "DeleteTicketFieldOption",
    "DELETE",
    "/ticket_fields/{field_id:int}/options/{option_id:int}",
    summary="Remove a choice of a field, and its values.",
    access="admin",
    status=204,
)
def delete_option(call: Call) -> None:
    """Remove a choice of a field."""
    ticket_fields.delete_option(field_of(call), call.path["option_id"], actor=call.actor)
