"""Programs and their tokens as JSON: a secret is shown whole once, and by its beginning later."""

from __future__ import annotations

from typing import Any

from clones.core.accounts import secrets
from clones.core.server import server
from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.domain.oauth import secret_of
from clones.helpdesk.models import OAuthClient, OAuthToken

BEGINNING = 10


def present_client(client: OAuthClient, show: Show, *, whole: bool = False) -> dict[str, Any]:
    """Return a program as JSON, its secret `whole` or by its beginning."""
    show.note(client)
    secret = secret_of(client, show.sandbox.id)
    return {
        "url": show.url(f"oauth/clients/{client.id}"),
        "id": client.id,
        "identifier": client.identifier,
        "name": client.name,
        "description": client.description,
        "company": client.company,
        "kind": client.kind,
        "global": False,
        "logo_url": None,
        "redirect_uri": client.redirect_uris,
        "secret": secret if whole else secret[:BEGINNING],
        "user_id": client.user_id,
        "created_at": when(client.created_at),
        "updated_at": when(client.updated_at),
    }


def present_token(token: OAuthToken, show: Show, *, whole: bool = False) -> dict[str, Any]:
    """Return a token as JSON, `whole` or by its beginning; when it was used is not kept."""
    show.note(token)
    row = show.sandbox
    text = secrets.mint(server().key, row.id, row.credential_epoch, "oauth_token", token.id)
    return {
        "url": show.url(f"oauth/tokens/{token.id}"),
        "id": token.id,
        "client_id": token.client_id,
        "user_id": token.user_id,
        "scopes": token.scopes,
        "token": text if whole else text[:BEGINNING],
        "refresh_token": None,
        "refresh_token_expires_at": None,
        "expires_at": None,
        "used_at": None,
        "created_at": when(token.created_at),
    }
