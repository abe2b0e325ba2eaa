"""Users who go: merged into others, deleted, or erased."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.helpdesk import queries
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    PagedQuery,
    list_request,
    listed,
    show,
    via,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.people import present_user
from clones.helpdesk.api.tickets import counted, user_of
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.domain.user_erasure import erase_user, is_erased
from clones.helpdesk.domain.user_merging import merge_users
from clones.helpdesk.models import User

SHOWN = (
    "id",
    "url",
    "name",
    "email",
    "created_at",
    "updated_at",
    "time_zone",
    "phone",
    "shared_phone_number",
    "photo",
    "locale_id",
    "locale",
    "organization_id",
    "role",
    "active",
)


class OtherUser(Body):
    """The user whom a merge leaves."""

    id: int


class OtherUserBody(Body):
    """A merge of users: the one who stays."""

    user: OtherUser


@OPERATIONS.operation(
    "MergeEndUsers",
    "PUT",
    "/users/{user_id:int}/merge",
    summary="Merge an end user into another one, who gets their tickets and addresses.",
    body=OtherUserBody,
)
def merge(call: Call) -> dict[str, Any]:
    """Merge the end user of the path into that of the body, and show who stays."""
    found = merge_users(
        user_of(call), queries.user(call.body.user.id), actor=call.actor, via=via(call)
    )
    return {"user": present_user(found, show(call, "detail"))}


def _deleted(call: Call, user: User) -> dict[str, Any]:
    body = present_user(user, show(call, "detail"))
    body["url"] = show(call).url(f"deleted_users/{user.id}")
    return {name: body[name] for name in SHOWN}


def _one(call: Call) -> User:
    """Return the deleted user that a call's path names, unless erased."""
    rows = User.objects.filter(active=False)
    found = queries.one(rows, "deleted user", call.path["user_id"])
    if is_erased(found):
        raise RecordNotFound("deleted user", found.id)
    return found


@OPERATIONS.operation(
    "ListDeletedUsers",
    "GET",
    "/deleted_users",
    summary="List the users who were deleted, erased ones too.",
    query=PagedQuery,
)
def list_deleted(call: Call) -> dict[str, Any]:
    """List users who are not active any more."""
    page = paginate(User.objects.filter(active=False), list_request(call), Order(("id",)))
    return listed("deleted_users", [_deleted(call, user) for user in page.rows], page)


@OPERATIONS.operation(
    "CountDeletedUsers", "GET", "/deleted_users/count", summary="Count the deleted users."
)
def count_deleted(call: Call) -> dict[str, Any]:
    """Count users who are not active any more."""
    return counted(User.objects.filter(active=False).count())


@OPERATIONS.operation(
    "ShowDeletedUser",
    "GET",
    "/deleted_users/{user_id:int}",
    summary="Show a deleted user who is not erased.",
)
def show_deleted(call: Call) -> dict[str, Any]:
    """Show a deleted user."""
    return {"deleted_user": _deleted(call, _one(call))}


@OPERATIONS.operation(
    "PermanentlyDeleteUser",
    "DELETE",
    "/deleted_users/{user_id:int}",
    summary="Erase what is known of a deleted user, for good.",
    access="admin",
)
def erase(call: Call) -> dict[str, Any]:
    """Erase a deleted user and show what is left."""
    return {"deleted_user": _deleted(call, erase_user(_one(call), actor=call.actor))}
