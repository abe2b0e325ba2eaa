"""A user's own password."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.helpdesk.api.operations import OPERATIONS, Body
from clones.helpdesk.api.tickets import user_of
from clones.helpdesk.domain import passwords as own_passwords
from clones.helpdesk.domain.errors import AccessDenied, MissingParameter
from clones.helpdesk.rules import passwords


class PasswordBody(Body):
    """A change of the caller's own password: the present one and the new one."""

    previous_password: str | None = None
    password: str | None = None


@OPERATIONS.operation(
    "ChangeOwnPassword",
    "PUT",
    "/users/{user_id:int}/password",
    summary="Change your own password.",
    body=PasswordBody,
    access="end-user",
)
def change_password(call: Call) -> dict[str, Any]:
    """Change the caller's password, which the previous one proves to be theirs."""
    if user_of(call).id != call.actor.id:
        raise AccessDenied("everybody changes their own password only")
    given = call.body
    for name in ("previous_password", "password"):
        if getattr(given, name) is None:
            raise MissingParameter(name)
    account = call.account
    if account is None:
        raise AccessDenied("nobody has signed in")
    own_passwords.change_password(
        account,
        previous=given.previous_password,
        password=given.password,
        sandbox=call.request.sandbox,
    )
    return {}


@OPERATIONS.operation(
    "GetUserPasswordRequirements",
    "GET",
    "/users/{user_id:int}/password/requirements",
    summary="List what a password must be like.",
    access="end-user",
)
def show_requirements(call: Call) -> dict[str, Any]:
    """List the requirements that a new password of the user is held to."""
    user_of(call)
    return {"requirements": [text for text, _ in passwords.REQUIREMENTS]}
