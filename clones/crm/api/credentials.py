"""What requests present: sessions in headers, and at some addresses what a body or a query has."""

from __future__ import annotations

from typing import Final

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, QueryDict
from django.http.request import RawPostDataException

from clones.core.accounts import Presented, basic_parts, bearer_text
from clones.crm.api.soap.envelope import SOAP_PREFIX, soap_login, soap_session
from clones.crm.errors import OAuthError
from clones.crm.rules.assertions import read_assertion
from clones.crm.rules.tokens import (
    CODE,
    CONSUMER,
    DIGITS,
    PAGE_COOKIE,
    REFRESH,
    SESSION_COOKIE,
    access_token,
    secret_in,
)

__all__ = [
    "access_token",
    "client_of",
    "oauth_form",
    "plain_path",
    "presented",
    "session_text",
    "stranger",
]

OAUTH: Final = "/services/oauth2/"
TOKEN_PATH: Final = f"{OAUTH}token"
AUTHORIZE: Final = f"{OAUTH}authorize"  # a page, though it lies among the API
# Where a token is what the request is about, or who is asked for it is not the user.
_BY_FORM: Final = frozenset({TOKEN_PATH, f"{OAUTH}revoke", f"{OAUTH}introspect"})
JWT_BEARER: Final = "urn:ietf:params:oauth:grant-type:jwt-bearer"
# Grants for somebody, and what is said where they prove nobody.
UNPROVEN: Final = {
    "password": "authentication failure",
    "refresh_token": "expired access/refresh token",
    "authorization_code": "invalid authorization code",
    JWT_BEARER: "expired authorization code",
}
_API: Final = ("/services/", "/id/")
_LETTERS: Final = 10  # of the name of a sandbox
SECRET: Final = 40  # characters of a password; what follows them is the vendor's security token


def plain_path(request: HttpRequest) -> str:
    """Return where a request goes: a slash that stands twice before it counts once.

    The vendor's command line keeps the address of its organization with a slash at its end.
    """
    return "/" + request.path.lstrip("/")


def presented(request: HttpRequest) -> Presented | None:
    """Return what a request presents, if anything."""
    path = plain_path(request)
    if path in _BY_FORM:
        return _by_form(request)
    if path.startswith(SOAP_PREFIX):
        return _by_envelope(request)
    if not path.startswith(_API) or path == AUTHORIZE:
        return _by_cookie(request)
    token = session_text(request)
    if not token and path.startswith(f"{OAUTH}userinfo"):
        token = oauth_form(request).get("access_token", "")
    return _of_token(token)


def session_text(request: HttpRequest) -> str:
    """Return the token of a request's headers: as `Bearer`, as `OAuth`, or by the vendor's own."""
    scheme, _, rest = request.headers.get("Authorization", "").partition(" ")
    older = rest.strip() if scheme.lower() == "oauth" else ""
    return bearer_text(request) or older or request.headers.get("X-SFDC-Session", "")


def oauth_form(request: HttpRequest) -> QueryDict:
    """Return the form that was posted, or the query of the address."""
    try:
        posted = QueryDict(request.body, encoding="utf-8")
    except (UnicodeDecodeError, RawPostDataException, SuspiciousOperation):
        return QueryDict()
    return posted or request.GET


def client_of(request: HttpRequest) -> tuple[str, str]:
    """Return the key and the secret of the app that asks, empty where it does not say them."""
    basic = basic_parts(request)
    form = oauth_form(request)
    return basic or (form.get("client_id", ""), form.get("client_secret", ""))


def stranger(request: HttpRequest) -> OAuthError | None:
    """Return what a form is refused with that names no sandbox by any secret, if it is one."""
    if request.path not in _BY_FORM:
        return None
    if request.path.endswith("/revoke"):
        return OAuthError("unsupported_token_type", "this token type is not supported")
    grant = oauth_form(request).get("grant_type")
    if request.path == TOKEN_PATH and not grant:
        return OAuthError("invalid_request", "missing required parameter: grant_type")
    if request.path == TOKEN_PATH and grant in UNPROVEN:
        return OAuthError("invalid_grant", UNPROVEN[grant])
    if request.path == TOKEN_PATH and grant != "client_credentials":
        return OAuthError("unsupported_grant_type", "grant type not supported")
    return OAuthError("invalid_client", "invalid client credentials")


def _by_form(request: HttpRequest) -> Presented | None:
    form = oauth_form(request)
    if plain_path(request) == TOKEN_PATH:
        grant = form.get("grant_type")
        if grant == "password":
            password = form.get("password", "")[:SECRET]
            login = form.get("username", "").replace("\0", "\ufffd")
            return Presented(secret=password, login=login, kinds=("password",))
        if grant == "refresh_token":
            return _of_grant(form.get("refresh_token", ""), REFRESH)
        if grant == "authorization_code":
            return _of_grant(form.get("code", ""), CODE)
        if grant == JWT_BEARER:
            return _of_assertion(form.get("assertion", ""))
    elif request.path.endswith("/revoke"):
        token = form.get("token", "")
        return _of_grant(token, REFRESH) if token.startswith(REFRESH) else _of_token(token)
    secret = client_of(request)[1]
    return Presented(secret=secret, login=None, kinds=("secret_key",)) if secret else None


def _of_assertion(text: str) -> Presented | None:
    """Return what says in which sandbox an assertion is meant, and proves nothing there.

    Who signed it is looked at where it is asked for a session.
    """
    try:
        key = read_assertion(text).said("iss")
    except ValueError:
        return None
    place = len(CONSUMER) + DIGITS
    sandbox = key[place : place + _LETTERS]
    return Presented(secret=f"{sandbox}k{'0' * 29}", login=None, kinds=())


def _of_token(token: str) -> Presented | None:
    if not token:
        return None
    return Presented(secret=secret_in(token), login=None, kinds=("api_token",))


def _of_grant(text: str, kind: str) -> Presented | None:
    if not text.startswith(kind):
        return None
    return Presented(secret=text.removeprefix(kind), login=None, kinds=("oauth_token",))


def _by_cookie(request: HttpRequest) -> Presented | None:
    if request.COOKIES.get(PAGE_COOKIE):
        return None
    return _of_token(request.COOKIES.get(SESSION_COOKIE, ""))


def _by_envelope(request: HttpRequest) -> Presented | None:
    login = soap_login(request)
    if login is not None:
        name, password = login
        return Presented(secret=password[:SECRET], login=name, kinds=("password",))
    return _of_token(soap_session(request))
