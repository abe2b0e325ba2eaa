"""How a handed-out account is shown, and the header that proves it."""

from __future__ import annotations

import base64
from typing import Any

from clones.core.accounts import AccountCard
from clones.helpdesk.queries.hot import NAME_OF_USER


def account_view(card: AccountCard) -> dict[str, Any]:
    """Return an account under the names that helpdesk clients use."""
    name = NAME_OF_USER.first(int(card.subject))
    shown: dict[str, Any] = {"role": card.role, "name": name, "email": card.login}
    for kind in ("password", "api_token", "oauth_token"):
        shown[kind] = card.secrets.get(kind)
    return shown


def authorization(card: AccountCard) -> dict[str, str]:
    """Return the header that proves an account: by API token, bearer token or password.

    Raises:
        KeyError: the account has no secret to prove it with.
    """
    if "api_token" in card.secrets:
        text = f"{card.login}/token:{card.secrets['api_token']}"
    elif "oauth_token" in card.secrets:
        return {"Authorization": f"Bearer {card.secrets['oauth_token']}"}
    else:
        text = f"{card.login}:{card.secrets['password']}"
    return {"Authorization": "Basic " + base64.b64encode(text.encode()).decode()}
