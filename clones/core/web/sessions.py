"""Sign a person in to a clone's pages, and out of them."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseRedirect

from clones.core.accounts import (
    Authenticated,
    Presented,
    authenticate,
    end_session,
    session_cookie,
    start_session,
)
from clones.core.models.accounts import Session
from clones.core.pages import secured
from clones.core.tenancy.middleware import SandboxRequest


def check(request: SandboxRequest, login: str, password: str) -> Authenticated | None:
    """Return the account of the request's clone that a login and a password prove, or None."""
    presented = Presented(password, login.lower(), ("password",))
    return authenticate(presented, request.clone.name, request.sandbox)


def start(request: SandboxRequest, found: Authenticated, address: str) -> HttpResponse:
    """Start the session of an account and lead on to a page."""
    response = HttpResponseRedirect(address)
    session = start_session(found.account)
    response.set_cookie(
        request.clone.session_cookie,
        session_cookie(session, request.sandbox, own_client=found.own_client),
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )
    return secured(response)


def end(request: SandboxRequest, session: Session, address: str) -> HttpResponse:
    """End a session where a form asks for it, take its cookie and lead on to a page."""
    if request.method == "POST":
        end_session(session)
    response = HttpResponseRedirect(address)
    response.delete_cookie(request.clone.session_cookie, samesite="Lax")
    return secured(response)
