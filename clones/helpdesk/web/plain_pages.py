"""Pages for those who are not, or not rightly, at the desk: small and without navigation."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from clones.core.pages import secured
from clones.core.web.plain import plain_page, refused_page

PORTAL = "/hc"

__all__ = ["forbidden", "not_found", "page_not_found", "plain_page", "secured"]


def not_found(path: str = "") -> HttpResponse:
    """Return the page for what is not there; `path` is where it was looked for."""
    return _refused(path, "Not found", "There is no such page, or you may not see it.", 404)


def forbidden(said: str, path: str = "") -> HttpResponse:
    """Return the page for what is not allowed; `path` is where that was asked."""
    return _refused(path, "Forbidden", said, 403)


def page_not_found(request: HttpRequest) -> HttpResponse:
    """Answer for addresses that no page has."""
    return not_found(request.path)


def _refused(path: str, title: str, said: str, status: int) -> HttpResponse:
    portal = path.startswith(PORTAL)
    return refused_page("helpdesk/refused.html", title, said, status, portal=portal)
