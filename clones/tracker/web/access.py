"""Who is at a page: sessions, what their people may, and the token that guards every form."""

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
from clones.core.prepared import Prepared
from clones.core.tenancy.middleware import READS, SandboxRequest
from clones.tracker.domain.errors import Forbidden, NotFound, TrackerError
from clones.tracker.models import User
from clones.tracker.queries.rights import Rights
from clones.tracker.web import plain_pages

SESSION_COOKIE = "_tracker_session"
TOKEN_FIELD = "atl_token"  # noqa: S105 - the name of a field, not a secret
PORTALS = "/servicedesk/customer"
P = ParamSpec("P")
_SIGNED_IN: Prepared[User] = Prepared(lambda key: User.objects.filter(id=key, active=True), int)


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who is signed in: what he may, his session, and the token of its forms."""

    user: User
    rights: Rights
    session: Session
    token: str


def find_visitor(request: SandboxRequest) -> Visitor | None:
    """Return who is signed in, or None."""
    found = request.authenticated
    if found is None or found.session is None:
        return None
    user = _SIGNED_IN.first(int(found.account.subject))
    if user is None:
        return None
    return Visitor(user, Rights(user), found.session, csrf_token(found.session, request.sandbox))


def page_of_staff(
    view: Callable[Concatenate[SandboxRequest, Visitor, P], HttpResponse],
) -> Callable[Concatenate[SandboxRequest, P], HttpResponse]:
    """Open a page to everybody but customers, and its forms only with their token."""

    @wraps(view)
    def guarded(request: SandboxRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        who = find_visitor(request)
        if who is None:
            return to_sign_in(request)
        if who.user.account_type == "customer":
            return plain_pages.forbidden("Customers have no access to this site's spaces.")
        return _let_in(view, request, who, *args, **kwargs)

    return guarded


def page_of_anybody(
    view: Callable[Concatenate[SandboxRequest, Visitor, P], HttpResponse],
) -> Callable[Concatenate[SandboxRequest, P], HttpResponse]:
    """Open a page to whoever is signed in, and its forms only with their token."""

    @wraps(view)
    def guarded(request: SandboxRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        who = find_visitor(request)
        if who is None:
            return to_sign_in(request)
        return _let_in(view, request, who, *args, **kwargs)

    return guarded


def _let_in(
    view: Callable[Concatenate[SandboxRequest, Visitor, P], HttpResponse],
    request: SandboxRequest,
    who: Visitor,
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> HttpResponse:
    """Return what a view answers, refusing forged forms, and what the domain refuses."""
    if request.method not in READS and not _is_own_form(request, who):
        return plain_pages.forbidden("The form has expired. Open the page again and repeat.")
    try:
        return view(request, who, *args, **kwargs)
    except NotFound as error:
        return plain_pages.not_found(str(error))
    except Forbidden as error:
        return plain_pages.forbidden(str(error) or "You do not have access to this page.")
    except TrackerError as error:  # what was asked cannot be done; nothing of it stays
        return plain_pages.refused(str(error), error.status)


def to_sign_in(request: HttpRequest) -> HttpResponse:
    """Send a browser to the sign-in page, from which it comes back to the page asked for."""
    back = request.get_full_path() if request.method in READS else reverse("tracker:home")
    address = f"{reverse('tracker:signin')}?{urlencode({'dest-url': back})}"
    if request.path.startswith(PORTALS):
        back = request.get_full_path() if request.method in READS else f"{PORTALS}/portals"
        address = f"{reverse('tracker:portal_signin')}?{urlencode({'destination': back})}"
    if request.headers.get("HX-Request"):
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    return HttpResponseRedirect(address)


def safe_return(address: str) -> str:
    """Return where to go after signing in: a page of this site, whatever was asked for."""
    parts = urlsplit(address)
    inside = parts.path.startswith(
        ("/jira", "/browse", "/issues", "/projects", "/servicedesk", "/secure")
    )
    if parts.scheme or parts.netloc or not inside or "\\" in address:
        return reverse("tracker:home")
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def comes_from_here(request: HttpRequest) -> bool:
    """Tell whether a form was sent by a page of this host, as far as the browser says."""
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == request.get_host()


def _is_own_form(request: HttpRequest, who: Visitor) -> bool:
    given = request.POST.get(TOKEN_FIELD) or request.headers.get("X-Atl-Token", "")
    return hmac.compare_digest(given.encode(), who.token.encode())
