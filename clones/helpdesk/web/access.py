"""Who works at a page: sessions of agents, and the token that guards every form."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlencode, urlsplit

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from clones.core.accounts.sessions import csrf_token
from clones.core.models.accounts import Session
from clones.core.tenancy.middleware import READS, SandboxRequest
from clones.helpdesk.domain.errors import AccessDenied, RecordNotFound
from clones.helpdesk.models import User
from clones.helpdesk.web import plain_pages

SESSION_COOKIE = "_helpdesk_session"
TOKEN_FIELD = "authenticity_token"  # noqa: S105 - the name of a field, not a secret

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Agent:
    """The agent at work, the session he signed in with, and his forms' token."""

    user: User
    session: Session
    token: str


def find_agent(request: SandboxRequest) -> Agent | None:
    """Return the agent who is signed in, or None."""
    found = request.authenticated
    if found is None or found.session is None:
        return None
    user = User.objects.filter(id=int(found.account.subject), active=True).first()
    if user is None or user.suspended or not user.is_agent:
        return None
    return Agent(user, found.session, csrf_token(found.session, request.sandbox))


def agent_page(
    view: Callable[Concatenate[SandboxRequest, Agent, P], HttpResponse],
) -> Callable[Concatenate[SandboxRequest, P], HttpResponse]:
    """Open a page to agents only, and its forms only with their token."""

    @wraps(view)
    def guarded(request: SandboxRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        agent = find_agent(request)
        if agent is None:
            return to_sign_in(request)
        if request.method not in READS and not _has_token(request, agent):
            return plain_pages.forbidden("The form has expired. Open the page again and repeat.")
        try:
            return view(request, agent, *args, **kwargs)
        except RecordNotFound:
            return plain_pages.not_found()
        except AccessDenied:
            return plain_pages.forbidden("You do not have access to this page.")

    return guarded


def to_sign_in(request: HttpRequest) -> HttpResponse:
    """Send a browser to the sign-in page, from which it comes back to the page asked for."""
    back = request.get_full_path() if request.method in READS else reverse("helpdesk:home")
    address = f"{reverse('helpdesk:unauthenticated')}?{urlencode({'return_to': back})}"
    if request.headers.get("HX-Request"):
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    return HttpResponseRedirect(address)


def safe_return(address: str) -> str:
    """Return where to go after signing in: a page of this desk, whatever was asked for."""
    parts = urlsplit(address)
    if (
        parts.scheme
        or parts.netloc
        or not parts.path.startswith(("/agent", "/admin"))
        or "\\" in address
    ):
        return reverse("helpdesk:home")
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def comes_from_here(request: HttpRequest) -> bool:
    """Tell whether a form was sent by a page of this host, as far as the browser says."""
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == request.get_host()


def _has_token(request: HttpRequest, agent: Agent) -> bool:
    given = request.POST.get(TOKEN_FIELD, "")
    return hmac.compare_digest(given.encode(), agent.token.encode())
