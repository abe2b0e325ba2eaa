"""The page on which who is signed in lets a connected app act for them."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlencode, urlsplit

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from clones.core.pages import POLICY, secured
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.plain import plain_page
from clones.core.web.posted import given_to, was_sent
from clones.crm.domain.connected_apps import App, find_app, give_code, secret_of
from clones.crm.rules.tokens import CODE
from clones.crm.web import refusals
from clones.crm.web.access import ACCESS, Visitor, find_visitor

_CHALLENGE: Final = re.compile(r"[0-9A-Za-z_\-]{43}")
NAMES: Final = ("response_type", "client_id", "redirect_uri", "state", "code_challenge", "scope")


def authorize(request: SandboxRequest) -> HttpResponse:
    """Ask whether an app may act for who is signed in, or take the answer and send the app a code.

    Whoever is not signed in signs in first.
    """
    if request.method not in ("GET", "HEAD", "POST"):
        return refusals.wrong_method()
    given = {name: given_to(request).get(name, "") for name in NAMES}
    app = find_app(given["client_id"], request.sandbox)
    if app is None:
        return _refused("invalid_client_id", "client identifier invalid")
    if not _is_address(given["redirect_uri"]):
        return _refused("redirect_uri_mismatch", "redirect_uri must match configuration")
    if given["response_type"] != "code":
        return _back(given, {"error": "unsupported_response_type"})
    if given["code_challenge"] and not _CHALLENGE.fullmatch(given["code_challenge"]):
        return _back(given, {"error": "invalid_request", "error_description": "invalid code"})
    who = find_visitor(request)
    if who is None:
        query = urlencode({"startURL": request.get_full_path()})
        return secured(HttpResponseRedirect(f"{reverse('crm:signin')}?{query}"))
    if request.method != "POST":
        return _page(given, who)
    return ACCESS.let_in(_take, request, who, given, app)


def _take(request: SandboxRequest, who: Visitor, given: dict[str, str], app: App) -> HttpResponse:
    if not was_sent(request, "allow"):
        said = {"error": "access_denied", "error_description": "end-user denied authorization"}
        return _back(given, said)
    code = give_code(
        who.account, app, address=given["redirect_uri"], challenge=given["code_challenge"]
    )
    own = request.authenticated is None or request.authenticated.own_client
    return _back(given, {"code": CODE + secret_of(code, request.sandbox, own_client=own)})


def _page(given: dict[str, str], who: Visitor) -> HttpResponse:
    context = {"title": "Allow access?", "given": given, "who": who.account, "token": who.token}
    page = plain_page("crm/authorize.html", context)
    # The answer to the form leads to the app, and browsers hold that against the form.
    parts = urlsplit(given["redirect_uri"])
    policy = POLICY.format(frames="'none'")
    page["Content-Security-Policy"] = policy.replace(
        "form-action 'self'", f"form-action 'self' {parts.scheme}://{parts.netloc}"
    )
    return page


def _back(given: dict[str, str], said: dict[str, str]) -> HttpResponse:
    """Lead back to the app with what came of it."""
    more = {**said, **({"state": given["state"]} if given["state"] else {})}
    address = given["redirect_uri"]
    mark = "&" if urlsplit(address).query else "?"
    return secured(HttpResponseRedirect(f"{address}{mark}{urlencode(more)}"))


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return False
    host = re.fullmatch(r"[0-9A-Za-z.\-:\[\]]+", parts.netloc)
    return parts.scheme in ("http", "https") and bool(host) and not parts.fragment


def _refused(code: str, said: str) -> HttpResponse:
    return refusals.refused_sign_in(f"error={code}&error_description={said}")
