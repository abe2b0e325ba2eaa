"""The addresses of users."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    PagedQuery,
    list_request,
    listed,
    show,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.people import present_identity
from clones.helpdesk.api.tickets import user_of
from clones.helpdesk.domain import users
from clones.helpdesk.domain.errors import AccessDenied
from clones.helpdesk.models import Identity

PATH = "/users/{user_id:int}/identities"
ONE = f"{PATH}/{{identity_id:int}}"


class IdentityList(PagedQuery):
    """Which addresses to list."""

    types: list[str] | None = Field(None, alias="type[]")


class IdentityWrite(Body):
    """A user identity: its type, its value, whether it is verified or primary."""

    type: str | None = None
    value: str | None = None
    verified: bool | None = None
    primary: bool | None = None
    skip_verify_email: bool | None = None


class IdentityBody(Body):
    """A user identity to create or update."""

    identity: IdentityWrite


def _identity(call: Call) -> Identity:
    rows = Identity.objects.filter(user=user_of(call)).select_related("user")
    return queries.one(rows, "identity", call.path["identity_id"])


def _list(call: Call) -> dict[str, Any]:
    rows = Identity.objects.filter(user=user_of(call))
    wanted = call.query.types if call.query is not None else None
    if wanted:
        rows = rows.filter(type__in=wanted)
    page = paginate(rows, list_request(call), Order(("id",)))
    return listed("identities", [present_identity(item, show(call)) for item in page.rows], page)


def _own_or_agent(call: Call) -> None:
    if not call.actor.is_agent and call.path["user_id"] != call.actor.id:
        raise AccessDenied("end users see their own addresses only")


@OPERATIONS.operation(
    "ListUserIdentities",
    "GET",
    PATH,
    summary="List a user's addresses.",
    access="end-user",
    query=IdentityList,
)
def list_identities(call: Call) -> dict[str, Any]:
    """List a user's addresses."""
    _own_or_agent(call)
    return _list(call)


@OPERATIONS.operation(
    "ShowUserIdentity", "GET", ONE, summary="Show one address of a user.", access="end-user"
)
def show_identity(call: Call) -> dict[str, Any]:
    """Show an address of a user."""
    _own_or_agent(call)
    return {"identity": present_identity(_identity(call), show(call, "detail"))}


@OPERATIONS.operation(
    "CreateUserIdentity",
    "POST",
    PATH,
    summary="Add an address to a user.",
    body=IdentityBody,
    access="end-user",
    status=201,
)
def create_identity(call: Call) -> Reply:
    """Add an address to a user."""
    given = call.body.identity
    made = users.create_identity(
        user_of(call),
        actor=call.actor,
        changes={"type": given.type, "value": given.value, "verified": given.verified},
    )
    if given.primary:
        users.make_identity_primary(made, actor=call.actor)
    body = present_identity(made, show(call, "detail"))
    return Reply({"identity": body}, 201, {"Location": body["url"]})


@OPERATIONS.operation(
    "UpdateUserIdentity", "PUT", ONE, summary="Change an address of a user.", body=IdentityBody
)
def update_identity(call: Call) -> dict[str, Any]:
    """Update an address of a user."""
    given = call.body.identity
    found = users.update_identity(
        _identity(call), actor=call.actor, value=given.value, verified=given.verified
    )
    return {"identity": present_identity(found, show(call, "detail"))}


@OPERATIONS.operation(
    "MakeUserIdentityPrimary",
    "PUT",
    f"{ONE}/make_primary",
    summary="Make an address the one that the user is written to at.",
    access="end-user",
)
def make_primary(call: Call) -> dict[str, Any]:
    """Make an address a user's primary one."""
    users.make_identity_primary(_identity(call), actor=call.actor)
    return _list(call)


@OPERATIONS.operation(
    "VerifyUserIdentity", "PUT", f"{ONE}/verify", summary="Mark an address as verified."
)
def verify(call: Call) -> dict[str, Any]:
    """Mark an address as verified."""
    found = users.update_identity(_identity(call), actor=call.actor, verified=True)
    return {"identity": present_identity(found, show(call, "detail"))}


@OPERATIONS.operation(
    "DeleteUserIdentity",
    "DELETE",
    ONE,
    summary="Take an address from a user.",
    access="end-user",
    status=204,
)
def delete_identity(call: Call) -> None:
    """Take an address from a user."""
    users.delete_identity(_identity(call), actor=call.actor)
