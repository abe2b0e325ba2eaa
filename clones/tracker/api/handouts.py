"""How a handed-out account is shown, and the header that proves it."""

from __future__ import annotations

from typing import Any

from clones.core.accounts import AccountCard
from clones.core.accounts.authentication import basic_header
from clones.tracker.queries.hot import USER


def account_view(card: AccountCard) -> dict[str, Any]:
    """Return an account under the names that the vendor's clients use."""
    user = USER.first(int(card.subject))
    return {
        "role": card.role,
        "name": None if user is None else user.display_name,
        "account_id": None if user is None else user.account_id,
        "email": card.login,
        "password": card.secrets.get("password"),
        "api_token": card.secrets.get("api_token"),
    }


def authorization(card: AccountCard) -> dict[str, str]:
    """Return the header that proves an account: by API token, or by password.

    Raises:
        KeyError: the account has no secret to prove it with.
    """
    secret = card.secrets.get("api_token") or card.secrets["password"]
    return basic_header(card.login, secret)
