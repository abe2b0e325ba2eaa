"""Writing API tokens: secrets with which programs sign in as the person who made them.

A token is a credential like those that a sandbox hands out: it proves its owner's account, and
nobody else's.
"""

from __future__ import annotations

from clones.core import clock, ids
from clones.core.models import Account, Credential
from clones.helpdesk.domain.changes import plain_text
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid
from clones.helpdesk.models import User

KIND = "api_token"
NAME = 200


def create_token(account: Account, *, actor: User, name: str) -> Credential:
    """Make a token of the actor, whose account it is.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: it has no name, or one that is too long.
    """
    _admins_only(actor)
    return Credential.objects.create(
        id=ids.next_stamp(Credential),
        account=account,
        kind=KIND,
        description=_name(name),
        created_at=clock.now(),
    )


def update_token(
    token: Credential, *, actor: User, name: str | None = None, active: bool | None = None
) -> Credential:
    """Rename a token, or let it prove its owner no longer, or again.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: the name is empty or too long.
    """
    _admins_only(actor)
    if name is not None:
        token.description = _name(name)
    if active is not None:
        token.active = active
    token.save(update_fields=["description", "active"])
    return token


def delete_token(token: Credential, *, actor: User) -> None:
    """Remove a token.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: it is active.
    """
    _admins_only(actor)
    if token.active:
        raise RecordInvalid.of("base", "API token: must be deactivated before it is deleted")
    token.delete()


def _name(value: str) -> str:
    text = (plain_text("name", value, NAME) or "").strip()
    if not text:
        raise RecordInvalid.of("name", "Name: cannot be blank", "BlankValue")
    return text


def _admins_only(actor: User) -> None:
    if actor.role != "admin":
        raise AccessDenied("only admins keep API tokens")
