"""Signing in and out."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from clones.core.accounts import Presented, authenticate, end_session, session_cookie, start_session
from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.models import User
from clones.tracker.web import plain_pages
from clones.tracker.web.access import (
    SESSION_COOKIE,
    Visitor,
    comes_from_here,
    find_visitor,
    page_of_anybody,
    safe_return,
)

WRONG = "Incorrect email address and / or password. Do you need help logging in?"


def signin(request: SandboxRequest) -> HttpResponse:
    """Show the sign-in form, or take it."""
    back = safe_return(request.POST.get("dest-url") or request.GET.get("dest-url", ""))
    if request.method != "POST":
        return HttpResponseRedirect(back) if find_visitor(request) else _form(back, "")
    email, password = request.POST.get("username", "").strip(), request.POST.get("password", "")
    if not comes_from_here(request):
        return plain_pages.forbidden("The form was sent from another site.")
    found = authenticate(
        Presented(password, email.lower(), ("password",)), "tracker", request.sandbox
    )
    if found is None or not _is_active(found.account.subject):
        return _form(back, email, WRONG)
    session = start_session(found.account)
    response = HttpResponseRedirect(back)
    cookie = session_cookie(session, request.sandbox, own_client=found.own_client)
    response.set_cookie(
        SESSION_COOKIE, cookie, httponly=True, samesite="Lax", secure=request.is_secure()
    )
    return plain_pages.secured(response)


@page_of_anybody
def signout(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """End the session and show the sign-in page."""
    if request.method == "POST":
        end_session(who.session)
    response = HttpResponseRedirect(reverse("tracker:signin"))
    response.delete_cookie(SESSION_COOKIE, samesite="Lax")
    return plain_pages.secured(response)


def _is_active(subject: str) -> bool:
    return User.objects.filter(id=int(subject), active=True).exists()


def _form(back: str, email: str, error: str | None = None) -> HttpResponse:
    context = {"title": "Log in", "back": back, "email": email, "error": error}
    return plain_pages.plain_page("tracker/signin.html", context, status=401 if error else 200)
