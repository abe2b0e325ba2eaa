"""Signing in and out."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from clones.core.pages import secured
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web import sessions
from clones.core.web.access import ELSEWHERE, comes_from_here
from clones.core.web.posted import posted_text
from clones.tracker.models import User
from clones.tracker.web import plain_pages
from clones.tracker.web.access import (
    PORTALS,
    Visitor,
    find_visitor,
    page_of_anybody,
    safe_return,
)

WRONG = "Incorrect email address and / or password. Do you need help logging in?"


def signin(request: SandboxRequest) -> HttpResponse:
    """Show the sign-in form, or take it."""
    back = safe_return(posted_text(request, "dest-url") or request.GET.get("dest-url", ""))
    if request.method != "POST":
        who = find_visitor(request)
        if who is None:
            return _form(back, "")
        return secured(HttpResponseRedirect(beginning(who.user, back)))
    email, password = (
        posted_text(request, "username"),
        posted_text(request, "password", strip=False),
    )
    if not comes_from_here(request):
        return plain_pages.forbidden(ELSEWHERE)
    return let_in(request, email, password, back) or _form(back, email, WRONG)


def let_in(request: SandboxRequest, email: str, password: str, back: str) -> HttpResponse | None:
    """Start the session of who has an address and a password, and lead on; None: nobody has."""
    found = sessions.check(request, email, password)
    if found is None:
        return None
    user = User.objects.filter(id=int(found.account.subject), active=True).first()
    if user is None:
        return None
    return sessions.start(request, found, beginning(user, back))


def beginning(user: User, back: str) -> str:
    """Return where somebody goes after signing in: customers have the portals only."""
    is_customer = user.account_type == "customer"
    return reverse("tracker:portals") if is_customer and not back.startswith(PORTALS) else back


@page_of_anybody
def signout(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """End the session and show the sign-in page."""
    return sessions.end(request, who.session, reverse("tracker:signin"))


def _form(back: str, email: str, error: str | None = None) -> HttpResponse:
    context = {"title": "Log in", "back": back, "email": email, "error": error}
    return plain_pages.plain_page("tracker/signin.html", context, status=401 if error else 200)
