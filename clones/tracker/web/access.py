"""Who is at a page: sessions, what their people may, and the token that guards every form."""

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
from clones.tracker.domain.errors import Forbidden, NotFound, TrackerError
from clones.tracker.models import User
from clones.tracker.queries.hot import ACTIVE_USER
from clones.tracker.queries.rights import Rights
from clones.tracker.web import plain_pages

SESSION_COOKIE = "_tracker_session"
TOKEN_FIELD = "atl_token"  # noqa: S105 - the name of a field, not a secret
PORTALS = "/servicedesk/customer"
PAGES = ("/jira", "/browse", "/issues", "/projects", "/servicedesk", "/secure")


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who is signed in, what they may, their session, and the token of its forms."""

    user: User
    rights: Rights
    session: Session
    token: str


def _refused(_request: HttpRequest, error: Exception) -> HttpResponse:
    """Return the page for what the domain refuses."""
    if isinstance(error, NotFound):
        return plain_pages.not_found(str(error))
    if isinstance(error, Forbidden):
        return plain_pages.forbidden(str(error) or "You do not have access to this page.")
    # What was asked cannot be done; nothing of it stays.
    status = error.status if isinstance(error, TrackerError) else 400
    return plain_pages.refused(str(error), status)


ACCESS = access.Access(
    token_field=TOKEN_FIELD,
    token_header="X-Atl-Token",  # noqa: S106 - the name of a header, not a secret
    forbidden=lambda _request, said: plain_pages.forbidden(said),
    errors=(TrackerError,),
    refused=_refused,
)


def find_visitor(request: SandboxRequest) -> Visitor | None:
    """Return who is signed in, or None."""
    found = request.authenticated
    if found is None or found.session is None:
        return None
    user = ACTIVE_USER.first(int(found.account.subject))
    if user is None:
        return None
    return Visitor(user, Rights(user), found.session, csrf_token(found.session, request.sandbox))


@ACCESS.guard
def page_of_anybody(request: SandboxRequest) -> Visitor | HttpResponse:
    """Open a page to whoever is signed in, and its forms only with their token."""
    return find_visitor(request) or to_sign_in(request)


@ACCESS.guard
def page_of_staff(request: SandboxRequest) -> Visitor | HttpResponse:
    """Open a page to everybody but customers, and its forms only with their token."""
    who = find_visitor(request)
    if who is not None and who.user.account_type == "customer":
        return plain_pages.forbidden("Customers have no access to this site's spaces.")
    return who or to_sign_in(request)


def only_posted(request: SandboxRequest, *_found: object) -> HttpResponse | None:
    """Answer who looks at the address of a form, where there is nothing to look at."""
    return None if request.method == "POST" else plain_pages.not_found()


# Take what a form of the site's pages sends; there is nothing there to look at.
form_of_staff = page_of_staff.only(only_posted)


def to_sign_in(request: HttpRequest) -> HttpResponse:
    """Send a browser to the sign-in page, from which it comes back to the page asked for."""
    back = request.get_full_path() if request.method in READS else reverse("tracker:home")
    address = f"{reverse('tracker:signin')}?{urlencode({'dest-url': back})}"
    if request.path.startswith(PORTALS):
        back = request.get_full_path() if request.method in READS else f"{PORTALS}/portals"
        address = f"{reverse('tracker:portal_signin')}?{urlencode({'destination': back})}"
    return lead_to(request, address)


def safe_return(address: str) -> str:
    """Return where to go after signing in: a page of this site, whatever was asked for."""
    return access.safe_return(address, PAGES, reverse("tracker:home"))
