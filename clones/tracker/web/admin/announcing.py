"""Dismissing the announcement, by whoever is signed in, in their browser."""

from __future__ import annotations

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.domain.site_settings import banner
from clones.tracker.web.access import Visitor, page_of_anybody, safe_return
from clones.tracker.web.frame.announcement import DISMISSED
from clones.tracker.web.plain_pages import not_found
from clones.tracker.web.shell import from_script, go


@page_of_anybody
def dismiss(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show the announcement of today no more; a cookie keeps it, as it is no state of the site."""
    if request.method != "POST":
        return not_found()
    response = go(safe_return(posted_text(request, "back")))
    found = banner()
    if found["isDismissible"]:
        response.set_cookie(DISMISSED, found["hashId"], httponly=True, samesite="Lax")
    return from_script(request, response)
