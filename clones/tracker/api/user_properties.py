"""What integrations keep with users."""

from __future__ import annotations

from typing import Any, Final

from clones.core.operations import Call, Reply
from clones.tracker.api import entity_properties
from clones.tracker.api.operations import actor, operation, show
from clones.tracker.api.users import AccountQuery
from clones.tracker.domain.errors import Forbidden
from clones.tracker.domain.people import ONLY_ADMINS
from clones.tracker.queries.people import find_user

PATH: Final = "/rest/api/3/user/properties"
KIND: Final = "user"


def _entity(call: Call) -> str:
    """Return whose properties they are: one's own, or an admin's business.

    Raises:
        Invalid: nobody is named; the caller is not meant by that.
    """
    user, reader = find_user(call.query.account), actor(call)
    if user != reader.user and not reader.is_admin:
        raise Forbidden(ONLY_ADMINS)
    return user.account_id


@operation(
    "getUserPropertyKeys", "GET", PATH, summary="List the keys of a user's properties.",
    query=AccountQuery,
)  # fmt: skip
def list_keys(call: Call) -> dict[str, Any]:
    """List the keys of a user's properties."""
    return entity_properties.keys_of(KIND, _entity(call), show(call).url("user/properties"))


@operation(
    "getUserProperty",
    "GET",
    PATH + "/{propertyKey}",
    summary="Show a property of a user.",
    query=AccountQuery,
)
def show_property(call: Call) -> dict[str, Any]:
    """Show a property of a user."""
    return entity_properties.value_of(KIND, _entity(call), call.path["propertyKey"])


@operation(
    "setUserProperty",
    "PUT",
    PATH + "/{propertyKey}",
    summary="Set a property of a user.",
    query=AccountQuery,
    raw_body=True,
)
def set_property(call: Call) -> Reply:
    """Set a property of a user."""
    return entity_properties.keep(KIND, _entity(call), call.path["propertyKey"], call.body)


@operation(
    "deleteUserProperty",
    "DELETE",
    PATH + "/{propertyKey}",
    summary="Remove a property of a user.",
    query=AccountQuery,
    status=204,
)
def delete_property(call: Call) -> Reply:
    """Remove a property of a user."""
    return entity_properties.drop(KIND, _entity(call), call.path["propertyKey"])
