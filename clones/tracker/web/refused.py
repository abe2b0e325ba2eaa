"""What was refused to somebody who is signed in, in the frame of the pages that they were at."""

from __future__ import annotations

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.refused import RefusedPage
from clones.tracker.web.access import PORTALS, find_visitor
from clones.tracker.web.portal.access import portal_page
from clones.tracker.web.shell import page


def framed(request: SandboxRequest, refused: RefusedPage) -> HttpResponse | None:
    """Return what was refused with the navigation round it, None where nobody is signed in."""
    who = find_visitor(request)
    if who is None:
        return None
    context = {"said": refused.said}
    status = refused.status_code
    if who.user.account_type == "customer" or request.path.startswith(PORTALS):
        return portal_page(request, who, "refused", context, title=refused.title, status=status)
    return page(
        request, who, "tracker/frame/refused.html", context, title=refused.title, status=status
    )
