"""What was refused to somebody who is signed in, with the navigation beside it."""

from __future__ import annotations

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.refused import RefusedPage
from clones.crm.web.access import find_visitor
from clones.crm.web.shell import page


def framed(request: SandboxRequest, refused: RefusedPage) -> HttpResponse | None:
    """Return what was refused with the navigation round it, None where nobody is signed in."""
    who = find_visitor(request)
    if who is None:
        return None
    return page(
        who,
        "crm/refused_page.html",
        {"said": refused.said},
        title=refused.title,
        status=refused.status_code,
    )
