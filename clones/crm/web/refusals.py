"""Pages for what is not there, not allowed, or never reached a page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from clones.core.vendors import RefusalReason
from clones.core.web.access import lead_to
from clones.core.web.plain import refused_page
from clones.crm.errors import NotFound

WORDS: dict[RefusalReason, tuple[int, str]] = {
    "unauthenticated": (401, "Sign in to see this page."),
    "unknown_sandbox": (404, "Not found."),
    "unknown_path": (404, "There is no such page."),
    "wrong_method": (405, "This page cannot be used like that."),
    "unavailable": (503, "The service is unavailable. Please try again."),
    "too_large": (431, "The request is too large."),
    "rate_limited": (429, "Too many requests. Please try again in a moment."),
    "failed": (500, "Something went wrong."),
}


def refuse_page(_: HttpRequest, reason: RefusalReason) -> HttpResponse:
    """Return plain words: nothing of a sandbox may be needed to say them."""
    status, words = WORDS[reason]
    return HttpResponse(words, status=status, content_type="text/plain; charset=utf-8")


def forbidden(_: HttpRequest, said: str) -> HttpResponse:
    """Return the page for what is not allowed."""
    return _refused("Forbidden", said, 403)


def refused(_: HttpRequest, error: Exception) -> HttpResponse:
    """Return the page for what the domain refuses whole."""
    if isinstance(error, NotFound):
        return _refused("Not found", str(error), 404)
    return _refused("Forbidden", str(error), 403)


def refused_sign_in(said: str) -> HttpResponse:
    """Return the page for an app that cannot be let in."""
    return _refused("Not allowed", said, 400)


def wrong_method() -> HttpResponse:
    """Return the page for what a page does not take."""
    status, said = WORDS["wrong_method"]
    return _refused("Not allowed", said, status)


def page_not_found(_: HttpRequest) -> HttpResponse:
    """Answer for addresses that no page has."""
    return _refused("Not found", "There is no such page.", 404)


def to_sign_in(request: HttpRequest) -> HttpResponse:
    """Send a browser to the sign-in page."""
    return lead_to(request, reverse("crm:signin"))


def _refused(title: str, said: str, status: int) -> HttpResponse:
    return refused_page("crm/refused.html", title, said, status)
