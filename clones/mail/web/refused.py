"""What was refused to somebody whose mailbox is open, with its folders beside it."""

from __future__ import annotations

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.refused import RefusedPage
from clones.mail.web.access import find_reader
from clones.mail.web.shell import page


def framed(request: SandboxRequest, refused: RefusedPage) -> HttpResponse | None:
    """Return what was refused with the navigation round it, None where nobody is signed in."""
    reader = find_reader(request)
    if reader is None:
        return None
    return page(
        reader,
        "mail/refused_page.html",
        {"said": refused.said},
        title=refused.title,
        status=refused.status_code,
    )
