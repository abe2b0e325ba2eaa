"""The way from a token of the API to the pages: a browser that brings one is signed in."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from clones.core.accounts import Presented, authenticate
from clones.core.pages import secured
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import given_to
from clones.crm.rules.tokens import PAGE_COOKIE, SESSION_COOKIE, secret_in
from clones.crm.web import refusals


def frontdoor(request: SandboxRequest) -> HttpResponse:
    """Keep the token that an address or a form has as the browser's, and lead on to a page.

    One that proves nothing leads to the sign-in page, as a session that has ended does.
    """
    if request.method not in ("GET", "HEAD", "POST"):
        return refusals.wrong_method()
    given = given_to(request)
    token = given.get("sid", "")
    found = authenticate(
        Presented(secret_in(token), None, ("api_token",)), request.clone.name, request.sandbox
    )
    if found is None:
        return refusals.to_sign_in(request)
    response = HttpResponseRedirect(_own(given.get("retURL", "")))
    response.set_cookie(
        SESSION_COOKIE, token, httponly=True, samesite="Lax", secure=request.is_secure()
    )
    response.delete_cookie(PAGE_COOKIE, samesite="Lax")
    return secured(response)


def _own(address: str) -> str:
    """Return an address of this host, home where another one is given."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return reverse("crm:home")
    elsewhere = parts.scheme or parts.netloc or "\\" in address or address.startswith("//")
    if elsewhere or not parts.path.startswith("/") or any(one < " " for one in address):
        return reverse("crm:home")
    return address
