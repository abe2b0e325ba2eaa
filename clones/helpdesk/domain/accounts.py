"""Sign-ins of the desk's people."""

from __future__ import annotations

from collections.abc import Sequence

from clones.core import clock, ids
from clones.core.models import Account, Credential
from clones.helpdesk.models import User

KINDS = ("password", "api_token", "oauth_token")


def open_account(user: User, *, listed: bool = False, kinds: Sequence[str] = KINDS) -> Account:
    """Let a user sign in, with one credential of each kind, or return the account there is.

    `listed` accounts are handed out with the sandbox.

    Raises:
        ValueError: the user has no e-mail address.
    """
    found = Account.objects.filter(clone="helpdesk", subject=str(user.id)).first()
    if found is not None:
        return found
    if user.email is None:
        raise ValueError(f"user {user.id} has no address to sign in with")
    account = Account.objects.create(
        id=ids.next_stamp(Account),
        clone="helpdesk",
        subject=str(user.id),
        login=user.email,
        role=user.role,
        listed=listed,
        active=user.active,
    )
    for kind in kinds:
        Credential.objects.create(
            id=ids.next_stamp(Credential),
            account=account,
            kind=kind,
            created_at=clock.now(),
        )
    return account
