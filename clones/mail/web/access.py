"""Whose mailbox is open: sessions, the token that guards every form, signing in and out."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from clones.core.accounts.sessions import csrf_token
from clones.core.models import Session
from clones.core.pages import secured
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web import sessions
from clones.core.web.access import ELSEWHERE, Access, PageGuard, comes_from_here
from clones.core.web.plain import plain_page
from clones.core.web.posted import posted_text
from clones.mail.models import Mailbox
from clones.mail.web import refusals

SESSION_COOKIE = "mail_session"
TOKEN_FIELD = "token"  # noqa: S105 - the name of a field, not a secret
WRONG = "Email and password do not match. Please try again."

ACCESS = Access(token_field=TOKEN_FIELD, forbidden=lambda _request, said: refusals.forbidden(said))


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: the mailbox, the session of the sign-in, and the token of its forms."""

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


def reader_page(*methods: str) -> PageGuard[Reader]:
    """Open a page to who is signed in, by these methods; forms by token only."""

    @ACCESS.guard
    def guard(request: SandboxRequest) -> Reader | HttpResponse:
        reader = find_reader(request)
        if reader is None:
            return refusals.to_sign_in(request)
        return reader if request.method in methods else refusals.wrong_method()

    return guard


def signin(request: SandboxRequest) -> HttpResponse:
    """Show the sign-in form, or take it."""
    if request.method != "POST":
        if find_reader(request) is not None:
            return secured(HttpResponseRedirect(reverse("mail:folder", args=["inbox"])))
        return _form("")
    email = posted_text(request, "email")
    if not comes_from_here(request):
        return refusals.forbidden(ELSEWHERE)
    found = sessions.check(request, email, posted_text(request, "password", strip=False))
    if found is None:
        return _form(email, WRONG)
    return sessions.start(request, found, reverse("mail:folder", args=["inbox"]))


@reader_page("POST")
def signout(request: SandboxRequest, reader: Reader) -> HttpResponse:
    """End the session."""
    return sessions.end(request, reader.session, reverse("mail:signin"))


def _form(email: str, error: str | None = None) -> HttpResponse:
    context = {"email": email, "error": error, "title": "Sign in"}
    return plain_page("mail/signin.html", context, status=401 if error else 200)
