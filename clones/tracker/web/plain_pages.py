"""Pages for those who are not, or not rightly, at the tracker: small and without navigation."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from clones.core.pages import secured
from clones.core.web.plain import plain_page, refused_page

__all__ = ["forbidden", "not_found", "page_not_found", "plain_page", "refused", "secured"]


def not_found(said: str = "") -> HttpResponse:
    """Return the page for what is not there, or not for the one who asks."""
    text = said or "There is nothing here, or you do not have permission to see it."
    return _refused("We couldn't find that page", text, 404)


def forbidden(said: str) -> HttpResponse:
    """Return the page for what is not allowed."""
    return _refused("You don't have access", said, 403)


def refused(said: str, status: int) -> HttpResponse:
    """Return the page for what could not be done as it was asked for: a status from 400 on."""
    return _refused("That could not be done", said, status)


def page_not_found(request: HttpRequest) -> HttpResponse:
    """Answer for addresses that no page has."""
    return not_found()


def _refused(title: str, said: str, status: int) -> HttpResponse:
    return refused_page("tracker/refused.html", title, said, status)
