"""Sign-ins of the desk's people."""

from __future__ import annotations

from collections.abc import Sequence

from clones.core import accounts
from clones.core.models import Account
from clones.helpdesk.models import User

KINDS = ("password", "api_token", "oauth_token")


def open_account(user: User, *, listed: bool = False, kinds: Sequence[str] = KINDS) -> Account:
    """Let a user sign in, with one credential of each kind, or return the account there is.

    `listed` accounts are handed out with the sandbox.

    Raises:
        ValueError: the user has no e-mail address.
    """
    return accounts.open_account(
        "helpdesk",
        user.id,
        user.email,
        role=user.role,
        kinds=kinds,
        listed=listed,
        active=user.active,
    )
