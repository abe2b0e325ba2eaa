"""Pages for those who are not, or not rightly, at the desk: small and without navigation."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from clones.core.pages import secured

__all__ = ["forbidden", "not_found", "page_not_found", "plain_page", "secured"]


def plain_page(template: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """Return a page without navigation."""
    return secured(HttpResponse(render_to_string(template, context), status=status))


def not_found() -> HttpResponse:
    """Return the page for what is not there."""
    said = {"title": "Not found", "said": "There is no such page, or you may not see it."}
    return plain_page("helpdesk/refused.html", said, status=404)


def forbidden(said: str) -> HttpResponse:
    """Return the page for what is not allowed."""
    return plain_page("helpdesk/refused.html", {"title": "Forbidden", "said": said}, status=403)


def page_not_found(_request: HttpRequest) -> HttpResponse:
    """Answer for addresses that no page has."""
    return not_found()
