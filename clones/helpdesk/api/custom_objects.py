"""Custom objects and their fields."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from pydantic import Field

from clones.core import resources
from clones.core.operations import Call
from clones.helpdesk.api.field_options import OptionWrite
from clones.helpdesk.api.operations import OPERATIONS, Body, PagedQuery
from clones.helpdesk.api.presenters.custom_objects import present_object, present_object_field
from clones.helpdesk.api.resources import WHOLE, register_resource
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


class ObjectWrite(Body):
    """The attributes of a custom object that can be set."""

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
    """The attributes of a custom object's field that can be set."""

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
    """A field of a custom object to create or update."""

    custom_object_field: ObjectFieldWrite


class FieldOrder(Body):
    """The ids of a custom object's fields in the order in which they are to stand."""

    custom_object_field_ids: list[int]


class FieldsQuery(PagedQuery):
    """Filter and paging of the list of a custom object's fields."""

    include_standard_fields: bool | None = None


def named_object(call: Call) -> CustomObject:
    """Return the custom object that a call's path names.

    Raises:
        RecordNotFound: there is none.
    """
    return object_of_key(call.path["custom_object_key"])


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


def _wanted_fields(call: Call) -> QuerySet[CustomObjectField]:
    """Return an object's fields; the standard ones only if they are asked for."""
    found = named_object(call)
    rows = fields_of(found) if call.query.include_standard_fields else own_fields(found)
    return rows.select_related("custom_object")


register_resource(
    resources.ResourceApi(
        resource=custom_object_fields.CUSTOM_OBJECT_FIELD,
        path=f"{ONE}/fields",
        one="/{field_key_or_id}",
        within=named_object,
        find_for=lambda call: field_of(named_object(call), call.path["field_key_or_id"]),
        present=present_object_field,
        body=ObjectFieldBody,
    ),
    resources.lists(
        "ListCustomObjectFields",
        "List the fields of a custom object.",
        query=FieldsQuery,
        rows=_wanted_fields,
    ),
    resources.creates("CreateCustomObjectField", "Create a field of a custom object."),
    resources.shows("ShowCustomObjectField", "Show one field of a custom object."),
    resources.updates(
        "UpdateCustomObjectField",
        "Change a field of a custom object; its key and type stay.",
        method="PATCH",
    ),
    resources.deletes(
        "DeleteCustomObjectField", "Delete a field of a custom object, and its values."
    ),
    resources.moves(
        "ReorderCustomObjectFields",
        "Set the order of a custom object's fields.",
        body=FieldOrder,
    ),
    module=__name__,
)
