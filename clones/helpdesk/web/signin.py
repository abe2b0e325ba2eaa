"""Signing in and out."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from clones.core.pages import secured
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web import sessions
from clones.core.web.access import ELSEWHERE, comes_from_here
from clones.core.web.posted import posted_text
from clones.helpdesk.domain.audit_logs import log_sign_in
from clones.helpdesk.models import User
from clones.helpdesk.web import plain_pages
from clones.helpdesk.web.access import (
    SignedIn,
    end_user_page,
    find_signed_in,
    home_of,
    safe_return,
)

WRONG = "Sorry, that email and password do not match. Please try again."
SUSPENDED = "This account cannot sign in."


def unauthenticated(request: SandboxRequest) -> HttpResponse:
    """Lead on to the sign-in page."""
    back = safe_return(request.GET.get("return_to", ""))
    address = f"{reverse('helpdesk:signin')}?{urlencode({'return_to': back})}"
    return secured(HttpResponseRedirect(address))


def signin(request: SandboxRequest) -> HttpResponse:
    """Show the sign-in form, or take it."""
    back = safe_return(posted_text(request, "return_to") or request.GET.get("return_to", ""))
    if request.method != "POST":
        signed_in = find_signed_in(request)
        if signed_in is not None:
            return secured(HttpResponseRedirect(_page_for(signed_in.user, back)))
        return _form(back, "")
    email, password = posted_text(request, "email"), posted_text(request, "password", strip=False)
    if not comes_from_here(request):
        return plain_pages.forbidden(ELSEWHERE)
    found = sessions.check(request, email, password)
    if found is None:
        return _form(back, email, WRONG)
    user = User.objects.filter(id=int(found.account.subject), active=True).first()
    if user is None or user.suspended:
        return _form(back, email, SUSPENDED)
    response = sessions.start(request, found, _page_for(user, back))
    log_sign_in(user)
    return response


@end_user_page
def signout(request: SandboxRequest, who: SignedIn) -> HttpResponse:
    """End the session: agents see the sign-in page, end users the portal."""
    after = reverse("helpdesk:signin" if who.user.is_agent else "helpdesk:new_request")
    return sessions.end(request, who.session, after)


def _page_for(user: User, back: str) -> str:
    """Return where to go after signing in: end users have no way to the agents' pages."""
    return home_of(user) if back.startswith("/agent") and not user.is_agent else back


def _form(back: str, email: str, error: str | None = None) -> HttpResponse:
    context = {"return_to": back, "email": email, "error": error}
    return plain_pages.plain_page("helpdesk/signin.html", context, status=401 if error else 200)
