"""Who is at a page: sessions of agents and of end users, and the token that guards every form."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar
from urllib.parse import urlencode, urlsplit

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from clones.core.accounts.sessions import csrf_token
from clones.core.models.accounts import Session
from clones.core.prepared import Prepared
from clones.core.tenancy.middleware import READS, SandboxRequest
from clones.helpdesk.domain.errors import AccessDenied, RecordNotFound
from clones.helpdesk.models import User
from clones.helpdesk.web import plain_pages
from clones.helpdesk.web.plain_pages import PORTAL

SESSION_COOKIE = "_helpdesk_session"
TOKEN_FIELD = "authenticity_token"  # noqa: S105 - the name of a field, not a secret
P = ParamSpec("P")
_SIGNED_IN: Prepared[User] = Prepared(
    lambda key: User.objects.select_related("custom_role").filter(id=key, active=True), int
)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Who is signed in, the session that began with it, and the token of the session's forms."""

    user: User
    session: Session
    token: str


@dataclass(frozen=True, slots=True)
class Agent(SignedIn):
    """The agent at work."""


Who = TypeVar("Who", bound=SignedIn | None)


def find_signed_in(request: SandboxRequest) -> SignedIn | None:
    """Return who is signed in, agent or end user, or None."""
    found = request.authenticated
    if found is None or found.session is None:
        return None
    user = _SIGNED_IN.first(int(found.account.subject))
    if user is None or user.suspended:
        return None
    kind = Agent if user.is_agent else SignedIn
    return kind(user, found.session, csrf_token(found.session, request.sandbox))


def find_agent(request: SandboxRequest) -> Agent | None:
    """Return the agent who is signed in, or None."""
    found = find_signed_in(request)
    return found if isinstance(found, Agent) else None


def agent_page(
    view: Callable[Concatenate[SandboxRequest, Agent, P], HttpResponse],
) -> Callable[Concatenate[SandboxRequest, P], HttpResponse]:
    """Open a page to agents only, and its forms only with their token."""

    @wraps(view)
    def guarded(request: SandboxRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        found = find_signed_in(request)
        if found is None:
            return to_sign_in(request)
        if not isinstance(found, Agent):
            return _not_an_agents(request)
        return _let_in(view, request, found, *args, **kwargs)

    return guarded


def end_user_page(
    view: Callable[Concatenate[SandboxRequest, SignedIn, P], HttpResponse],
) -> Callable[Concatenate[SandboxRequest, P], HttpResponse]:
    """Open a page to whoever is signed in, and its forms only with their token."""

    @wraps(view)
    def guarded(request: SandboxRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        found = find_signed_in(request)
        if found is None:
            return to_sign_in(request)
        return _let_in(view, request, found, *args, **kwargs)

    return guarded


def open_page(
    view: Callable[Concatenate[SandboxRequest, SignedIn | None, P], HttpResponse],
) -> Callable[Concatenate[SandboxRequest, P], HttpResponse]:
    """Open a page to everybody.

    Forms need the token of who is signed in, and those of nobody must come from here.
    """

    @wraps(view)
    def guarded(request: SandboxRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        return _let_in(view, request, find_signed_in(request), *args, **kwargs)

    return guarded


def _let_in(
    view: Callable[Concatenate[SandboxRequest, Who, P], HttpResponse],
    request: SandboxRequest,
    who: Who,
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> HttpResponse:
    """Return what a view answers, refusing forged forms, and what the domain refuses."""
    if request.method not in READS and not _is_own_form(request, who):
        expired = "The form has expired. Open the page again and repeat."
        return plain_pages.forbidden(expired, request.path)
    try:
        return view(request, who, *args, **kwargs)
    except RecordNotFound:
        return plain_pages.not_found(request.path)
    except AccessDenied:
        return plain_pages.forbidden("You do not have access to this page.", request.path)


def home_of(user: User) -> str:
    """Return the page at which somebody begins: agents their desk, end users their requests."""
    return reverse("helpdesk:home" if user.is_agent else "helpdesk:requests")


def _not_an_agents(request: HttpRequest) -> HttpResponse:
    """Lead an end user from a page of agents to the portal."""
    if request.method not in READS:
        return plain_pages.forbidden("You do not have access to this page.", PORTAL)
    address = reverse("helpdesk:requests")
    if request.headers.get("HX-Request"):
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    return HttpResponseRedirect(address)


def to_sign_in(request: HttpRequest) -> HttpResponse:
    """Send a browser to the sign-in page, from which it comes back to the page asked for."""
    start = reverse("helpdesk:requests" if request.path.startswith(PORTAL) else "helpdesk:home")
    back = request.get_full_path() if request.method in READS else start
    address = f"{reverse('helpdesk:unauthenticated')}?{urlencode({'return_to': back})}"
    if request.headers.get("HX-Request"):
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    return HttpResponseRedirect(address)


def safe_return(address: str) -> str:
    """Return where to go after signing in: a page of this desk, whatever was asked for."""
    parts = urlsplit(address)
    inside = parts.path.startswith(("/agent", "/admin", PORTAL, "/requests/"))
    if parts.scheme or parts.netloc or not inside or "\\" in address:
        return reverse("helpdesk:home")
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def comes_from_here(request: HttpRequest) -> bool:
    """Tell whether a form was sent by a page of this host, as far as the browser says."""
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == request.get_host()


def _is_own_form(request: HttpRequest, who: SignedIn | None) -> bool:
    if who is None:
        return comes_from_here(request)
    given = request.POST.get(TOKEN_FIELD, "")
    return hmac.compare_digest(given.encode(), who.token.encode())
