"""Whose mailbox is open: sessions, the token that guards every form, signing in and out."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlsplit

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from clones.core.accounts import Presented, authenticate, end_session, session_cookie, start_session
from clones.core.accounts.sessions import csrf_token
from clones.core.models import Session
from clones.core.pages import secured
from clones.core.tenancy.middleware import READS, SandboxRequest
from clones.mail.models import Mailbox
from clones.mail.web import refusals

SESSION_COOKIE = "mail_session"
TOKEN_FIELD = "token"  # noqa: S105 - the name of a field, not a secret
WRONG = "Email and password do not match. Please try again."

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: the mailbox, the session he signed in with, and his forms' token."""

    mailbox: Mailbox
    session: Session
    token: str


def find_reader(request: SandboxRequest) -> Reader | None:
    """Return who is signed in, or None."""
    found = request.authenticated
    if found is None or found.session is None:
        return None
    mailbox = Mailbox.objects.filter(id=int(found.account.subject)).first()
    if mailbox is None:
        return None
    return Reader(mailbox, found.session, csrf_token(found.session, request.sandbox))


def reader_page(
    view: Callable[Concatenate[SandboxRequest, Reader, P], HttpResponse],
    *methods: str,
) -> Callable[Concatenate[SandboxRequest, P], HttpResponse]:
    """Open a page to who is signed in, by `methods` (reading unless given), forms by token only."""
    allowed = methods or ("GET", "HEAD")

    @wraps(view)
    def guarded(request: SandboxRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        reader = find_reader(request)
        if reader is None:
            return refusals.to_sign_in(request)
        if request.method not in allowed:
            return refusals.refuse(request, "wrong_method")
        if request.method not in READS:
            given = request.POST.get(TOKEN_FIELD, "")
            if not hmac.compare_digest(given.encode(), reader.token.encode()):
                return refusals.forbidden("The form has expired. Open the page again and repeat.")
        return view(request, reader, *args, **kwargs)

    return guarded


def signin(request: SandboxRequest) -> HttpResponse:
    """Show the sign-in form, or take it."""
    if request.method != "POST":
        if find_reader(request) is not None:
            return secured(HttpResponseRedirect(reverse("mail:folder", args=["inbox"])))
        return _form("")
    email = request.POST.get("email", "").strip()
    if not _comes_from_here(request):
        return refusals.forbidden("The form was sent from another site.")
    presented = Presented(request.POST.get("password", ""), email.lower(), ("password",))
    found = authenticate(presented, "mail", request.sandbox)
    if found is None:
        return _form(email, WRONG)
    response = HttpResponseRedirect(reverse("mail:folder", args=["inbox"]))
    cookie = session_cookie(
        start_session(found.account), request.sandbox, own_client=found.own_client
    )
    response.set_cookie(
        SESSION_COOKIE, cookie, httponly=True, samesite="Lax", secure=request.is_secure()
    )
    return secured(response)


def _sign_out(_request: SandboxRequest, reader: Reader) -> HttpResponse:
    end_session(reader.session)
    response = HttpResponseRedirect(reverse("mail:signin"))
    response.delete_cookie(SESSION_COOKIE, samesite="Lax")
    return secured(response)


signout = reader_page(_sign_out, "POST")


def _comes_from_here(request: SandboxRequest) -> bool:
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == request.get_host()


def _form(email: str, error: str | None = None) -> HttpResponse:
    context = {"email": email, "error": error, "title": "Sign in"}
    return refusals.plain_page("mail/signin.html", context, status=401 if error else 200)
