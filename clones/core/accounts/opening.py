"""Opening an account: who signs in to a clone, and by what."""

from __future__ import annotations

from collections.abc import Sequence

from clones.core import clock, ids
from clones.core.models.accounts import Account, Credential


def open_account(
    clone: str,
    subject: int,
    login: str | None,
    *,
    role: str,
    kinds: Sequence[str],
    listed: bool = False,
    active: bool = True,
) -> Account:
    """Let somebody sign in to a clone, or return the account there is.

    Args:
        clone: its name.
        subject: the key of the clone's own row of that person.
        login: what is typed to sign in: an address.
        role: the clone's word for what they are, under which their secrets are handed out.
        kinds: kinds of credentials: one of each is made.
        listed: whether the account is handed out with the sandbox.
        active: whether it can be used.

    Raises:
        ValueError: there is no address.
    """
    found = Account.objects.filter(clone=clone, subject=str(subject)).first()
    if found is not None:
        return found
    if login is None:
        raise ValueError(f"{clone}: {subject} has no address to sign in with")
    account = Account.objects.create(
        id=ids.next_stamp(Account),
        clone=clone,
        subject=str(subject),
        login=login,
        role=role,
        listed=listed,
        active=active,
    )
    for kind in kinds:
        Credential.objects.create(
            id=ids.next_stamp(Credential), account=account, kind=kind, created_at=clock.now()
        )
    return account
