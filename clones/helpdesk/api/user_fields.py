"""Fields of users, and their choices."""

from __future__ import annotations

from typing import Final

from clones.core import resources
from clones.helpdesk.api.field_options import OptionBody, register_options
from clones.helpdesk.api.operations import Body, PagedQuery
from clones.helpdesk.api.presenters.profiles import present_profile_option
from clones.helpdesk.api.profile_fields import ProfileFieldWrite, fields_offer
from clones.helpdesk.api.resources import register_resource
from clones.helpdesk.domain import profile_fields


class FieldBody(Body):
    """A user field to create or update."""

    user_field: ProfileFieldWrite


class FieldOrder(Body):
    """The ids of user fields in the order in which they are to stand."""

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


register_options(
    resources.ResourceApi(
        resource=profile_fields.USER_FIELD_OPTION,
        path="/user_fields/{field_id:int}/options",
        one="/{option_id:int}",
        within=lambda call: FIELDS.of_key(call.path["field_id"]),
        present=lambda found, reading: present_profile_option(found[0], found[1], reading),
        body=OptionBody,
    ),
    resources.lists(
        "ListUserFieldOptions", "List the choices of a field of users.", query=PagedQuery
    ),
    resources.shows("ShowUserFieldOption", "Show one choice of a field of users."),
    resources.updates(
        "CreateOrUpdateUserFieldOption",
        "Add a choice to a field of users, or change the one whose id is given.",
    ),
    resources.deletes(
        "DeleteUserFieldOption", "Remove a choice of a field of users, and its values."
    ),
    module=__name__,
)
