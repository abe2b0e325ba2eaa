"""Giving users a sign-in."""

from __future__ import annotations

from typing import Final, Literal

from clones.core import clock, ids
from clones.core.models import Account, Credential
from clones.crm.models import SObjectRow

Role = Literal["admin", "user"]
ADMIN: Final = "admin"


def open_account(user: SObjectRow, *, role: Role, listed: bool = False) -> Account:
    """Give a user a sign-in: by password on pages, by token and password in the API.

    With it comes a connected app that runs as the user.

    `listed` accounts are handed out with the sandbox.
    """
    account = Account.objects.create(
        id=ids.next_stamp(Account),
        clone="crm",
        subject=str(user.pk),
        login=str(user.Username),
        role=role,
        listed=listed,
    )
    for kind in ("password", "api_token", "secret_key"):
        Credential.objects.create(
            id=ids.next_stamp(Credential), account=account, kind=kind, created_at=clock.now()
        )
    return account
