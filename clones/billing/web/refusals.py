"""Pages for what never reached a page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from clones.core.vendors import RefusalReason

WORDS: dict[RefusalReason, tuple[int, str]] = {
    "unauthenticated": (401, "Open this page from the helpdesk."),
    "unknown_sandbox": (404, "Not found."),
    "unknown_path": (404, "Not found."),
    "wrong_method": (405, "This page cannot be used like that."),
    "unavailable": (503, "The service is unavailable. Please try again."),
    "too_large": (431, "The request is too large."),
    "rate_limited": (429, "Too many requests. Please try again in a moment."),
    "failed": (500, "Something went wrong."),
}


def refuse_page(_: HttpRequest, reason: RefusalReason) -> HttpResponse:
    """Return a page that says why nothing is shown."""
    status, words = WORDS[reason]
    return HttpResponse(words, status=status, content_type="text/plain; charset=utf-8")
