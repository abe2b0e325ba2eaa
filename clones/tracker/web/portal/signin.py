"""Signing in to the portals, and out of them."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from clones.core.pages import secured
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web import sessions
from clones.core.web.access import ELSEWHERE, comes_from_here
from clones.core.web.posted import posted_text
from clones.tracker.web import plain_pages
from clones.tracker.web.access import (
    Visitor,
    find_visitor,
    page_of_anybody,
    safe_return,
)
from clones.tracker.web.portal.access import HOME
from clones.tracker.web.signin import WRONG, let_in


def signin(request: SandboxRequest) -> HttpResponse:
    """Show the sign-in form of the portals, or take it."""
    asked = posted_text(request, "destination") or request.GET.get("destination", "")
    back = safe_return(asked) if asked else HOME
    if request.method != "POST":
        if find_visitor(request) is None:
            return _form(back, "")
        return secured(HttpResponseRedirect(back))
    if not comes_from_here(request):
        return plain_pages.forbidden(ELSEWHERE)
    email = posted_text(request, "username")
    answer = let_in(request, email, posted_text(request, "password", strip=False), back)
    return answer or _form(back, email, WRONG)


@page_of_anybody
def signout(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """End the session and show the sign-in form of the portals."""
    return sessions.end(request, who.session, reverse("tracker:portal_signin"))


def _form(back: str, email: str, error: str | None = None) -> HttpResponse:
    context = {"title": "Log in", "back": back, "email": email, "error": error}
    template = "tracker/portal/signin.html"
    return plain_pages.plain_page(template, context, status=401 if error else 200)
