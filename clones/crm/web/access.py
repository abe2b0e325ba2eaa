"""Who looks at a page: sessions, the token that guards every form, signing in and out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from clones.core.accounts.sessions import form_token
from clones.core.models import Account, Session
from clones.core.pages import secured
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web import sessions
from clones.core.web.access import ELSEWHERE, Access, PageGuard, comes_from_here, safe_return
from clones.core.web.plain import plain_page
from clones.core.web.posted import posted_text
from clones.crm.api.credentials import AUTHORIZE
from clones.crm.errors import CrmError
from clones.crm.rules.tokens import SESSION_COOKIE as API_COOKIE
from clones.crm.web import refusals

TOKEN_FIELD: Final = "token"  # noqa: S105 - the name of a field, not a secret
WRONG: Final = "Email and password do not match. Please try again."

ACCESS: Final = Access(
    token_field=TOKEN_FIELD,
    forbidden=refusals.forbidden,
    errors=(CrmError,),
    refused=refusals.refused,
)


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who is signed in: the account, and the token of the forms.

    `session` is that of a sign-in by a form, None where the browser has a token of the API.
    """

    account: Account
    session: Session | None
    token: str


def find_visitor(request: SandboxRequest) -> Visitor | None:
    """Return who is signed in, or None."""
    found = request.authenticated
    if found is None:
        return None
    return Visitor(found.account, found.session, form_token(found, request.sandbox))


def visitor_page(*methods: str) -> PageGuard[Visitor]:
    """Open a page to who is signed in, by these methods, and its forms by token only."""

    @ACCESS.guard
    def guard(request: SandboxRequest) -> Visitor | HttpResponse:
        who = find_visitor(request)
        if who is None:
            return refusals.to_sign_in(request)
        return who if request.method in methods else refusals.wrong_method()

    return guard


def signin(request: SandboxRequest) -> HttpResponse:
    """Show the sign-in form, or take it."""
    if request.method != "POST":
        if find_visitor(request) is not None:
            return secured(HttpResponseRedirect(_next(request)))
        return _form("")
    email = posted_text(request, "email")
    if not comes_from_here(request):
        return refusals.forbidden(request, ELSEWHERE)
    found = sessions.check(request, email, posted_text(request, "password", strip=False))
    if found is None:
        return _form(email, WRONG)
    return sessions.start(request, found, _next(request))


@visitor_page("POST")
def signout(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """End the session; a token of the API lives on, and is forgotten here."""
    if who.session is not None:
        response = sessions.end(request, who.session, reverse("crm:signin"))
    else:
        response = secured(HttpResponseRedirect(reverse("crm:signin")))
    response.delete_cookie(API_COOKIE, samesite="Lax")
    return response


def _next(request: SandboxRequest) -> str:
    """Return where signing in leads to: home, or the page that asked for it."""
    return safe_return(request.GET.get("startURL", ""), (AUTHORIZE,), reverse("crm:home"))


def _form(email: str, error: str | None = None) -> HttpResponse:
    context = {"email": email, "error": error, "title": "Sign in"}
    return plain_page("crm/signin.html", context, status=401 if error else 200)
