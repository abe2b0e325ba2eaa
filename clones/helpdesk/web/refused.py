"""What was refused to somebody who is signed in, in the frame of the pages that they were at."""

from __future__ import annotations

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.refused import RefusedPage
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent, find_signed_in
from clones.helpdesk.web.plain_pages import PORTAL
from clones.helpdesk.web.portal import frame


def framed(request: SandboxRequest, refused: RefusedPage) -> HttpResponse | None:
    """Return what was refused with the navigation round it, None where nobody is signed in."""
    who = find_signed_in(request)
    if who is None:
        return None
    context = {"said": refused.said}
    title, status = refused.title, refused.status_code
    if isinstance(who, Agent) and not request.path.startswith(PORTAL):
        template = "helpdesk/refused_page.html"
        return shell.page(request, who, template, context, title=title, status=status)
    template = "helpdesk/portal/refused.html"
    return frame.page(request, who, template, context, title=title, status=status)
