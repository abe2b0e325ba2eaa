"""Signing in by OAuth, and ending what a sign-in gave."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

from clones.core import clock
from clones.core.accounts import Authenticated
from clones.core.accounts.secrets import read
from clones.core.models import Account, Credential
from clones.core.operations import Call
from clones.crm.api.credentials import JWT_BEARER, UNPROVEN, client_of, oauth_form
from clones.crm.api.dialect import PUBLIC
from clones.crm.api.operations import operations
from clones.crm.domain.connected_apps import (
    App,
    approved_user,
    end_refresh,
    end_session,
    find_app,
    find_refresh,
    give_refresh,
    key_of,
    open_session,
    secret_of,
    take_code,
)
from clones.crm.errors import OAuthError
from clones.crm.rules.assertions import read_assertion
from clones.crm.rules.organization import ORGANIZATION_ID
from clones.crm.rules.tokens import CODE, COMMAND_LINE, REFRESH, access_token, secret_in

SCOPE: Final = "api web refresh_token"
# Hosts of the vendor's to which assertions are written, wherever they are sent.
_AUDIENCES: Final = ("login.salesforce.com", "test.salesforce.com")
Form = Any


@operations.operation(
    "PostToken", "POST", "/oauth2/token", summary="Sign in.", access=PUBLIC, raw_body=True
)
def sign_in(call: Call) -> dict[str, str]:
    """Answer with an access token for who proves to be a user, or to act for one."""
    form = oauth_form(call.request)
    grant = form.get("grant_type")
    if not grant:
        raise _missing("grant_type")
    answer = _GRANTS.get(grant)
    if answer is None:
        raise OAuthError("unsupported_grant_type", "grant type not supported")
    return answer(call, form)


def _by_password(call: Call, form: Form) -> dict[str, str]:
    app = _client(call, needs_secret=False)
    account = _proven(call, UNPROVEN["password"])
    given = _session_of(call, account, app)
    given.pop("scope")
    return given


def _by_client(call: Call, form: Form) -> dict[str, str]:
    app = _client(call, needs_secret=True)
    if app is None:
        raise OAuthError("invalid_client_id", "client identifier invalid")
    return _session_of(call, app.account, app)


def _by_refresh(call: Call, form: Form) -> dict[str, str]:
    app = _client(call, needs_secret=False)
    claim = read(_required(form, "refresh_token").removeprefix(REFRESH))
    _proven(call, UNPROVEN["refresh_token"])
    account = None if app is None or claim is None else find_refresh(claim.number, app)
    if account is None:
        raise OAuthError("invalid_grant", UNPROVEN["refresh_token"])
    return _session_of(call, account, app)


def _by_code(call: Call, form: Form) -> dict[str, str]:
    claim = read(_required(form, "code").removeprefix(CODE))
    address = _required(form, "redirect_uri")
    verifier = form.get("code_verifier", "")
    app = _client(call, needs_secret=not verifier)
    _proven(call, UNPROVEN["authorization_code"])
    account = None
    if app is not None and claim is not None:
        challenge = challenge_of(verifier) if verifier else ""
        account = take_code(claim.number, app, address=address, challenge=challenge)
    if app is None or account is None:
        raise OAuthError("invalid_grant", UNPROVEN["authorization_code"])
    refresh = secret_of(
        give_refresh(account, app), call.request.sandbox, own_client=_own_client(call)
    )
    given = _session_of(call, account, app)
    return {"access_token": given.pop("access_token"), "refresh_token": REFRESH + refresh, **given}


def _by_assertion(call: Call, form: Form) -> dict[str, str]:
    """Sign in who an app says that it acts for, by what only the app can sign.

    Its time is that of the client's machine, which is not the sandbox's: what is late cannot be
    told, only what was never good.
    """
    invalid = OAuthError("invalid_grant", "invalid assertion")
    try:
        claimed = read_assertion(_required(form, "assertion"))
    except ValueError:
        raise invalid from None
    app = find_app(claimed.said("iss"), call.request.sandbox)
    if app is None:
        raise OAuthError("invalid_client_id", "client identifier invalid")
    key = key_of(app)
    if key is None or not claimed.is_signed_by(key):
        raise invalid
    if _host_in(claimed.said("aud")) not in (*_AUDIENCES, _host_in(origin_of(call))):
        raise OAuthError("invalid_grant", "audience is invalid")
    expires, issued = (claimed.claims.get(name) for name in ("exp", "iat"))
    if not isinstance(expires, int | float) or (
        isinstance(issued, int | float) and expires <= issued
    ):
        raise OAuthError("invalid_grant", UNPROVEN[JWT_BEARER])
    account = approved_user(app, claimed.said("sub") or claimed.said("prn"))
    if account is None:
        raise OAuthError("invalid_grant", "user hasn't approved this consumer")
    return _session_of(call, account, app)


def _host_in(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


_GRANTS: Final[dict[str, Callable[[Call, Form], dict[str, str]]]] = {
    "password": _by_password,
    "client_credentials": _by_client,
    "refresh_token": _by_refresh,
    "authorization_code": _by_code,
    JWT_BEARER: _by_assertion,
}


@operations.operation(
    "PostRevoke", "POST", "/oauth2/revoke", summary="End a token.", access=PUBLIC, raw_body=True
)
def revoke(call: Call) -> None:
    """Answer with nothing."""
    _revoke(call)()


@operations.operation("GetRevoke", "GET", "/oauth2/revoke", summary="End a token.", access=PUBLIC)
def revoke_by_address(call: Call) -> None:
    """Answer with nothing."""
    call.request.led_to.append(_revoke(call))


def _revoke(call: Call) -> Callable[[], None]:
    """Return what ends the token that a request names.

    Raises:
        OAuthError: it names none that is good.
    """
    token = oauth_form(call.request).get("token", "")
    if not token:
        raise _missing("token")
    found, claim = call.request.authenticated, read(secret_in(token).removeprefix(REFRESH))
    if found is None or claim is None:
        raise OAuthError("unsupported_token_type", "this token type is not supported")
    return partial(end_refresh if token.startswith(REFRESH) else end_session, claim.number)


@operations.operation(
    "PostIntrospect",
    "POST",
    "/oauth2/introspect",
    summary="Tell of a token.",
    access=PUBLIC,
    raw_body=True,
    writes=False,
)
def introspect(call: Call) -> dict[str, Any]:
    """Answer with whose token it is, or that it is none."""
    app = _client(call, needs_secret=True)
    token = oauth_form(call.request).get("token", "")
    if not token:
        raise _missing("token")
    kind = "refresh_token" if token.startswith(REFRESH) else "access_token"
    secret = secret_in(token).removeprefix(REFRESH)
    claim = read(secret)
    found = None
    if claim is not None and claim.kind in ("api_token", "oauth_token"):
        found = (
            Credential.objects.select_related("account")
            .filter(id=claim.number, kind=claim.kind, active=True, account__clone="crm")
            .first()
        )
    if app is None or found is None or not _is_secret_of(call, found, secret):
        return {"active": False}
    now = int(clock.now().timestamp())
    # The tokens that a sandbox hands out are as old as its users, and always fresh.
    issued = int(found.created_at.timestamp()) if found.description else now
    return {
        "active": True,
        "scope": SCOPE,
        "client_id": app.id,
        "username": found.account.login,
        "sub": call.request.build_absolute_uri(f"/id/{ORGANIZATION_ID}/{found.account.subject}"),
        "token_type": kind,
        "exp": max(issued, now) + 7200,
        "iat": issued,
        "nbf": issued,
    }


def challenge_of(verifier: str) -> str:
    """Return the challenge of a verifier: its SHA-256, in the letters of addresses."""
    digest = hashlib.sha256(verifier.encode(errors="replace")).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def origin_of(call: Call) -> str:
    """Return scheme, host and port as the client wrote them."""
    return call.request.build_absolute_uri("/").rstrip("/")


def open_api_session(call: Call, account: Account, app: App | None = None) -> str:
    """Open a session of an account, and return its access token."""
    opened = open_session(account, app=None if app is None else app.number)
    return access_token(secret_of(opened, call.request.sandbox, own_client=_own_client(call)))


def _session_of(call: Call, account: Account, app: App | None) -> dict[str, str]:
    origin = origin_of(call)
    issued = str(int(clock.now().timestamp() * 1000))
    identity = f"{origin}/id/{ORGANIZATION_ID}/{account.subject}"
    signed = hashlib.sha256(f"{identity}{issued}".encode()).digest()
    return {
        "access_token": open_api_session(call, account, app),
        "signature": base64.b64encode(signed).decode(),
        "scope": SCOPE,
        "instance_url": origin,
        "id": identity,
        "token_type": "Bearer",
        "issued_at": issued,
    }


def _client(call: Call, *, needs_secret: bool) -> App | None:
    """Return the app that asks, None for the vendor's own command line.

    Raises:
        OAuthError: there is none of that key, or its secret is another one.
    """
    id, secret = client_of(call.request)
    if not id:
        raise _missing("client_id")
    if id == COMMAND_LINE and not needs_secret:
        return None
    app = find_app(id, call.request.sandbox)
    if app is None:
        raise OAuthError("invalid_client_id", "client identifier invalid")
    if not secret and needs_secret:
        raise _missing("client_secret")
    if secret and not app.has_secret(secret, call.request.sandbox):
        raise OAuthError("invalid_client", "invalid client credentials")
    return app


def _proven(call: Call, otherwise: str) -> Account:
    """Return the account that the request proves.

    Raises:
        OAuthError: it proves none.
    """
    found = _found(call)
    if found is None:
        raise OAuthError("invalid_grant", otherwise)
    return found.account


def _found(call: Call) -> Authenticated | None:
    """Return who proved to be somebody, other than by the cookie of a page."""
    found = call.request.authenticated
    return None if found is None or found.session is not None else found


def _own_client(call: Call) -> bool:
    found = _found(call)
    return found is None or found.own_client


def _is_secret_of(call: Call, credential: Credential, secret: str) -> bool:
    row = call.request.sandbox
    return secret in (secret_of(credential, row), secret_of(credential, row, own_client=False))


def _required(form: Form, name: str) -> str:
    found = form.get(name)
    if not found:
        raise _missing(name)
    return str(found)


def _missing(name: str) -> OAuthError:
    return OAuthError("invalid_request", f"missing required parameter: {name}")
