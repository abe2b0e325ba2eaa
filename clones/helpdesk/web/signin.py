"""Signing in and out."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from clones.core.accounts import Presented, authenticate, end_session, session_cookie, start_session
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.domain.audit_logs import log_sign_in
from clones.helpdesk.models import User
from clones.helpdesk.web import plain_pages
from clones.helpdesk.web.access import (
    SESSION_COOKIE,
    Agent,
    agent_page,
    comes_from_here,
    find_agent,
    safe_return,
)

WRONG = "Sorry, that email and password do not match. Please try again."
NO_AGENT = "This account has no access to the agents' pages."


def unauthenticated(request: SandboxRequest) -> HttpResponse:
    """Lead on to the sign-in page."""
    back = safe_return(request.GET.get("return_to", ""))
    return HttpResponseRedirect(f"{reverse('helpdesk:signin')}?{urlencode({'return_to': back})}")


def signin(request: SandboxRequest) -> HttpResponse:
    """Show the sign-in form, or take it."""
    back = safe_return(request.POST.get("return_to") or request.GET.get("return_to", ""))
    if request.method != "POST":
        if find_agent(request) is not None:
            return HttpResponseRedirect(back)
        return _form(back, "")
    email, password = request.POST.get("email", "").strip(), request.POST.get("password", "")
    if not comes_from_here(request):
        return plain_pages.forbidden("The form was sent from another site.")
    found = authenticate(
        Presented(password, email.lower(), ("password",)), "helpdesk", request.sandbox
    )
    if found is None:
        return _form(back, email, WRONG)
    user = User.objects.filter(id=int(found.account.subject), active=True).first()
    if user is None or user.suspended or not user.is_agent:
        return _form(back, email, NO_AGENT)
    session = start_session(found.account)
    log_sign_in(user)
    response = HttpResponseRedirect(back)
    cookie = session_cookie(session, request.sandbox, own_client=found.own_client)
    response.set_cookie(
        SESSION_COOKIE, cookie, httponly=True, samesite="Lax", secure=request.is_secure()
    )
    return plain_pages.secured(response)


@agent_page
def signout(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """End the session."""
    if request.method == "POST":
        end_session(agent.session)
    response = HttpResponseRedirect(reverse("helpdesk:signin"))
    response.delete_cookie(SESSION_COOKIE, samesite="Lax")
    return plain_pages.secured(response)


def _form(back: str, email: str, error: str | None = None) -> HttpResponse:
    context = {"return_to": back, "email": email, "error": error}
    return plain_pages.plain_page("helpdesk/signin.html", context, status=401 if error else 200)
