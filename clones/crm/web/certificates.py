"""The page on which an administrator gives the connected app its certificate."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.plain import plain_page
from clones.core.web.posted import posted_text
from clones.crm.domain.accounts import ADMIN
from clones.crm.domain.connected_apps import keep_certificate, key_of, own_app
from clones.crm.errors import CrmError
from clones.crm.web import refusals
from clones.crm.web.access import Visitor, visitor_page

_TITLE: Final = "Use digital signatures"


@visitor_page("GET", "HEAD", "POST")
def certificate(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show the form, or keep the certificate that it has."""
    app = own_app(who.account)
    if app is None or who.account.role != ADMIN:
        return refusals.page_not_found(request)
    error, pem = "", ""
    if request.method == "POST":
        pem = posted_text(request, "certificate")
        try:
            keep_certificate(app, pem)
        except CrmError as refused:
            error = refused.message
    context = {
        "title": _TITLE,
        "token": who.token,
        "error": error,
        "pem": pem,
        "is_kept": key_of(app) is not None,
    }
    return plain_page("crm/certificate.html", context, status=422 if error else 200)
