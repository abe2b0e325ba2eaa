"""Pages for those who are not, or not rightly, at the desk: small and without navigation."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from clones.core.pages import secured

PORTAL = "/hc"

__all__ = ["forbidden", "not_found", "page_not_found", "plain_page", "secured"]


def plain_page(template: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """Return a page without navigation."""
    return secured(HttpResponse(render_to_string(template, context), status=status))


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
    context = {"title": title, "said": said, "portal": path.startswith(PORTAL)}
    return plain_page("helpdesk/refused.html", context, status=status)
