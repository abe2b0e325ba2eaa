"""Signing in by OAuth, and who is signed in."""

from __future__ import annotations

import base64
import hashlib
from typing import Any, Final

from clones.core import clock
from clones.core.accounts import account_cards
from clones.core.operations import Call
from clones.crm.api.dialect import PUBLIC, access_token, token_form
from clones.crm.api.operations import operations
from clones.crm.errors import OAuthError
from clones.crm.models import rows_of
from clones.crm.rules.organization import ORGANIZATION_ID

GRANTS: Final = ("password",)


@operations.operation(
    "PostToken",
    "POST",
    "/oauth2/token",
    summary="Sign in.",
    access=PUBLIC,
    raw_body=True,
    writes=False,
)
def sign_in(call: Call) -> dict[str, str]:
    """Answer with an access token for who proves to be a user."""
    form = token_form(call.request)
    grant = form.get("grant_type")
    if not grant:
        raise OAuthError("invalid_request", "missing required parameter: grant_type")
    if grant not in GRANTS:
        raise OAuthError("unsupported_grant_type", "grant type not supported")
    if not form.get("client_id"):
        raise OAuthError("invalid_request", "missing required parameter: client_id")
    if call.actor is None:
        raise OAuthError("invalid_grant", "authentication failure")
    cards = account_cards(call.request.sandbox)
    secrets = next(card.secrets for card in cards if card.login == call.actor.login)
    origin = call.request.build_absolute_uri("/").rstrip("/")
    issued = str(int(clock.now().timestamp() * 1000))
    identity = f"{origin}/id/{ORGANIZATION_ID}/{call.actor.subject}"
    signed = hashlib.sha256(f"{identity}{issued}".encode()).digest()
    return {
        "access_token": access_token(secrets["api_token"]),
        "instance_url": origin,
        "id": identity,
        "token_type": "Bearer",
        "issued_at": issued,
        "signature": base64.b64encode(signed).decode(),
    }


@operations.operation("GetUserInfo", "GET", "/oauth2/userinfo", summary="Tell who is signed in.")
def show_user(call: Call) -> dict[str, Any]:
    """Answer with the user's name, addresses and zone, and where the API lies."""
    user: Any = rows_of("User").get(Id=call.actor.subject)
    origin = call.request.build_absolute_uri("/").rstrip("/")
    rest = f"{origin}/services/data/v{{version}}/"
    return {
        "sub": f"{origin}/id/{ORGANIZATION_ID}/{user.Id}",
        "user_id": user.Id,
        "organization_id": ORGANIZATION_ID,
        "preferred_username": user.Username,
        "nickname": user.CommunityNickname,
        "name": user.Name,
        "email": user.Email,
        "email_verified": True,
        "given_name": user.FirstName,
        "family_name": user.LastName,
        "zoneinfo": user.TimeZoneSidKey,
        "active": user.IsActive,
        "user_type": user.UserType.upper(),
        "language": user.LanguageLocaleKey,
        "locale": user.LocaleSidKey,
        "utcOffset": 0,
        "updated_at": user.LastModifiedDate,
        "urls": {
            "rest": rest,
            "sobjects": f"{rest}sobjects/",
            "query": f"{rest}query/",
        },
    }
