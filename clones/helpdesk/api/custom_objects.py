"""Custom objects and their fields."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core import resources
from clones.core.operations import Call, Reply
from clones.helpdesk.api.operations import OPERATIONS, Body, PagedQuery, asked, listed, show
from clones.helpdesk.api.paging import paginate
from clones.helpdesk.api.presenters.custom_objects import present_object, present_object_field
from clones.helpdesk.api.resources import WHOLE, register_resource
from clones.helpdesk.api.settings import BY_POSITION
from clones.helpdesk.api.ticket_fields import OptionWrite
from clones.helpdesk.api.views import rule_changes
from clones.helpdesk.domain import custom_object_fields, custom_objects
from clones.helpdesk.models import CustomObject, CustomObjectField
from clones.helpdesk.queries.custom_objects import (
    field_of,
    fields_of,
    object_of_key,
    objects,
    own_fields,
)
from clones.helpdesk.rules.custom_objects import FIELDS, OBJECTS

ALL = "/custom_objects"
ONE = f"{ALL}/{{custom_object_key}}"
ONE_FIELD = f"{ONE}/fields/{{field_key_or_id}}"


class ObjectWrite(Body):
    """What to set on a custom object."""

    key: str | None = Field(None, description="Letters, digits, underscores; set once.")
    title: str | None = None
    raw_title: str | None = None
    title_pluralized: str | None = None
    raw_title_pluralized: str | None = None
    description: str | None = None
    raw_description: str | None = None
    include_in_list_view: bool | None = None


class ObjectBody(Body):
    """A custom object to create or update."""

    custom_object: ObjectWrite


class ObjectFieldWrite(Body):
    """What to set on a field of a custom object."""

    key: str | None = Field(None, description="Letters, digits, underscores; set once.")
    type: str | None = None
    title: str | None = None
    raw_title: str | None = None
    description: str | None = None
    raw_description: str | None = None
    position: int | None = None
    active: bool | None = None
    regexp_for_validation: str | None = None
    custom_field_options: list[OptionWrite] | None = Field(
        None, description="All choices: those left out are removed."
    )
    relationship_target_type: str | None = Field(
        None, description="What a lookup refers to; set once."
    )
    relationship_filter: dict[str, Any] | None = None
    properties: dict[str, Any] | None = Field(
        None, description="Of the name: how it is numbered, and whether it is unique."
    )


class ObjectFieldBody(Body):
    """A field to create or update."""

    custom_object_field: ObjectFieldWrite


class FieldOrder(Body):
    """An object's fields in the order they are to stand."""

    custom_object_field_ids: list[int]


class FieldsQuery(PagedQuery):
    """The parameters of a list of fields."""

    include_standard_fields: bool | None = None


def named_object(call: Call) -> CustomObject:
    """Return the custom object that a call's path names.

    Raises:
        RecordNotFound: there is none.
    """
    return object_of_key(call.path["custom_object_key"])


def _field_body(field: CustomObjectField, of: CustomObject, call: Call) -> dict[str, Any]:
    return {"custom_object_field": present_object_field(field, of, show(call, "detail"))}


register_resource(
    resources.ResourceApi(
        resource=custom_objects.CUSTOM_OBJECT,
        path=ALL,
        one="/{custom_object_key}",
        find=object_of_key,
        present=present_object,
        body=ObjectBody,
    ),
    resources.lists("ListCustomObjects", "List the custom objects.", manner=WHOLE),
    resources.creates("CreateCustomObject", "Create a custom object."),
    resources.shows("ShowCustomObject", "Show one custom object."),
    resources.updates(
        "UpdateCustomObject",
        "Change what a custom object is called; its key stays.",
        method="PATCH",
    ),
    resources.deletes("DeleteCustomObject", "Delete a custom object with its fields and records."),
    module=__name__,
)


@OPERATIONS.operation(
    "CustomObjectsLimit",
    "GET",
    f"{ALL}/limits/object_limit",
    summary="Show how many custom objects there are, and can be.",
    access="admin",
)
def object_limit(call: Call) -> dict[str, Any]:
    """Show the number of objects and its limit."""
    return {"count": objects().count(), "limit": OBJECTS}


@OPERATIONS.operation(
    "CustomObjectFieldsLimit",
    "GET",
    f"{ONE}/limits/field_limit",
    summary="Show how many fields a custom object has, and can have.",
)
def field_limit(call: Call) -> dict[str, Any]:
    """Show the number of an object's own fields and its limit."""
    return {"count": own_fields(named_object(call)).count(), "limit": FIELDS}


@OPERATIONS.operation(
    "ListCustomObjectFields",
    "GET",
    f"{ONE}/fields",
    summary="List the fields of a custom object.",
    query=FieldsQuery,
)
def list_fields(call: Call) -> dict[str, Any]:
    """List an object's fields in their order; the standard ones only if they are asked for."""
    found = named_object(call)
    rows = fields_of(found) if call.query.include_standard_fields else own_fields(found)
    page = paginate(rows, asked(call), BY_POSITION)
    bodies = [present_object_field(item, found, show(call)) for item in page.rows]
    return listed("custom_object_fields", bodies, page)


@OPERATIONS.operation(
    "CreateCustomObjectField",
    "POST",
    f"{ONE}/fields",
    summary="Create a field of a custom object.",
    body=ObjectFieldBody,
    access="admin",
    status=201,
)
def create_field(call: Call) -> Reply:
    """Create a field."""
    found = named_object(call)
    changes = rule_changes(call.body.custom_object_field)
    made = custom_object_fields.create_field(of=found, actor=call.actor, changes=changes)
    body = _field_body(made, found, call)
    return Reply(body, 201, {"Location": body["custom_object_field"]["url"]})


@OPERATIONS.operation(
    "ShowCustomObjectField", "GET", ONE_FIELD, summary="Show one field of a custom object."
)
def show_field(call: Call) -> dict[str, Any]:
    """Show a field by its key or id."""
    found = named_object(call)
    return _field_body(field_of(found, call.path["field_key_or_id"]), found, call)


@OPERATIONS.operation(
    "UpdateCustomObjectField",
    "PATCH",
    ONE_FIELD,
    summary="Change a field of a custom object; its key and type stay.",
    body=ObjectFieldBody,
    access="admin",
)
def update_field(call: Call) -> dict[str, Any]:
    """Update a field."""
    found = named_object(call)
    field = field_of(found, call.path["field_key_or_id"])
    changes = rule_changes(call.body.custom_object_field)
    saved = custom_object_fields.update_field(field, actor=call.actor, changes=changes)
    return _field_body(saved, found, call)


@OPERATIONS.operation(
    "DeleteCustomObjectField",
    "DELETE",
    ONE_FIELD,
    summary="Delete a field of a custom object, and its values.",
    access="admin",
    status=204,
)
def delete_field(call: Call) -> None:
    """Delete a field."""
    field = field_of(named_object(call), call.path["field_key_or_id"])
    custom_object_fields.delete_field(field, actor=call.actor)


@OPERATIONS.operation(
    "ReorderCustomObjectFields",
    "PUT",
    f"{ONE}/fields/reorder",
    summary="Set the order of a custom object's fields.",
    body=FieldOrder,
    access="admin",
)
def reorder_fields(call: Call) -> None:
    """Set the order of fields; the answer is empty."""
    order = call.body.custom_object_field_ids
    custom_object_fields.reorder_fields(named_object(call), order, actor=call.actor)
