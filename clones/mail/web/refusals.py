"""Pages for what is not there, not allowed, or never reached a page."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import reverse

from clones.core.pages import secured
from clones.core.vendors import RefusalReason

WORDS: dict[RefusalReason, tuple[int, str]] = {
    "unauthenticated": (401, "Sign in to read your mail."),
    "unknown_sandbox": (404, "Not found."),
    "unknown_path": (404, "There is no such page."),
    "wrong_method": (405, "This page cannot be used like that."),
    "unavailable": (503, "The service is unavailable. Please try again."),
    "too_large": (431, "The request is too large."),
    "rate_limited": (429, "Too many requests. Please try again in a moment."),
    "failed": (500, "Something went wrong."),
}


def refuse(_: HttpRequest, reason: RefusalReason) -> HttpResponse:
    """Return plain words: nothing of a sandbox may be needed to say them."""
    status, words = WORDS[reason]
    return HttpResponse(words, status=status, content_type="text/plain; charset=utf-8")


def plain_page(template: str, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """Return a page without a mailbox around it."""
    return secured(HttpResponse(render_to_string(template, context), status=status))


def not_found() -> HttpResponse:
    """Return the page for what is not in the mailbox."""
    said = {"title": "Not found", "said": "There is no such message in your mailbox."}
    return plain_page("mail/refused.html", said, status=404)


def forbidden(said: str) -> HttpResponse:
    """Return the page for what is not allowed."""
    return plain_page("mail/refused.html", {"title": "Forbidden", "said": said}, status=403)


def page_not_found(_request: HttpRequest) -> HttpResponse:
    """Answer for addresses that no page has."""
    said = {"title": "Not found", "said": "There is no such page."}
    return plain_page("mail/refused.html", said, status=404)


def to_sign_in(request: HttpRequest) -> HttpResponse:
    """Send a browser to the sign-in page."""
    address = reverse("mail:signin")
    if request.headers.get("HX-Request"):
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    return secured(HttpResponseRedirect(address))
