"""Fields of organizations."""

from __future__ import annotations

from clones.core import resources
from clones.helpdesk.api.operations import Body, PagedQuery
from clones.helpdesk.api.profile_fields import ProfileFieldWrite, fields_offer
from clones.helpdesk.api.resources import register_resource
from clones.helpdesk.domain.profile_fields import ORGANIZATION_FIELD


class FieldBody(Body):
    """An organization field to create or update."""

    organization_field: ProfileFieldWrite


class FieldOrder(Body):
    """The ids of organization fields in the order in which they are to stand."""

    organization_field_ids: list[int]


register_resource(
    fields_offer(ORGANIZATION_FIELD, "organization", FieldBody),
    resources.lists(
        "ListOrganizationFields", "List the fields of organizations.", query=PagedQuery
    ),
    resources.shows("ShowOrganizationField", "Show one field of organizations."),
    resources.creates("CreateOrganizationField", "Create a field of organizations."),
    resources.updates(
        "UpdateOrganizationField", "Change a field of organizations; its key and type stay."
    ),
    resources.deletes(
        "DeleteOrganizationField", "Delete a field of organizations, and its values."
    ),
    resources.moves(
        "ReorderOrganizationField",
        "Set the order of the fields of organizations.",
        body=FieldOrder,
    ),
    module=__name__,
)
