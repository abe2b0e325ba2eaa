"""The way to the pages of portals, and the frame in which they stand.

Everybody who is signed in may come; which desks and requests they see there, the queries tell.
"""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpResponse
from django.template.loader import render_to_string

from clones.core import clock
from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import ServiceDesk
from clones.tracker.queries.desks import find_desk
from clones.tracker.queries.requests import to_approve, visible_requests
from clones.tracker.web.access import Visitor
from clones.tracker.web.plain_pages import secured
from clones.tracker.web.shell import FLAG_COOKIE, flag_of, hue, initials

HOME: Final = "/servicedesk/customer/portals"
REQUESTS: Final = "/servicedesk/customer/user/requests"
APPROVALS: Final = "/servicedesk/customer/user/approvals"
PROFILE: Final = "/servicedesk/customer/user/profile"


def desk_in(who: Visitor, key: int) -> ServiceDesk:
    """Return the desk of a portal's number.

    Raises:
        NotFound: there is none, or none for the visitor.
    """
    try:
        return find_desk(who.rights, str(key))
    except NotFound:
        raise NotFound("The portal does not exist, or you do not have access to it.") from None


def portal_page(
    request: SandboxRequest,
    who: Visitor,
    template: str,
    context: dict[str, Any],
    *,
    title: str,
    desk: ServiceDesk | None = None,
    status: int = 200,
) -> HttpResponse:
    """Return a page of the portals; its template extends `tracker/portal/base.html`.

    Args:
        request: the request at hand.
        who: who looks.
        template: of the page, below `tracker/portal`.
        context: what it needs beside the frame's.
        title: of the window, without the product.
        desk: whose portal it is.
        status: of the answer.
    """
    waiting = visible_requests(who.rights).filter(to_approve(who.user, pending=True))
    frame = {
        "user": who.user,
        "token": who.token,
        "user_initials": initials(who.user.display_name),
        "user_hue": hue(who.user.id),
        "title": title,
        "desk": desk,
        "is_staff": who.user.account_type != "customer",
        "waiting": waiting.count(),
        "flag": flag_of(request),
        "now": clock.now().isoformat(),
        "links": {
            "home": HOME,
            "requests": REQUESTS,
            "approvals": APPROVALS,
            "profile": PROFILE,
        },
    }
    html = render_to_string(f"tracker/portal/{template}.html", {**frame, **context})
    response = secured(HttpResponse(html, status=status))
    if FLAG_COOKIE in request.COOKIES and status < 300:
        response.delete_cookie(FLAG_COOKIE, samesite="Lax")
    return response
