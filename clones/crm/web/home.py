"""The page that signing in leads to."""

from __future__ import annotations

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.crm.web.access import Visitor, visitor_page
from clones.crm.web.shell import page


@visitor_page("GET", "HEAD")
def home(_: SandboxRequest, who: Visitor) -> HttpResponse:
    """Return the home page."""
    return page(who, "crm/home.html", {}, title="Home", here="home")
