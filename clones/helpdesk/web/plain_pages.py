"""Pages for those who are not, or not rightly, at the desk: small and without navigation."""

from __future__ import annotations

import re
from typing import cast

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import Resolver404, resolve

from clones.core.pages import secured
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.plain import plain_page, refused_page

PORTAL = "/hc"
SLASHES = re.compile("/{2,}")

__all__ = ["forbidden", "not_found", "page_not_found", "plain_page", "secured"]


def not_found(path: str = "") -> HttpResponse:
    """Return the page for what is not there; `path` is where it was looked for."""
    return _refused(path, "Not found", "There is no such page, or you may not see it.", 404)


def forbidden(said: str, path: str = "") -> HttpResponse:
    """Return the page for what is not allowed; `path` is where that was asked."""
    return _refused(path, "Forbidden", said, 403)


def page_not_found(request: HttpRequest) -> HttpResponse:
    """Answer for addresses that no page has, and lead on where only slashes are too many."""
    plain = SLASHES.sub("/", request.path).rstrip("/")
    if (
        request.method in ("GET", "HEAD")
        and plain not in ("", request.path)
        and _is_page(plain, request)
    ):
        query = request.META.get("QUERY_STRING", "")
        return HttpResponseRedirect(f"{plain}?{query}" if query else plain)
    return not_found(request.path)


def _is_page(path: str, request: HttpRequest) -> bool:
    """Tell whether a clone has a page at an address."""
    try:
        return resolve(path, cast(SandboxRequest, request).clone.urlconf).func != page_not_found
    except Resolver404:
        return False


def _refused(path: str, title: str, said: str, status: int) -> HttpResponse:
    portal = path.startswith(PORTAL)
    return refused_page("helpdesk/refused.html", title, said, status, portal=portal)
