"""Who is at a page: sessions of agents and of end users, and the token that guards every form."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from clones.core.accounts.sessions import csrf_token
from clones.core.models.accounts import Session
from clones.core.tenancy.middleware import READS, SandboxRequest
from clones.core.web import access
from clones.core.web.access import lead_to
from clones.helpdesk.domain.errors import AccessDenied, RecordNotFound
from clones.helpdesk.models import User
from clones.helpdesk.queries.hot import SIGNED_IN_USER
from clones.helpdesk.web import plain_pages
from clones.helpdesk.web.plain_pages import PORTAL

SESSION_COOKIE = "_helpdesk_session"
TOKEN_FIELD = "authenticity_token"  # noqa: S105 - the name of a field, not a secret
PAGES = ("/agent", "/admin", PORTAL, "/requests/")


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Who is signed in, the session that began with it, and the token of the session's forms."""

    user: User
    session: Session
    token: str


@dataclass(frozen=True, slots=True)
class Agent(SignedIn):
    """The agent at work."""


def _refused(request: HttpRequest, error: Exception) -> HttpResponse:
    """Return the page for what the domain refuses."""
    if isinstance(error, RecordNotFound):
        return plain_pages.not_found(request.path)
    return plain_pages.forbidden("You do not have access to this page.", request.path)


ACCESS = access.Access(
    token_field=TOKEN_FIELD,
    forbidden=lambda request, said: plain_pages.forbidden(said, request.path),
    errors=(RecordNotFound, AccessDenied),
    refused=_refused,
)


def find_signed_in(request: SandboxRequest) -> SignedIn | None:
    """Return who is signed in, agent or end user, or None."""
    found = request.authenticated
    if found is None or found.session is None:
        return None
    user = SIGNED_IN_USER.first(int(found.account.subject))
    if user is None or user.suspended:
        return None
    kind = Agent if user.is_agent else SignedIn
    return kind(user, found.session, csrf_token(found.session, request.sandbox))


def find_agent(request: SandboxRequest) -> Agent | None:
    """Return the agent who is signed in, or None."""
    found = find_signed_in(request)
    return found if isinstance(found, Agent) else None


@ACCESS.guard
def agent_page(request: SandboxRequest) -> Agent | HttpResponse:
    """Open a page to agents only, and its forms only with their token."""
    found = find_signed_in(request)
    if found is None:
        return to_sign_in(request)
    return found if isinstance(found, Agent) else _not_an_agents(request)


@ACCESS.guard
def end_user_page(request: SandboxRequest) -> SignedIn | HttpResponse:
    """Open a page to whoever is signed in, and its forms only with their token."""
    return find_signed_in(request) or to_sign_in(request)


@ACCESS.guard
def open_page(request: SandboxRequest) -> SignedIn | HttpResponse | None:
    """Open a page to everybody.

    Forms need the token of who is signed in, and those of nobody must come from here.
    """
    return find_signed_in(request)


def home_of(user: User) -> str:
    """Return the page at which somebody begins: agents their desk, end users their requests."""
    return reverse("helpdesk:home" if user.is_agent else "helpdesk:requests")


def _not_an_agents(request: HttpRequest) -> HttpResponse:
    """Lead an end user from a page of agents to the portal."""
    if request.method not in READS:
        return plain_pages.forbidden("You do not have access to this page.", PORTAL)
    return lead_to(request, reverse("helpdesk:requests"))


def to_sign_in(request: HttpRequest) -> HttpResponse:
    """Send a browser to the sign-in page, from which it comes back to the page asked for."""
    start = reverse("helpdesk:requests" if request.path.startswith(PORTAL) else "helpdesk:home")
    back = request.get_full_path() if request.method in READS else start
    address = f"{reverse('helpdesk:unauthenticated')}?{urlencode({'return_to': back})}"
    return lead_to(request, address)


def safe_return(address: str) -> str:
    """Return where to go after signing in: a page of this desk, whatever was asked for."""
    return access.safe_return(address, PAGES, reverse("helpdesk:home"))
